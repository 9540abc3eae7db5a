import type { Entity } from './entities.ts';
import type { TeamchatMessage } from './message.ts';
import type { Fields } from './shape.ts';

/** A request refused, in Slack's word for it. */
export interface Refusal {
  readonly error: string;
  /** The details, where there are some. */
  readonly errors: readonly string[];
  readonly entities: readonly Entity[];
  /** Seconds; set where there were too many requests. */
  readonly retryAfter?: number;
  /** More fields for the answer's body. */
  readonly more?: Fields;
}

/** A request in order. */
export interface Approval {
  readonly error: undefined;
  /** Whether it brings a message, or changes one. */
  readonly takes: boolean;
  readonly warnings: readonly string[];
  readonly entities: readonly Entity[];
  /** Does what was asked for: changes what is in the channels. */
  act(): { readonly body: Fields; readonly message?: TeamchatMessage };
}

export type Ruling = Refusal | Approval;

export function refuse(error: string, more: Partial<Refusal> = {}): Refusal {
  return { error, errors: [], entities: [], ...more };
}

export function reading(body: () => Fields): Approval {
  return { error: undefined, takes: false, warnings: [], entities: [], act: () => ({ body: body() }) };
}
