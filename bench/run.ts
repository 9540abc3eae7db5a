/**
 * Runs benchmarks: `npm run bench [name…]`, all of them by default. Each is bundled as the service is and runs in a
 * process of its own, so that none is measured through a loader or beside another's garbage. A benchmark prints its
 * figures and says beside each aim whether it was met; a missed aim is no failure, since machines differ.
 */
import { spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { build } from 'esbuild';

const BENCHMARKS = ['submit', 'sinks', 'journal', 'endless-template', 'scale', 'neighbours', 'flood'];

const OUT = 'node_modules/.cache/hnotif-bench';

const names = process.argv.slice(2);
if (names.includes('--help') || names.includes('-h')) {
  console.log(`usage: npm run bench -- [NAME...]\n  NAME  ${BENCHMARKS.join(', ')} (default: all)`);
  process.exit(0);
}
const unknown = names.filter((name) => !BENCHMARKS.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark named ${unknown.join(', ')}; there are: ${BENCHMARKS.join(', ')}`);
  process.exit(2);
}

await rm(OUT, { recursive: true, force: true });
// What the service reads and starts beside its bundle: the built-in templates, the worker of custom ones.
await cp('packages/hnotif/dist', OUT, { recursive: true });
await build({
  entryPoints: [...BENCHMARKS, 'sink-process', 'scale-probe', 'journal-cluster'].map(
    (name) => `bench/${name}.ts`,
  ),
  outdir: OUT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  // The dependencies that are CommonJS ask for Node's own modules with require().
  banner: {
    js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);",
  },
  logLevel: 'warning',
});

for (const name of names.length > 0 ? names : BENCHMARKS) {
  console.log(`# ${name}`);
  const child = spawn(process.execPath, ['--enable-source-maps', `${OUT}/${name}.mjs`], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}
