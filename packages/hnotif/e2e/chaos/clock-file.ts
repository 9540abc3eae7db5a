import { renameSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Turns the wall clock of the process in which it is loaded, threads included, by what a file says now (milliseconds). */
const TURNING = `import { readFileSync } from 'node:fs';
const file = process.env.CHAOS_CLOCK;
const Real = globalThis.Date;
let readAt = -Infinity;
let turnedBy = 0;
const now = () => {
  const at = performance.now();
  if (at - readAt > 50) {
    readAt = at;
    try {
      turnedBy = Number(readFileSync(file, 'utf8'));
    } catch {}
  }
  return Real.now() + turnedBy;
};
globalThis.Date = class Date extends Real {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};
`;

/** The wall clock of one process of its own: its monotonic clock goes on as it did. */
export class ClockFile {
  /** What the process has to be started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly #file: string;

  private constructor(script: string, file: string) {
    this.#file = file;
    this.env = { NODE_OPTIONS: `--import=${pathToFileURL(script).href}`, CHAOS_CLOCK: file };
  }

  /** `turnedBy`: milliseconds. */
  static async make(folder: string, name: string, turnedBy: number): Promise<ClockFile> {
    const script = join(folder, 'clock.mjs');
    await writeFile(script, TURNING);
    const clock = new ClockFile(script, join(folder, `clock-${name}`));
    clock.turn(turnedBy);
    return clock;
  }

  /** By so much it is ahead of the others from now on (milliseconds). */
  turn(turnedBy: number): void {
    // A process never reads half of it.
    writeFileSync(`${this.#file}.new`, String(turnedBy));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
