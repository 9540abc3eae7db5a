import { groupedBy } from '@hnotif/core/grouped-by';
import type { Cell } from './cells.ts';
import type { Outcome, Told } from './outcomes.ts';
import type { Logger } from 'pino';
import { createLog } from '../../../../hnotif/src/observe/log.ts';
import { textStream } from '../../../../hnotif/src/observe/text-log.ts';
import { canariesIn } from './canary.ts';

type Words = (id: string, reason: string) => readonly string[];

const NOTICED: Partial<Readonly<Record<Surface, Words>>> = {
  log: (id, reason) => [`"sink":"${id}"`, `"reason":"${reason}"`, 'message degraded'],
  'text log': (id, reason) => [`sink=${id} `, `reason=${reason} `, 'message degraded'],
  metrics: (id, reason) => [`sink="${id}",`, `reason="${reason}"`],
  status: (id) => [`MessagesDegraded: sink ${id}: `],
  Events: (id, reason) => [`"reason":"${reason}"`, `sink ${id}: `],
};

/** Where what became of a cell's delivery is told by its sink's name and the reason. */
const TOLD: Readonly<Record<Told, Partial<Readonly<Record<Surface, Words>>>>> = {
  failure: {
    log: (id, reason) => [`"sink":"${id}"`, `"reason":"${reason}"`],
    'text log': (id, reason) => [`sink=${id} `, `reason=${reason} `],
    metrics: (id, reason) => [`sink="${id}",`, `reason="${reason}"`],
    status: (id, reason) => [`"name":"${id}"`, `"reason":"${reason}"`],
    Events: (id, reason) => [`sink ${id}: ${reason}: `],
  },
  notice: NOTICED,
  // The next message that arrives ends it.
  'brief notice': { ...NOTICED, status: (id) => [`"name":"${id}"`] },
  // Nothing has happened yet.
  doubt: { status: NOTICED.status },
  // It has not failed.
  pause: {
    log: (id, reason) => [`"sink":"${id}"`, `"reason":"${reason}"`, '"outcome":"throttled"'],
    'text log': (id, reason) => [`sink=${id} `, `reason=${reason} `, 'outcome=throttled'],
    status: (id, reason) => [`"name":"${id}"`, `"reason":"${reason}"`],
  },
};

/** The cells that nothing was seen of, and where. */
export function missing(shown: Shown, cells: readonly Cell[]): { id: string; what: string }[] {
  const surfaces = ['log', 'text log', 'metrics', 'status', 'Events'] as const;
  return surfaces.flatMap((surface) => {
    const texts = byCell(unitsOf(shown, surface));
    const ends = byCell(shown.of('log').filter((line) => ENDS[surface]?.test(line) === true));
    return cells.flatMap(({ id, mode, outcome }) => {
      const words = TOLD[outcome.told ?? 'failure'][surface]?.(id, outcome.reason);
      if (words === undefined) return [];
      if (
        ENDS[surface] !== undefined &&
        (outcome.told ?? 'failure') === 'failure' &&
        !tells(ends.get(id), outcome)
      )
        return [];
      const told = texts.get(id)?.some((text) => words.every((word) => text.includes(word))) === true;
      const what = `${mode.name} × ${outcome.name} (${outcome.reason}) × ${surface}`;
      return told ? [] : [{ id, what }];
    });
  });
}

/** What waits with its sink has not failed: metrics and Events surely have the reasons of failures alone. */
const FAILED = /"msg":"delivery failed"/;
const ENDS: Partial<Readonly<Record<Surface, RegExp>>> = { metrics: FAILED, Events: FAILED };

const tells = (lines: readonly string[] | undefined, { reason }: Outcome): boolean =>
  lines?.some((line) => line.includes(`"reason":"${reason}"`)) === true;

/** The single pieces in which a surface tells of sinks. */
function unitsOf(shown: Shown, surface: Surface): string[] {
  const texts = shown.of(surface);
  if (surface === 'metrics') return texts.slice(-1).flatMap((text) => text.split('\n'));
  return surface === 'status' ? texts.flatMap(rowsOf) : texts;
}

/** What names the sink of a cell, by its name. */
const byCell = (texts: readonly string[]): ReadonlyMap<string | undefined, string[]> =>
  groupedBy(texts, (text) => /(?:"(?:sink|name)":"|sink="?|sink )(c\d+)\b/.exec(text)?.[1]);

interface Status {
  readonly sinks?: readonly object[];
  readonly conditions?: readonly { readonly reason: string; readonly message: string }[];
}

/** The rows of sinks in a status, and what its condition says of each. */
function rowsOf(status: string): string[] {
  const { sinks = [], conditions = [] } = JSON.parse(status) as Status;
  return [
    ...sinks.map((row) => JSON.stringify(row)),
    ...conditions.flatMap(({ reason, message }) => message.split('; ').map((text) => `${reason}: ${text}`)),
  ];
}

/** Where people and machines look. */
const SURFACES = ['log', 'text log', 'metrics', 'status', 'Events', 'journals', 'health'] as const;
type Surface = (typeof SURFACES)[number];

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
