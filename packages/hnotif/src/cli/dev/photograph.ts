import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The names of Chromium and its relatives, by system. */
const BROWSERS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const FLAGS = [
  '--headless=new',
  '--disable-gpu',
  '--hide-scrollbars',
  '--force-device-scale-factor=2',
  // Chromium has no sandbox for root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** The page is local, and does nothing (milliseconds). */
const TIMEOUT_MS = 60_000;

/** There is no Chromium, or it does not work. The message is for people, with the remedy. */
export class NoPicture extends Error {}

/** A page as a PNG, made by Chromium: as wide as told (CSS pixels), and as high as its `main`. Throws a `NoPicture`. */
export async function photograph(html: string, width: number): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-picture-'));
  try {
    const page = join(folder, 'page.html');
    const picture = join(folder, 'page.png');
    const measure =
      '<script>document.documentElement.dataset.height = Math.ceil(document.querySelector("main").getBoundingClientRect().bottom)</script>';
    // The page itself runs nothing: its policy is taken off for the one script that measures it.
    await writeFile(page, html.replace(/<meta http-equiv=.*\n/, '') + measure);
    const url = pathToFileURL(page).href;
    const common = [...FLAGS, `--user-data-dir=${join(folder, 'profile')}`];
    const dom = await chromium([...common, `--window-size=${width},400`, '--dump-dom', url]);
    const height = /data-height="(\d+)"/.exec(dom)?.[1];
    if (height === undefined)
      throw new NoPicture('Chromium could not show the page: try another version of it');
    await chromium([...common, `--window-size=${width},${height}`, `--screenshot=${picture}`, url]);
    return await readFile(picture);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What the first Chromium that is there prints. */
async function chromium(args: readonly string[]): Promise<string> {
  for (const browser of BROWSERS)
    try {
      return (await run(browser, args, { timeout: TIMEOUT_MS })).stdout;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT')
        throw new NoPicture(`${browser} failed (${String(code)}): run it by hand to see why`);
    }
  throw new NoPicture('no Chromium was found: install chromium or Google Chrome, so that it is in PATH');
}
