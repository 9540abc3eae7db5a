import { build as esbuild, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
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

/** The page of `hnotif ui`. The name of a chunk is the hash of what it says. */
export async function uiFiles(): Promise<UiFiles> {
  const entryPoints = ['main.tsx', 'style/main.css', 'editor/worker.ts'].map((file) => join(SOURCE, file));
  const { outputs, ...rest } = await bundled(entryPoints, {
    format: 'esm',
    splitting: true,
    plugins: [slim, asData, inBrowsers],
  });
  const html = await readFile(join(SOURCE, 'index.html'));
  return { ...rest, files: [...outputs, { name: 'index.html', contents: html }] };
}

/** The template editor as a page of its own: one file, which also works without a server. */
export async function playgroundFiles(): Promise<UiFiles> {
  const { outputs, ...rest } = await bundled([join(EDITOR, 'one-file.ts'), join(EDITOR, 'playground.css')], {
    format: 'iife',
    plugins: [slim, asData, inBrowsers, inOneFile],
  });
  const textOf = (wanted: string): string =>
    Buffer.from(outputs.find(({ name }) => name === wanted)?.contents ?? []).toString();
  const html = await readFile(join(EDITOR, 'playground.html'), 'utf8');
  const page = withinPage(html, { script: textOf('one-file.js'), style: textOf('playground.css') });
  return { ...rest, files: [{ name: 'index.html', contents: Buffer.from(page) }] };
}

/** Writes a script and a style into a page, and their digests into its policy. */
function withinPage(html: string, parts: Readonly<Record<'script' | 'style', string>>): string {
  let page = html;
  for (const [tag, text] of Object.entries(parts)) {
    if (/<\/script|<!--/i.test(text)) throw new Error(`the ${tag} of the page would end before its end`);
    const digest = createHash('sha256').update(text).digest('base64');
    page = page
      .replace(`<${tag}></${tag}>`, () => `<${tag}>${text}</${tag}>`)
      .replace(`${tag}-src 'none'`, `${tag}-src 'sha256-${digest}'`);
  }
  return page;
}

type Bundle = Omit<UiFiles, 'files'> & { readonly outputs: readonly OutputFile[] };

/** Bundles code for browsers. */
async function bundled(entryPoints: string[], options: BuildOptions): Promise<Bundle> {
  const { outputFiles, metafile } = await esbuild({
    entryPoints,
    outdir: 'out',
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    bundle: true,
    minify: true,
    platform: 'browser',
    target: ['chrome115', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: Object.fromEntries(
      ['crypto', 'events'].map((name) => [`node:${name}`, `./${join(SHIMS, name)}.ts`]),
    ),
    inject: [join(SHIMS, 'buffer.ts')],
    legalComments: 'external',
    logLevel: 'warning',
    ...options,
    metafile: true,
    write: false,
  });
  const isComment = ({ path }: { path: string }): boolean => path.endsWith('.LEGAL.txt');
  return {
    metafile,
    comments: outputFiles.filter(isComment).map(({ text }) => text),
    outputs: outputFiles
      .filter((file) => !isComment(file))
      .map(({ path, contents }) => ({ name: relative(join(process.cwd(), 'out'), path), contents })),
  };
}

/**
 * Modules that read files, or compute what never changes: the page has what they export as data. They are loaded for a page alone: the
 * build of the image has no documentation to read.
 */
const AS_DATA: Readonly<Record<string, () => Promise<object>>> = {
  'packages/core/src/render/builtin-texts.ts': () => import('../packages/core/src/render/builtin-texts.ts'),
  'packages/ui/src/editor/cookbook.ts': () => import('../packages/ui/src/editor/cookbook.ts'),
  'packages/ui/src/editor/words.ts': () => import('../packages/ui/src/editor/words.ts'),
};

/** Replaces a module by one of the browser's folder that does the same in another way. */
const replaced = (module: string, by: string): Plugin => ({
  name: by,
  setup(build) {
    build.onResolve({ filter: new RegExp(`/${module}\\.ts$`) }, () => ({
      path: join(process.cwd(), SHIMS, `${by}.ts`),
    }));
  },
});

const inBrowsers = replaced('zone-data', 'zone-data');
const inOneFile = replaced('open-worker', 'open-own-worker');

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
