import type { Logger } from 'pino';
import { createLog } from '../../../../hnotif/src/observe/log.ts';
import { textStream } from '../../../../hnotif/src/observe/text-log.ts';
import { canariesIn } from './canary.ts';

/** Where people and machines look. */
export const SURFACES = ['log', 'text log', 'metrics', 'status', 'Events', 'journals', 'health'] as const;
export type Surface = (typeof SURFACES)[number];

/** Everything that came to light, by surface, in the order in which it did. */
export class Shown {
  readonly #shown = new Map<Surface, string[]>(SURFACES.map((surface) => [surface, []]));
  #count = 0;

  /** How much there is. */
  get count(): number {
    return this.#count;
  }

  add(surface: Surface, text: string): void {
    this.#count++;
    this.of(surface).push(text);
  }

  of(surface: Surface): string[] {
    const shown = this.#shown.get(surface);
    if (shown === undefined) throw new Error(`there is no surface ${surface}`);
    return shown;
  }

  /** Each text that shows a canary, with the surface and what was seen. */
  leaks(): string[] {
    return SURFACES.flatMap((surface) =>
      [...new Set(this.of(surface))].flatMap((text) => {
        const found = canariesIn(text);
        return found.length === 0 ? [] : [`${surface}: ${found.join(' ')} in ${text.slice(0, 1_500)}`];
      }),
    );
  }

  /** A log of all levels, which shows itself in both forms. */
  log(): Logger {
    const text = textStream({ write: (line) => this.add('text log', line) });
    const write = (line: string): void => {
      this.add('log', line);
      text.write(line);
    };
    return createLog({ format: 'json', level: 'trace', destination: { write } });
  }
}
