import type { Stage } from './stage.ts';

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
