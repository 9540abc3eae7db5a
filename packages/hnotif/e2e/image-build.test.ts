import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { LOOPBACK_FLAGS } from '../../lab/src/loopback.ts';
import { AT_ANY_PORT, hnotif } from './support/process.ts';
import { missing } from './support/programs.ts';
import { ROOT, checkoutFiles, copyFiles, linkPackages } from '../../lab/src/checkout.ts';
import { temporary } from './support/temporary.ts';
import { World } from './support/world.ts';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of the Dockerfile, by stage: those before the first FROM, then each stage. */
async function stages(): Promise<Instruction[][]> {
  const text = (await readFile(join(ROOT, 'Dockerfile'), 'utf8'))
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ');
  const found: Instruction[][] = [[]];
  for (const line of text.split('\n')) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) continue;
    if (name === 'FROM') found.push([]);
    found.at(-1)?.push({ name, text: rest.trim() });
  }
  return found;
}

/** A JSON array of an instruction; fails for the shell form. */
const words = ({ text }: Instruction): string[] => JSON.parse(text) as string[];

/** The files of a clean checkout that .dockerignore lets into the build. Supports only the kinds of patterns in that file. */
async function contextFiles(): Promise<string[]> {
  const patterns = (await readFile(join(ROOT, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const kept = line.startsWith('!');
      const source = line
        .slice(kept ? 1 : 0)
        .split(/(\*\*\/|\*)/)
        .map((part) => ({ '**/': '(?:.*/)?', '*': '[^/]*' })[part] ?? part.replace(/[.+]/g, '\\$&'))
        .join('');
      // A pattern that matches a folder applies to its content.
      return { kept, pattern: new RegExp(`^${source}(?:/|$)`) };
    });
  return checkoutFiles().filter(
    (file) => patterns.findLast(({ pattern }) => pattern.test(file))?.kept === true,
  );
}

const run = promisify(execFile);

interface Bom {
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** What must hold for /app of the image. */
async function checkApp(app: string): Promise<void> {
  const files = (await readdir(app, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map(({ name }) => name);
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json', 'hnotif.mjs']),
  );
  expect(files.filter((file) => file.startsWith('dev'))).toEqual([]);
  // Nothing is made for one architecture.
  const kinds = new Set(files.filter((file) => file !== 'LICENSE').map((file) => extname(file)));
  expect([...kinds].sort()).toEqual(['.gotpl', '.json', '.map', '.mjs', '.txt']);

  const bom = JSON.parse(await readFile(join(app, 'sbom.cdx.json'), 'utf8')) as Bom;
  expect(bom.metadata.component).toMatchObject({ name: 'hnotif', version: manifest.version });
  const components = bom.components.map((component) => component['bom-ref']).sort();
  const notices = await readFile(join(app, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect([...notices.matchAll(/^(\S+@\d\S+) \(/gm)].map(([, ref]) => ref).sort()).toEqual(components);
  expect(components).toEqual(expect.arrayContaining([expect.stringMatching(/^undici@/)]));
  // Those of the simulators and of the embedded control plane are not in the image.
  expect(components.filter((ref) => /^(ajv|@marcbachmann)/.test(ref))).toEqual([]);
  const known = new Set([...components, `hnotif@${manifest.version}`]);
  expect(bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])).toSatisfy((refs: string[]) =>
    refs.every((ref) => known.has(ref)),
  );
}

/** Why the image cannot be built here; `''` when it can. */
function cannotBuild(): string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  return missing('buildah');
}
const reason = cannotBuild();

describe('the Dockerfile', () => {
  it('names its base by version and digest, in one argument', async () => {
    const [before = [], ...rest] = await stages();
    expect(before.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^NODE_IMAGE=docker\.io\/library\/node:\d+\.\d+\.\d+-slim@sha256:[0-9a-f]{64}$/),
    ]);
    for (const [from] of rest) expect(from?.text).toContain('${NODE_IMAGE}');
  });

  it('makes an image for each architecture without running a program of it', async () => {
    const [, build = [], image = []] = await stages();
    expect(build[0]?.text).toMatch(/^--platform=\$BUILDPLATFORM /);
    expect(image.map(({ name }) => name)).not.toContain('RUN');
    expect(image.find(({ name }) => name === 'USER')?.text).toBe('65532:65532');
  });

  // It takes as long as the build of the image, which shows the same.
  it.runIf(reason !== '')('builds from the files of a clean checkout alone', async () => {
    const [, build = [], image = []] = await stages();
    const folder = await temporary();
    const source = join(folder, 'src');
    copyFiles(await contextFiles(), source);
    await linkPackages(source);
    expect(build.filter(({ name }) => name === 'COPY').map(({ text }) => text)).toEqual(['. .']);
    const commands = build.filter(({ name }) => name === 'RUN').map(words);
    expect(commands[0]).toEqual(['npm', 'ci', '--ignore-scripts']);
    for (const [program = '', ...args] of commands.slice(1)) await run(program, args, { cwd: source });

    const [flag, ...paths] = (image.find(({ name }) => name === 'COPY')?.text ?? '').split(' ');
    expect([flag, paths.pop()]).toEqual(['--from=build', '/app/']);
    const app = join(folder, 'app');
    await mkdir(app);
    for (const path of paths) {
      const from = join(folder, path);
      const isFolder = (await stat(from)).isDirectory();
      await cp(from, isFolder ? app : join(app, basename(from)), { recursive: true });
    }
    await checkApp(app);
    const { stdout } = await run(process.execPath, [join(app, 'hnotif.mjs'), '--version'], { cwd: app });
    expect(stdout).toBe(`${manifest.version}\n`);
  });

  it('takes no test, no output and no secret of a checkout into the build', async () => {
    const files = await contextFiles();
    expect(files).toEqual(expect.arrayContaining(['package-lock.json', 'packages/hnotif/src/cli/main.ts']));
    expect(files.filter((file) => /\.test\.ts$|^\.git|\.env|(^|\/)(dist|node_modules)\//.test(file))).toEqual(
      [],
    );
  });
});

it('hnotif run writes no file: the root of its container can be read-only', async () => {
  const world = await World.start();
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start'] });
  await world.plan('orders');
  const flag = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  // Node itself refuses every write then.
  const NODE_OPTIONS = `${flag} --allow-fs-read=* --allow-worker${allowsNetwork() ? ' --allow-net' : ''}`;
  const args = ['run', `--kubeconfig=${await world.kubeconfig()}`, ...LOOPBACK_FLAGS, ...AT_ANY_PORT];
  const controller = hnotif([...args, ...world.addresses], { NODE_OPTIONS });
  await controller.line(/"msg":"serving"/);
  await world.hibernate('orders');
  await world.receiver.waitFor((records) => records.length === 1);
  controller.kill('SIGTERM');
  expect(await controller.exit).toBe(0);
  expect(controller.stderr.join('\n')).not.toContain('ERR_ACCESS_DENIED');
});

/** Newer versions of Node refuse the network as well. */
const allowsNetwork = (): boolean => process.allowedNodeEnvironmentFlags.has('--allow-net');

/**
 * An image with this machine's node and npm, in place of the base: no registry is asked. What `npm ci` needs is in npm's cache,
 * which `/npm-cache` is to be.
 */
async function standIn(folder: string): Promise<void> {
  const programs = [process.execPath, '/bin/sh', '/usr/bin/env'];
  const { stdout } = await run('ldd', programs);
  const libraries = [...stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(/gm)].map(([, path = '']) => path);
  for (const path of new Set([...programs, ...libraries])) {
    const target = path === process.execPath ? '/usr/bin/node' : path;
    await mkdir(dirname(join(folder, target)), { recursive: true });
    await cp(await realpath(path), join(folder, target));
  }
  const cli = await realpath((await run('which', ['npm'])).stdout.trim());
  await cp(join(dirname(cli), '..'), join(folder, 'usr/lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/bin/npm'));
  await mkdir(join(folder, 'tmp'));
}

it.skipIf(reason !== '')(
  `buildah builds the image, and the image runs${reason === '' ? '' : ` (skipped: ${reason})`}`,
  async ({ skip }) => {
    const folder = await temporary();
    const store = [
      '--root',
      join(folder, 'root'),
      '--runroot',
      join(folder, 'run'),
      '--storage-driver',
      'vfs',
    ];
    const buildah = async (...args: string[]): Promise<string> =>
      (await run('buildah', [...store, ...args], { maxBuffer: 64 << 20 })).stdout;
    const build = ['bud', '--isolation', 'chroot', '--quiet'];

    const base = join(folder, 'base');
    await standIn(base);
    const baseFile = join(folder, 'Base');
    await writeFile(
      baseFile,
      'FROM scratch\nCOPY . /\nENV PATH=/usr/bin:/bin npm_config_cache=/npm-cache npm_config_offline=true\n',
    );
    await buildah(...build, '--tag', 'localhost/base', '--file', baseFile, base);
    const context = join(folder, 'context');
    copyFiles(await contextFiles(), context);
    const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim();
    try {
      await buildah(
        ...[...build, '--build-arg', 'NODE_IMAGE=localhost/base', '--build-arg', 'REVISION=abc'],
        ...['--volume', `${cache}:/npm-cache`, '--tag', 'localhost/hnotif'],
        ...['--file', join(ROOT, 'Dockerfile'), context],
      );
    } catch (error) {
      if (String((error as { stderr?: unknown }).stderr).includes('ENOTCACHED'))
        skip('the packages are not in npm’s cache: run npm ci');
      throw error;
    }

    const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/hnotif')) as {
      OCIv1: { config: Record<string, unknown>; rootfs: { diff_ids: string[] } };
    };
    expect(OCIv1.config).toMatchObject({
      User: '65532:65532',
      Cmd: ['run'],
      Labels: {
        'org.opencontainers.image.version': manifest.version,
        'org.opencontainers.image.revision': 'abc',
        'org.opencontainers.image.licenses': 'Apache-2.0',
      },
    });

    // As layers, not as the files that are seen at the end: what one layer removes is still in another.
    const layers = join(folder, 'layers');
    await buildah('push', '--quiet', 'localhost/hnotif', `docker-archive:${layers}.tar`);
    await mkdir(layers);
    await run('tar', ['-xf', `${layers}.tar`, '-C', layers]);
    const [{ Layers: names }] = JSON.parse(await readFile(join(layers, 'manifest.json'), 'utf8')) as [
      { Layers: string[] },
    ];
    expect(names).toHaveLength(2);
    const entries = await Promise.all(
      names.map(
        async (name) => (await run('tar', ['-tvf', join(layers, name)], { maxBuffer: 64 << 20 })).stdout,
      ),
    );
    expect(entries.join('\n')).not.toMatch(/\/dev(-\w+)?\.mjs/);
    const [own = ''] = entries.slice(-1);
    // Nobody but root can change a file, also where the root can be written.
    expect(own.split('\n').filter((line) => /^\S{8}w|^-\S{4}w/.test(line))).toEqual([]);
    expect(own.split('\n').filter((line) => line !== '' && !/^\S+ (0\/0|root\/root) /.test(line))).toEqual(
      [],
    );
    const bytes = own.split('\n').reduce((sum, line) => sum + Number(line.split(/\s+/)[2] ?? 0), 0);
    console.log(`the image: ${names.length} layers, ${(bytes / 1e6).toFixed(1)} MB above its base`);

    const container = (await buildah('from', 'localhost/hnotif')).trim();
    const app = join((await buildah('mount', container)).trim(), 'app');
    await checkApp(app);
    const inside = ['run', '--isolation', 'chroot', container, '--'];
    expect(await buildah(...inside, 'node', '/app/hnotif.mjs', '--version')).toBe(`${manifest.version}\n`);
    await buildah('umount', container);
  },
);
