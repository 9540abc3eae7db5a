import type { Stage } from './stage.ts';

/** Something that a case found out, and what it was on this plane. */
export type Seen = readonly [what: string, value: string];

export interface Case {
  /** Also the end of its namespace's name. */
  readonly name: string;
  /** @throws when it is not as it has to be on any API server */
  readonly run: (stage: Stage) => Promise<readonly Seen[]>;
  /** Why it cannot be run here; undefined: it can. */
  readonly skipped?: (stage: Stage['ground']) => string | undefined;
}
