import type { Stage } from './stage.ts';

interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

/** The parts of an answer that all servers share: `201`, or the code, the reason, and the causes with their fields. */
export function answerOf({ code, body }: { readonly code: number; readonly body: unknown }): string {
  if (code < 300) return String(code);
  const { reason = '', message = '', details } = body as Status;
  const causes = (details?.causes ?? []).map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`);
  // A real server repeats some causes. kubectl does not show the repetitions.
  const all = [...new Set(causes)].sort();
  return [code, reason, ...(all.length > 0 ? [all.join('; ')] : [message])].join(' ');
}

/** The outcome of a case on a plane. */
export type Outcome =
  | { readonly kind: 'done'; readonly seen: readonly Seen[] }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'skipped'; readonly why: string };

type Outcomes = ReadonlyMap<string, Outcome>;

interface Difference {
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

/** An observation of a case, and its result on this plane. */
export type Seen = readonly [what: string, value: string];

export interface Case {
  /** Also the suffix of its namespace. */
  readonly name: string;
  readonly about: string;
  /** @throws when the result is wrong for any API server */
  readonly run: (stage: Stage) => Promise<readonly Seen[]>;
  /** Why it cannot run here; undefined: it can. */
  readonly skipped?: (stage: Stage['ground']) => string | undefined;
}
