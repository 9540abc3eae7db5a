import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './api.ts';

/**
 * A file or folder of the project, looked for upwards from this file: it is there in a checkout, not in an image.
 * Throws when it is not.
 */
export function projectPath(path: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    if (folder === dirname(folder))
      throw new Error(`${path} was not found: hnotif dev runs from a checkout of the project`);
  }
}

/** All manifests of a folder, in the order of the files' names. Rejects with the file and the line of a fault. */
export async function readManifests(folder: string): Promise<Manifest[]> {
  const files = (await readdir(folder)).filter((file) => /\.ya?ml$/.test(file)).sort();
  const manifests: Manifest[] = [];
  for (const file of files) {
    for (const document of parseAllDocuments(await readFile(join(folder, file), 'utf8'), {
      version: '1.1',
    })) {
      const [fault] = document.errors;
      if (fault !== undefined) throw new Error(`${join(folder, file)}: ${fault.message}`);
      const object = document.toJS() as Manifest | null;
      if (object !== null) manifests.push(object);
    }
  }
  return manifests;
}

/** The configuration in a sink's secret, as far as `dev` needs it. */
interface SinkConfig {
  readonly url?: string;
  readonly signing_secret?: string | readonly string[];
}

const configOf = (secret: Manifest): SinkConfig | undefined => {
  const config = (secret.stringData as { config?: string } | undefined)?.config;
  return config === undefined ? undefined : (JSON.parse(config) as SinkConfig);
};

/** The secrets with which the examples' webhooks are signed, for the receiver to check. */
export function signingSecrets(manifests: readonly Manifest[]): string[] {
  const secrets = manifests
    .filter(({ kind }) => kind === 'Secret')
    .map((secret) => configOf(secret)?.signing_secret);
  return [...new Set(secrets.flatMap((secret) => secret ?? []))];
}

/** The same manifests, with webhooks to `from` (scheme, host and port) sent to `to`: for a port that was taken. */
export function withReceiver(manifests: readonly Manifest[], from: string, to: string): Manifest[] {
  return manifests.map((manifest) => {
    const config = manifest.kind === 'Secret' ? configOf(manifest) : undefined;
    if (config?.url?.startsWith(from) !== true) return manifest;
    const moved = JSON.stringify({ ...config, url: to + config.url.slice(from.length) });
    return { ...manifest, stringData: { ...(manifest.stringData as object), config: moved } };
  });
}
