/**
 * Where a file or folder of `dist` is: the code of a worker thread, or the page. Node loads no TypeScript in a worker thread, so the sources
 * start the bundled one, too.
 */
export const bundled = (name: string): URL =>
  new URL(import.meta.url.endsWith('.ts') ? `../dist/${name}` : `./${name}`, import.meta.url);
