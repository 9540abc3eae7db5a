import { build as esbuild, type Metafile, type Plugin } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { OutputFile } from './bundle.ts';
import { slim } from './slim.ts';

const SOURCE = 'packages/ui/src';
const EDITOR = join(SOURCE, 'editor');
const SHIMS = join(EDITOR, 'browser');

/** The files of a page, for any web server, and the packages in them. */
export interface UiFiles {
  readonly files: readonly OutputFile[];
  readonly metafile: Metafile;
  /** Licence comments that the bundler took out of the code. */
  readonly comments: readonly string[];
}

/** The page of `hnotif ui`. */
export const uiFiles = (): Promise<UiFiles> =>
  bundled([join(SOURCE, 'main.tsx'), join(SOURCE, 'style/main.css')], join(SOURCE, 'index.html'));

/** The template editor as a page of its own. */
export const playgroundFiles = (): Promise<UiFiles> =>
  bundled([join(EDITOR, 'playground.tsx'), join(EDITOR, 'playground.css')], join(EDITOR, 'playground.html'));

/** Bundles a page for browsers. The name of a chunk is the hash of what it says. */
async function bundled(entryPoints: readonly string[], html: string): Promise<UiFiles> {
  const { outputFiles, metafile } = await esbuild({
    entryPoints: [...entryPoints, join(EDITOR, 'worker.ts')],
    outdir: 'out',
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: ['chrome115', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: { 'node:crypto': `./${join(SHIMS, 'crypto.ts')}` },
    inject: [join(SHIMS, 'buffer.ts')],
    plugins: [slim, asData, inBrowsers],
    legalComments: 'external',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const isComment = ({ path }: { path: string }): boolean => path.endsWith('.LEGAL.txt');
  return {
    metafile,
    comments: outputFiles.filter(isComment).map(({ text }) => text),
    files: [
      ...outputFiles
        .filter((file) => !isComment(file))
        .map(({ path, contents }) => ({ name: relative(join(process.cwd(), 'out'), path), contents })),
      { name: 'index.html', contents: await readFile(html) },
    ],
  };
}

/**
 * Modules that read files, or compute what never changes: the page has what they export as data. They are loaded for a page alone: the
 * build of the image has no documentation to read.
 */
const AS_DATA: Readonly<Record<string, () => Promise<object>>> = {
  'packages/hnotif/src/render/builtin-texts.ts': () =>
    import('../packages/hnotif/src/render/builtin-texts.ts'),
  'packages/ui/src/editor/cookbook.ts': () => import('../packages/ui/src/editor/cookbook.ts'),
  'packages/ui/src/editor/words.ts': () => import('../packages/ui/src/editor/words.ts'),
};

/** Modules that do the same in another way in a browser. */
const inBrowsers: Plugin = {
  name: 'in-browsers',
  setup(build) {
    build.onResolve({ filter: /\/zone-data\.ts$/ }, () => ({
      path: join(process.cwd(), SHIMS, 'zone-data.ts'),
    }));
  },
};

const asData: Plugin = {
  name: 'as-data',
  setup(build) {
    build.onLoad({ filter: /\/(?:builtin-texts|cookbook|words)\.ts$/ }, async ({ path }) => {
      const load = AS_DATA[relative(process.cwd(), path).replaceAll('\\', '/')];
      return load && { contents: dataOf(await load()) };
    });
  },
};

const dataOf = (module: object): string =>
  Object.entries(module)
    .filter(([, value]) => typeof value !== 'function')
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');

/** What a browser loads until the page works, each file with its size (bytes, compressed by gzip). */
export function firstLoad({ files, metafile }: UiFiles): readonly { name: string; size: number }[] {
  const chunks = new Set(files.map(({ name }) => name).filter((name) => !name.startsWith('chunk-')));
  // What is imported by a call is loaded later, if ever.
  for (const name of chunks)
    for (const { path, kind } of metafile.outputs[join('out', name)]?.imports ?? [])
      if (kind === 'import-statement') chunks.add(relative('out', path));
  return files
    .filter(({ name }) => chunks.has(name))
    .map(({ name, contents }) => ({ name, size: gzipSync(contents, { level: 9 }).length }));
}
