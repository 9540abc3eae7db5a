/** The one script of the playground: the page and, where there is no document, its worker. */
if (typeof document === 'undefined') void import('./worker.ts');
else void import('./playground.tsx');
