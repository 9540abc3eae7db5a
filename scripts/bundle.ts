/**
 * Bundles the command line: `dist/hnotif.mjs` is the service; `dist/dev.mjs` is the `dev` command with the
 * embedded control plane and the receiver simulators, loaded only by `hnotif dev` and left out of the image.
 */
import { build } from 'esbuild';
import { rm } from 'node:fs/promises';

const dist = 'packages/hnotif/dist';
export async function bundle(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await build({
    entryPoints: { hnotif: 'packages/hnotif/src/cli/main.ts', dev: 'packages/hnotif/src/cli/dev/dev.ts' },
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    logLevel: 'warning',
    // The dependencies that are CommonJS ask for Node's own modules with require().
    banner: {
      js: "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);",
    },
  });
}
