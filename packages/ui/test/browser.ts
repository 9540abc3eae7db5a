import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** The names of Chromium and its relatives. The first has no windows, tabs and extensions: the same pages cost half of the CPU in its main process. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The first browser in `PATH`; undefined: there is none. */
const CHROMIUM = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(canRun);

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why tests in a browser are skipped; `''` when they are not. */
export const NO_BROWSER = CHROMIUM === undefined ? 'Chromium is not installed' : '';

/** Starts the browser. It has no access to anything but the loopback. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...['--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
      // One process for all pages: each new one would compile the scripts anew.
      ...['--process-per-site', '--renderer-process-limit=1', '--disable-site-isolation-trials'],
    ],
    // Chromium has no sandbox for root.
    chromiumSandbox: process.getuid?.() !== 0,
  });
}
