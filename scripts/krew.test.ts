import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import workspace from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');

/** What krew asks of a plugin: https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest/ */
const PLUGIN = z.strictObject({
  apiVersion: z.literal('krew.googlecontainertools.github.com/v1alpha2'),
  kind: z.literal('Plugin'),
  metadata: z.strictObject({ name: z.literal('hnotif') }),
  spec: z.strictObject({
    version: z.literal(`v${workspace.version}`),
    homepage: z.url(),
    // In the list of all plugins, so in one line.
    shortDescription: z.string().max(60),
    description: z.string(),
    caveats: z.string(),
    platforms: z
      .array(
        z.strictObject({
          selector: z.object({}).loose(),
          uri: z.url().regex(/\.(zip|tar\.gz)$/),
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
          files: z.array(z.strictObject({ from: z.string(), to: z.string() })),
          bin: z.literal('hnotif.mjs'),
        }),
      )
      .min(1),
  }),
});

it('the manifest for krew is one, and of this version', async () => {
  const text = await readFile(join(root, 'deploy/krew/hnotif.yaml'), 'utf8');
  const { spec } = PLUGIN.parse(parse(text));
  for (const { uri } of spec.platforms)
    expect(uri).toContain(`/v${workspace.version}/hnotif-${workspace.version}.`);
});
