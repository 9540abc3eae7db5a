/**
 * Makes the npm package @hnotif/gotemplate in packages/gotemplate/dist, ready for `npm publish packages/gotemplate/dist`: one
 * module for Node and browsers, a small one for pages, and the types. The workspace itself uses the sources.
 */
import { build, type BuildOptions } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ts from 'typescript';
import manifest from '../packages/gotemplate/package.json' with { type: 'json' };
import { NOTICES, SBOM, type OutputFile, replaceFolder } from './bundle.ts';
import { notices, packagesIn, sbom } from './third-party.ts';

const root = join(import.meta.dirname, '..');
const home = join(root, 'packages/gotemplate');

const file = (name: string, text: string): OutputFile => ({ name, contents: Buffer.from(text) });

/** `platform: 'neutral'`: an import of Node's own modules fails the build. */
const OPTIONS = {
  entryPoints: [join(home, 'src/index.ts')],
  absWorkingDir: root,
  bundle: true,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  metafile: true,
  write: false,
  logLevel: 'warning',
} satisfies BuildOptions;

const textOf = ({ outputFiles }: { outputFiles: { text: string }[] }): string =>
  outputFiles.map(({ text }) => text).join('');

/** The declarations, by their name in `types`. */
function declarations(): OutputFile[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const source = join(home, 'src');
  const program = ts.createProgram([join(source, 'index.ts')], {
    ...options,
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: undefined,
    declaration: true,
    emitDeclarationOnly: true,
    // The check of all types is oxlint's.
    noCheck: true,
    types: [],
    rootDir: source,
    outDir: source,
  });
  const files: OutputFile[] = [];
  const { diagnostics } = program.emit(undefined, (path, text) => {
    files.push(file(join('types', relative(source, path)), text));
  });
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, HOST));
  return files;
}

const HOST: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

const whole = await build({ ...OPTIONS, legalComments: 'inline' });
const small = await build({ ...OPTIONS, minify: true, legalComments: 'inline' });
const packages = await packagesIn(whole.metafile);
const { name, version, description, license, type, engines } = manifest;
const published = {
  ...{ name, version, description, license, type, engines },
  keywords: ['go', 'golang', 'template', 'text/template', 'sprig', 'helm'],
  homepage: 'https://github.com/hnotif/hnotif/tree/main/packages/gotemplate#readme',
  repository: {
    type: 'git',
    url: 'git+https://github.com/hnotif/hnotif.git',
    directory: 'packages/gotemplate',
  },
  sideEffects: false,
  exports: {
    '.': { types: './types/index.d.ts', default: './index.js' },
    './browser': { types: './types/index.d.ts', default: './browser.js' },
    './package.json': './package.json',
  },
  publishConfig: { access: 'public', provenance: true },
};

await replaceFolder(join(home, 'dist'), [
  file('package.json', `${JSON.stringify(published, null, 2)}\n`),
  file('index.js', textOf(whole)),
  file('browser.js', textOf(small)),
  ...declarations(),
  file('README.md', await readFile(join(home, 'README.md'), 'utf8')),
  file('LICENSE', await readFile(join(root, 'LICENSE'), 'utf8')),
  file(NOTICES, notices(packages, [])),
  file(SBOM, `${JSON.stringify(await sbom(manifest, packages), null, 2)}\n`),
]);
