import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { ROOT, checkoutFiles, copyFiles, install, linkPackages } from './support/checkout.ts';

const run = promisify(execFile);

const DEV_SERVERS = ['port', 'receiver-port', 'teamchat-port', 'botchat-port', 'metrics-port', 'health-port'];
const DEV_PORTS = DEV_SERVERS.map((server) => `--${server}=0`);

describe('the package hnotif, packed from a clean checkout and installed in an empty folder', () => {
  let home: string;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hnotif-npm-'));
    const source = join(folder, 'source');
    copyFiles(checkoutFiles(), source);
    await linkPackages(source);
    home = join(folder, 'home');
    await install(join(source, 'packages/hnotif'), home);
    return () => rm(folder, { recursive: true, force: true });
  });

  it('is one package: it brings no other', async () => {
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

  it('npx hnotif template checks a template, blocks with the simulated Slack', async () => {
    const child = spawn('npx', ['--offline', 'hnotif', 'template', '-', '--event=Start'], { cwd: home });
    child.stdin.end('{"blocks":[{"type":"{{ .Event }}"}]}');
    const closed = once(child, 'close');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await closed;
    expect(out).toBe('{"blocks":[{"type":"Start"}]}\n');
    expect(err).toMatch(/invalid_blocks/);
    expect(child.exitCode).toBe(1);
  });

  it('npx hnotif dev plays a night', async () => {
    const args = ['--offline', 'hnotif', 'dev', '--once', '--speed=20', ...DEV_PORTS];
    const { stdout } = await run('npx', args, { cwd: home });
    expect(stdout).toMatch(/^delivered \d+, failed 0, dropped 0$/m);
  });

  it('has the schema of a webhook’s body, and no other module', async () => {
    const code = `
      import { createRequire } from 'node:module';
      const schema = createRequire(import.meta.url)('hnotif/webhook-payload.schema.json');
      const refused = await import('hnotif').catch((error) => error.code);
      console.log(JSON.stringify([schema, refused]));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: home });
    const [schema, refused] = JSON.parse(stdout) as unknown[];
    expect(schema).toEqual(
      JSON.parse(await readFile(join(ROOT, 'schemas/webhook-payload.schema.json'), 'utf8')),
    );
    expect(refused).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

it('can be published, with provenance', async () => {
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  const licence = await readFile(join(ROOT, 'packages/hnotif/LICENSE'), 'utf8');
  expect(licence).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8'));
});
