import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { build } from 'esbuild';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { ROOT, checkoutFiles, copyFiles, install, linkPackages } from '../../lab/src/checkout.ts';
import { DEV_PORTS } from './support/process.ts';

const run = promisify(execFile);
const ENGINE = '@hnotif/gotemplate';

let folder: string;
let source: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hnotif-npm-'));
  source = join(folder, 'source');
  copyFiles(checkoutFiles(), source);
  await linkPackages(source);
  return () => rm(folder, { recursive: true, force: true });
});

describe('the package hnotif, packed from a clean checkout and installed in an empty folder', () => {
  let home: string;
  beforeAll(async () => {
    home = join(folder, 'hnotif');
    await install(join(source, 'packages/hnotif'), home);
  });

  it('has no dependencies', async () => {
    const packages = await readdir(join(home, 'node_modules'));
    expect(packages.filter((name) => !name.startsWith('.'))).toEqual(['hnotif']);
    const files = await readdir(join(home, 'node_modules/hnotif'), { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/THIRD-PARTY-NOTICES.txt', 'dist/sbom.cdx.json']),
    );
    expect(files.filter((file) => /\.ts$|\.test\.|^src|^e2e|node_modules/.test(file))).toEqual([]);
    const notices = await readFile(join(home, 'node_modules/hnotif/dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    // Of the service, and of hnotif dev.
    for (const name of ['undici', 'ajv']) expect(notices).toMatch(new RegExp(`^${name}@\\d`, 'm'));
  });

  it('npx hnotif template checks a template, and its blocks', async () => {
    const child = spawn('npx', ['--offline', 'hnotif', 'template', '-', '--event=Start'], { cwd: home });
    child.stdin.end('{"blocks":[{"type":"header","{{ .Event }}":1}]}');
    const closed = once(child, 'close');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await closed;
    expect(out).toBe('{"blocks":[{"type":"header","Start":1}]}\n');
    expect(err).toMatch(/invalid_blocks/);
    expect(child.exitCode).toBe(1);
  });

  it('npx hnotif dev plays a night', async () => {
    const args = ['--offline', 'hnotif', 'dev', '--once', '--speed=20', ...DEV_PORTS];
    const { stdout } = await run('npx', args, { cwd: home });
    expect(stdout).toMatch(/^delivered \d+, failed 0, dropped 0$/m);
  });

  it('exports the schema of a webhook’s body, and no other module', async () => {
    const code = `
      import { createRequire } from 'node:module';
      const schema = createRequire(import.meta.url)('hnotif/webhook-payload.schema.json');
      const refused = await import('${manifest.name}').catch((error) => error.code);
      console.log(JSON.stringify([schema, refused]));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: home });
    const [schema, refused] = JSON.parse(stdout) as unknown[];
    expect(schema).toEqual(
      JSON.parse(await readFile(join(ROOT, 'schemas/webhook-payload.schema.json'), 'utf8')),
    );
    expect(refused).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

describe('the package @hnotif/gotemplate, packed from a clean checkout and installed in an empty folder', () => {
  let home: string;
  beforeAll(async () => {
    await run('npm', ['run', 'build'], { cwd: join(source, 'packages/gotemplate') });
    home = join(folder, 'gotemplate');
    await install(join(source, 'packages/gotemplate/dist'), home);
  });
  const installed = async (name: string): Promise<string> =>
    readFile(join(home, 'node_modules/@hnotif/gotemplate', name), 'utf8');

  it('has no dependencies', async () => {
    const packages = await readdir(join(home, 'node_modules'));
    expect(packages.filter((name) => !name.startsWith('.'))).toEqual(['@hnotif']);
    expect(await readdir(join(home, 'node_modules/@hnotif/gotemplate'))).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json']),
    );
    expect(await installed('THIRD-PARTY-NOTICES.txt')).toMatch(/^re2js@/m);
    const published = JSON.parse(await installed('package.json')) as Record<string, unknown>;
    expect(published).toMatchObject({
      name: '@hnotif/gotemplate',
      version: manifest.version,
      publishConfig: { access: 'public', provenance: true },
    });
    for (const key of ['private', 'dependencies', 'scripts']) expect(published).not.toHaveProperty(key);
  });

  it('renders the example of its README in Node', async () => {
    const [, example = ''] = /```ts\n([^]*?)```/.exec(await installed('README.md')) ?? [];
    const [, expected = ''] = /\/\/ (.*)/.exec(example) ?? [];
    await writeFile(
      join(home, 'example.mjs'),
      example.replace('template.execute', 'globalThis.shown = template.execute'),
    );
    const code = "await import('./example.mjs'); console.log(globalThis.shown)";
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: home });
    expect(stdout).toBe(`${expected}\n`);
    expect(expected).not.toBe('');
  });

  it('has types that a strict compiler accepts, with all their imports', async () => {
    const file = join(home, 'consumer.ts');
    await writeFile(
      file,
      `import { FLOAT64, fn, fromJS, lint, parse, sprig, structType, type Template } from '${ENGINE}';
import { parse as small } from '${ENGINE}/browser';
const order = structType('shop.Order', [{ name: 'Total', type: FLOAT64 }]);
const half = fn('func(float64) float64', (n: number) => n / 2);
const template: Template = parse('t', '{{ half .Total }}', { funcs: { ...sprig(), half } });
export const text: string = template.execute(fromJS({ Total: 9 }, order)) + small('t', '').execute({});
export const lines: number[] = lint('{{ .Totl }}', order, { funcs: sprig() }).map(({ line }) => line);
// @ts-expect-error a template is a text
parse('t', 1);
`,
    );
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
      // Neither those of Node nor those of browsers.
      lib: ['lib.es2022.d.ts'],
    });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
    expect(problems).toEqual([]);
  });

  it.each([ENGINE, `${ENGINE}/browser`])('%s runs without Node', async (name) => {
    const contents = `import { parse, sprig } from '${name}';
      const text = '{{ .name | upper }} {{ sha256sum "x" | trunc 8 }} {{ now | date "2006" }} {{ regexFind "b+" "abbc" }}';
      const now = () => 0n;
      globalThis.shown = parse('t', text, { funcs: sprig(), now }).execute({ name: 'ada' });`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: home },
      bundle: true,
      platform: 'browser',
      format: 'iife',
      write: false,
      logLevel: 'silent',
    });
    // What browsers have, and nothing else: no process, no Buffer, no require.
    const page: { shown?: string } = vm.createContext({ TextDecoder, TextEncoder, crypto, performance });
    vm.runInContext(outputFiles[0]?.text ?? '', page);
    expect(page.shown).toBe('ADA 2d711642 1970 bb');
  });
});

it('can be published, with provenance', async () => {
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  const licence = await readFile(join(ROOT, 'packages/hnotif/LICENSE'), 'utf8');
  expect(licence).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8'));
});
