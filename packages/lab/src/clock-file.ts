import { renameSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A script that shifts the wall clock of its process and threads. The shift is the present content of a file (milliseconds). */
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

/** The shifted wall clock of one process. The monotonic clock is not changed. */
export class ClockFile {
  /** The environment variables of the process. */
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

  /** From now on the clock is ahead by this time (milliseconds). */
  turn(turnedBy: number): void {
    // Atomic: the process must not read half a file.
    writeFileSync(`${this.#file}.new`, String(turnedBy));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
