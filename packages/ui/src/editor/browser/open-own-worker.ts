/** In the place of `open-worker.ts` where the page is one file. Browsers start no worker from a file, so the worker runs the script of the page. */
const script = document.querySelector('script')?.textContent ?? '';
const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));

export const openWorker = (): Worker => new Worker(address);
