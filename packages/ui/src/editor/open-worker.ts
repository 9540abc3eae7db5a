/** The worker is a file beside the script of the page. */
export const openWorker = (): Worker => new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
