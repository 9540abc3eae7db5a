/**
 * Where a worker thread's bundled code is: `name` of `dist`. Node loads no TypeScript in a worker thread, so the sources
 * start the bundled one, too.
 */
export const bundledWorker = (name: string): URL =>
  new URL(import.meta.url.endsWith('.ts') ? `../dist/${name}` : `./${name}`, import.meta.url);
