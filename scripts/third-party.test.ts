import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Metafile } from 'esbuild';
import { notices, packagesIn, sbom, type Sbom } from './third-party.ts';

/** A folder with packages in node_modules: their files by name. */
async function packages(all: Readonly<Record<string, Readonly<Record<string, string>>>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-notices-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, files] of Object.entries(all)) {
    const home = join(folder, 'node_modules', name);
    await mkdir(home, { recursive: true });
    const manifest = { name: name.replace(/^.*node_modules\//, ''), version: '1.2.3', license: 'MIT' };
    await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
    for (const [file, text] of Object.entries(files)) await writeFile(join(home, file), text);
  }
  return folder;
}

/** A bundle with these inputs, and how many bytes it has of each. */
const bundleOf = (inputs: Readonly<Record<string, number>>): Metafile => ({
  inputs: {},
  outputs: {
    'main.mjs': {
      bytes: 1,
      imports: [],
      exports: [],
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([input, bytesInOutput]) => [input, { bytesInOutput }]),
      ),
    },
  },
});

it('the packages of a bundle are those of which something is in it', async () => {
  const folder = await packages({
    plain: { LICENSE: 'text of plain\r\n', NOTICE: 'notice of plain' },
    '@scope/one': { 'LICENSE.md': 'text of one' },
    'plain/node_modules/inner': { licence: 'text of inner' },
    unused: {},
  });
  const modules = join(folder, 'node_modules');
  const found = await packagesIn(
    bundleOf({
      [`${modules}/plain/lib/a.js`]: 10,
      [`${modules}/plain/lib/b.js`]: 10,
      [`${modules}/@scope/one/index.js`]: 1,
      [`${modules}/plain/node_modules/inner/index.js`]: 1,
      [`${modules}/unused/index.js`]: 0,
      'packages/hnotif/src/cli/main.ts': 10,
    }),
  );
  expect(found).toEqual([
    { name: '@scope/one', version: '1.2.3', license: 'MIT', texts: ['text of one'] },
    { name: 'inner', version: '1.2.3', license: 'MIT', texts: ['text of inner'] },
    { name: 'plain', version: '1.2.3', license: 'MIT', texts: ['text of plain', 'notice of plain'] },
  ]);
  const text = notices(found, ['/*! by Ada */\n', '/*! by Ada */\n']);
  expect(text).toContain('plain@1.2.3 (MIT)\n\ntext of plain\n\nnotice of plain\n');
  expect(text.match(/by Ada/g)).toHaveLength(1);
});

it('a package without a licence text ends the build', async () => {
  const folder = await packages({ bare: { 'README.md': 'MIT, they say' } });
  const metafile = bundleOf({ [`${folder}/node_modules/bare/index.js`]: 1 });
  await expect(packagesIn(metafile)).rejects.toThrow(/node_modules\/bare: no licence was found/);
});

const component = (name: string) => ({
  'bom-ref': `${name}@1.0.0`,
  name,
  version: '1.0.0',
  purl: `pkg:npm/${name}@1.0.0`,
  type: 'library',
  scope: 'optional',
});
const whole = (): Sbom => ({
  serialNumber: 'urn:uuid:1',
  metadata: { component: component('workspace'), timestamp: '2026-01-01T00:00:00Z' },
  components: ['direct', 'indirect', 'other'].map(component),
  dependencies: [
    { ref: 'workspace@1.0.0', dependsOn: ['direct@1.0.0', 'other@1.0.0'] },
    { ref: 'direct@1.0.0', dependsOn: ['indirect@1.0.0', 'other@1.0.0'] },
    { ref: 'indirect@1.0.0', dependsOn: [] },
    { ref: 'other@1.0.0', dependsOn: [] },
  ],
});
const manifest = { name: '@a/program', version: '2.0.0', description: 'd' };
const of = (name: string) => ({ name, version: '1.0.0', license: 'MIT', texts: [] });

it('the SBOM has the packages of the bundle alone, and nothing that changes from build to build', async () => {
  const bom = await sbom(manifest, [of('direct'), of('indirect')], Promise.resolve(whole()));
  expect(bom.components.map(({ name, scope }) => [name, scope])).toEqual([
    ['direct', 'required'],
    ['indirect', 'required'],
  ]);
  expect(bom.dependencies).toEqual([
    { ref: '@a/program@2.0.0', dependsOn: ['direct@1.0.0'] },
    { ref: 'direct@1.0.0', dependsOn: ['indirect@1.0.0'] },
    { ref: 'indirect@1.0.0', dependsOn: [] },
  ]);
  expect(bom.metadata.component.purl).toBe('pkg:npm/%40a/program@2.0.0');
  expect(bom).not.toHaveProperty('serialNumber');
  expect(bom.metadata).not.toHaveProperty('timestamp');
});

it('a package that the lock file does not have ends the build', async () => {
  await expect(sbom(manifest, [of('stray')], Promise.resolve(whole()))).rejects.toThrow(
    'not in package-lock.json: stray@1.0.0',
  );
});
