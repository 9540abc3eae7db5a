/**
 * Bundles the command line: `dist/hnotif.mjs` is the service; `dist/template-worker.mjs` is what it starts as worker
 * threads for templates, `dist/lease-worker.mjs` as the one for the Lease; `dist/dev.mjs` is the `dev` command with the
 * embedded control plane and the receiver simulators, loaded only by `hnotif dev`; `dist/ui` is the page of `hnotif ui`.
 * Beside them are the files that the code reads, and the notices of the packages in the bundle.
 */
import { build } from 'esbuild';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import manifest from '../packages/hnotif/package.json' with { type: 'json' };
import { inAscii, requiredBuiltins, slim } from './slim.ts';
import { notices, packagesIn, sbom } from './third-party.ts';

const SERVICE = { hnotif: 'packages/hnotif/src/cli/main.ts' };
/** Each is bundled alone: with the others it would load of a module all that any of them uses. */
const WORKERS: readonly Record<string, string>[] = [
  { 'template-worker': 'packages/hnotif/src/template-pool/worker.ts' },
  { 'lease-worker': 'packages/hnotif/src/cluster/lease-worker.ts' },
];
const DEV = { dev: 'packages/hnotif/src/cli/dev/dev.ts' };

/** Folders and files of the project that the code reads, by their place in `dist`. */
const SERVICE_FILES = { templates: 'packages/core/src/render/templates' };
const DEV_FILES = { examples: 'examples', schemas: 'schemas' };

export interface BundleOptions {
  /** Default: `dist` of the package. */
  readonly folder?: string;
  /** Whether `hnotif dev` and the page are in it; default true. The image is without them. */
  readonly dev?: boolean;
  /** Whether the SBOM is added, which needs npm; default false. */
  readonly sbom?: boolean;
}

/**
 * Writes the bundle. Whoever runs from `dist` at the time never sees a file missing or half written: each is written
 * beside its place and renamed into it, the templates and the chunks (whose names are hashes of what they say) before
 * what reads and imports them, and only what has changed; what no longer belongs there goes last.
 */
export async function bundle(options: BundleOptions = {}): Promise<void> {
  const { folder = 'packages/hnotif/dist', dev = true } = options;
  const programs = [{ ...SERVICE, ...(dev ? DEV : {}) }, ...WORKERS];
  const builds = await Promise.all(programs.map((entryPoints) => built(entryPoints, folder, dev)));
  const outputFiles = builds.flatMap((each) => each.outputFiles);
  const outputs = Object.fromEntries(builds.flatMap(({ metafile }) => Object.entries(metafile.outputs)));
  // It reads the docs, which the build of the image does not have.
  const ui = dev ? await (await import('./ui-files.ts')).uiFiles() : undefined;
  const packages = await packagesIn({ outputs: { ...outputs, ...ui?.metafile.outputs } });
  const isComment = ({ path }: { path: string }): boolean => path.endsWith('.LEGAL.txt');
  const comments = [...outputFiles.filter(isComment).map(({ text }) => text), ...(ui?.comments ?? [])];
  const texts = [{ name: NOTICES, text: notices(packages, comments) }];
  if (options.sbom === true)
    texts.push({ name: SBOM, text: `${JSON.stringify(await sbom(manifest, packages), null, 2)}\n` });

  const entries = new Set(programs.flatMap(Object.keys).map((name) => `${name}.mjs`));
  const code = outputFiles
    .filter((file) => !isComment(file))
    .map(({ path, contents, text }) => ({
      name: relative(folder, path),
      contents: path.endsWith('.mjs') ? Buffer.from(inAscii(text)) : contents,
    }))
    .sort((a, b) => Number(entries.has(a.name)) - Number(entries.has(b.name)));
  const copied = Object.entries({ ...SERVICE_FILES, ...(dev ? DEV_FILES : {}) });
  await replaceFolder(folder, [
    ...(await Promise.all(copied.map(([target, source]) => filesOf(source, target)))).flat(),
    ...(ui?.files ?? []).map(({ name, contents }) => ({ name: join('ui', name), contents })),
    ...texts.map(({ name, text }) => ({ name, contents: Buffer.from(text) })),
    ...code,
  ]);
}

/** Programs that share chunks. */
const built = (entryPoints: Record<string, string>, folder: string, dev: boolean) =>
  build({
    entryPoints,
    outdir: folder,
    metafile: true,
    // The module is then missing when the program asks for it.
    external: dev ? [] : ['./dev/dev.ts'],
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    // A process keeps the text of its code: a quarter is indentation and comments. Short lines, because stack traces name them.
    minifyWhitespace: true,
    lineLimit: 100,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    // Node keeps each map in memory whole; names and lines are in it without the sources.
    sourcesContent: false,
    plugins: [slim, requiredBuiltins],
    legalComments: 'external',
    write: false,
    logLevel: 'warning',
    // A name that the Node of the build lacks, and that of the image may have: ask the module itself for it.
    logOverride: { 'import-is-undefined': 'error' },
    // The dependencies that are CommonJS ask for Node's own modules with require().
    banner: {
      js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);",
    },
  });

export const NOTICES = 'THIRD-PARTY-NOTICES.txt';
export const SBOM = 'sbom.cdx.json';

/** A file by its path in a folder. */
export interface OutputFile {
  readonly name: string;
  readonly contents: Uint8Array;
}

/** All files of a folder, as they are to stand in `target`. */
async function filesOf(folder: string, target: string): Promise<OutputFile[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async (file) => {
        const path = join(file.parentPath, file.name);
        return { name: join(target, relative(folder, path)), contents: await readFile(path) };
      }),
  );
}

/** Makes a folder hold these files, written in this order, and no others; none of them is ever missing. */
export async function replaceFolder(folder: string, files: readonly OutputFile[]): Promise<void> {
  for (const { name, contents } of files) {
    const path = join(folder, name);
    const present = await readFile(path).catch(() => undefined);
    if (present?.equals(contents) === true) continue;
    await mkdir(dirname(path), { recursive: true });
    const beside = join(dirname(path), `.${basename(path)}.${process.pid}`);
    await writeFile(beside, contents);
    await rename(beside, path);
  }
  const wanted = new Set(files.flatMap(({ name }) => [name, ...foldersOf(name)]));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // A hidden file is what another build is about to rename.
    if (!wanted.has(relative(folder, path)) && !entry.name.startsWith('.'))
      await rm(path, { recursive: true, force: true });
  }
}

/** `a/b` and `a` of `a/b/c`. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
