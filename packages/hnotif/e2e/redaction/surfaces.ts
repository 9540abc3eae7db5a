import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { createLog } from '../../src/observe/log.ts';
import { textStream } from '../../src/observe/text-log.ts';
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
    const text = textStream(
      new Writable({
        write: (line, _, done) => {
          this.add('text log', String(line));
          done();
        },
      }),
    );
    return createLog({
      format: 'json',
      level: 'trace',
      destination: new Writable({
        decodeStrings: false,
        write: (line: string, _, done) => {
          this.add('log', line);
          text.write(line);
          done();
        },
      }),
    });
  }
}

/** Follows a collection of the API server, and shows each version of each object. */
export async function follow(
  url: string,
  show: (object: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(`${url}?watch=true&timeoutSeconds=600`, { signal });
  if (response.body === null) throw new Error(`${url}: the watch has no body`);
  const { body } = response;
  void (async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) show(line);
    }
  })().catch(() => undefined); // It ends by the signal.
}
