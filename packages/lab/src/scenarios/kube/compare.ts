import type { Seen } from './case.ts';

/** The outcome of a case on a plane. */
export type Outcome =
  | { readonly kind: 'done'; readonly seen: readonly Seen[] }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'skipped'; readonly why: string };

export type Outcomes = ReadonlyMap<string, Outcome>;

export interface Difference {
  readonly case: string;
  readonly embedded: string;
  readonly real: string;
}

/** All differences, in the order of the cases. */
export function differencesOf(embedded: Outcomes, real: Outcomes): readonly Difference[] {
  return [...new Set([...embedded.keys(), ...real.keys()])].flatMap((name) => {
    const [one, other] = [seenOf(embedded.get(name)), seenOf(real.get(name))];
    return [...new Set([...one.keys(), ...other.keys()])]
      .filter((what) => one.get(what) !== other.get(what))
      .map((what) => ({
        case: what === '' ? name : `${name}: ${what}`,
        embedded: one.get(what) ?? '–',
        real: other.get(what) ?? '–',
      }));
  });
}

function seenOf(outcome: Outcome | undefined): ReadonlyMap<string, string> {
  if (outcome === undefined) return new Map();
  if (outcome.kind === 'done') return new Map(outcome.seen);
  return new Map([['', `${outcome.kind}: ${outcome.why}`]]);
}

/** A table in Markdown. */
export function tableOf(differences: readonly Difference[]): string {
  if (differences.length === 0) return 'Nothing differed.';
  const rows = [
    ['case', 'embedded', 'real'],
    ['---', '---', '---'],
    ...differences.map((row) => [row.case, row.embedded, row.real].map(cell)),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
