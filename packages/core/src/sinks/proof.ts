import type { DegradationReason } from './degradation.ts';

/** What an answer says about its message. */
export type Arrival = 'arrived' | 'may have arrived' | 'did not arrive';

/** A row of a sink's table of proofs. The documentation is made from it, and tests send each example. */
export interface ProofRow {
  /** The answer, as Markdown. */
  readonly answer: string;
  readonly proves: Arrival;
  /** What hnotif does, as a part of a sentence. */
  readonly then: string;
  /** What is reported about a message that has arrived. */
  readonly degradation?: DegradationReason;
  /** Answers of this row. */
  readonly examples: readonly Example[];
}

/** An answer with a status; `lost`: the receiver has the message, and the connection breaks before an answer. */
export type Example = 'lost' | readonly [status: number, body: string];

export type Proofs = Readonly<Record<string, ProofRow>>;

export const ONCE = 'delivered; never sent again';
export const TABLE = 'as the table of its answers says';
export const REPEATED = 'sent again; the message may be there twice';
export const PAGE = '<!DOCTYPE html><title>Sign in</title>';

/** Of the statuses that come from a gateway, and of no answer at all. The same for every receiver. */
export const unclear = (then: string): ProofRow => ({
  answer: '502, 504, or no answer after the request was written',
  proves: 'may have arrived',
  then,
  examples: [[502, ''], [504, ''], 'lost'],
});

export const refused = (body: string): ProofRow => ({
  answer: 'another status',
  proves: 'did not arrive',
  then: TABLE,
  examples: [
    [302, ''],
    [400, body],
    [429, body],
    [503, ''],
  ],
});
