/**
 * Bundles the command line: `dist/hnotif.mjs` is the service; `dist/dev.mjs` is the `dev` command with the
 * embedded control plane and the receiver simulators, loaded only by `hnotif dev` and left out of the image.
 */
import { build } from 'esbuild';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const dist = 'packages/hnotif/dist';

/**
 * Writes the bundle. Whoever runs from `dist` at the time never sees a file missing or half written: each is written
 * beside its place and renamed into it, the chunks (whose names are hashes of what they say) before what imports
 * them, and only what has changed; what no longer belongs there goes last.
 */
export async function bundle(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: { hnotif: 'packages/hnotif/src/cli/main.ts', dev: 'packages/hnotif/src/cli/dev/dev.ts' },
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    write: false,
    logLevel: 'warning',
    // The dependencies that are CommonJS ask for Node's own modules with require().
    banner: {
      js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);",
    },
  });
  await replaceFolder(
    dist,
    outputFiles
      .map(({ path, contents }) => ({ name: basename(path), contents }))
      .sort((a, b) => Number(isEntry(a.name)) - Number(isEntry(b.name))),
  );
}

const isEntry = (name: string): boolean => /^(hnotif|dev)\.mjs$/.test(name);

/** A file of a flat folder. */
export interface OutputFile {
  readonly name: string;
  readonly contents: Uint8Array;
}

/** Makes a folder hold these files, written in this order, and no others; none of them is ever missing. */
export async function replaceFolder(folder: string, files: readonly OutputFile[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, contents } of files) {
    const path = join(folder, name);
    const present = await readFile(path).catch(() => undefined);
    if (present?.equals(contents) === true) continue;
    const beside = join(folder, `.${name}.${process.pid}`);
    await writeFile(beside, contents);
    await rename(beside, path);
  }
  const wanted = new Set(files.map(({ name }) => name));
  for (const name of await readdir(folder))
    // A hidden file is what another build is about to rename.
    if (!wanted.has(name) && !name.startsWith('.')) await rm(join(folder, name), { force: true });
}
