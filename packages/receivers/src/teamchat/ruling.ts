import type { Entity } from '@hnotif/judges/slack';
import type { TeamchatMessage } from './message.ts';
import type { Fields } from '@hnotif/judges/slack';

/** A refused request, with Slack's error code. */
export interface Refusal {
  readonly error: string;
  /** The details, if there are some. */
  readonly errors: readonly string[];
  readonly entities: readonly Entity[];
  /** Seconds; set if there were too many requests. */
  readonly retryAfter?: number;
  /** More fields for the answer's body. */
  readonly more?: Fields;
}

/** A valid request. */
export interface Approval {
  readonly error: undefined;
  /** Whether it posts or changes a message. */
  readonly takes: boolean;
  readonly warnings: readonly string[];
  readonly entities: readonly Entity[];
  /** Carries out the request: changes the messages in the channels. */
  act(): { readonly body: Fields; readonly message?: TeamchatMessage };
}

export type Ruling = Refusal | Approval;

export function refuse(error: string, more: Partial<Refusal> = {}): Refusal {
  return { error, errors: [], entities: [], ...more };
}

export function reading(body: () => Fields): Approval {
  return { error: undefined, takes: false, warnings: [], entities: [], act: () => ({ body: body() }) };
}
