/**
 * `npm run bench`: bundles the benchmark, like a program that uses the package, and runs it. The transpiler that runs the
 * sources names each closure when it is created, which would distort the results.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, build } from 'esbuild';

/** Keeps the original path of each source, so it finds the files in its folder. */
const inPlace: Plugin = {
  name: 'in-place',
  setup(builder) {
    builder.onLoad({ filter: /packages\/gotemplate\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        contents: text.replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
        loader: 'ts',
      };
    });
  },
};

const folder = await mkdtemp(join(tmpdir(), 'gotemplate-bench-'));
try {
  const outfile = join(folder, 'bench.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'bench.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
    plugins: [inPlace],
  });
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
