import type { SinkAddress } from '../resources/sink-address.ts';
import type { Poster } from '../requests/poster.ts';
import type { Answer } from '../requests/reply.ts';
import type { TlsConfig } from '../requests/tls-files.ts';
import type { Degradation } from './degradation.ts';
import type { Outcome } from './outcome.ts';
import { outcomeOfFailure } from './outcome-table.ts';
import { ABORTED, type Attempt, type Delivery, type MadeMessage, type Progress } from './sink.ts';

/** The forms of a message, each plainer than the one before: a receiver that refuses one gets the next. */
export const FALLBACK_LEVELS = { custom: 0, builtin: 1, plain: 2 } as const;

/** The next request of the delivery is not a retry: it has retries of its own. */
export const CONTINUE_ANEW: Outcome = { kind: 'continue', anew: true };

/** A message as a sink makes it. */
export interface Message<T extends object = object> extends MadeMessage {
  readonly content: T;
  /** Its fallback level: not the one asked for where a custom template has failed. */
  readonly level: number;
  /** It is reported when the message has arrived. */
  readonly degradation: Degradation | undefined;
}

/** What differs from one receiver to the next. */
export interface Protocol<T extends object = object> {
  readonly url: URL;
  /** A client certificate, and authorities to trust. Default: none of its own. */
  readonly tls?: TlsConfig | undefined;
  /** Texts to remove from everything that the receiver says. */
  readonly credentials: readonly string[];
  readonly headers: (body: string, delivery: Delivery) => Readonly<Record<string, string>>;
  /** May throw or reject: the next level is then tried. */
  readonly makeMessage: (
    delivery: Delivery,
    level: number,
    signal: AbortSignal,
  ) => Message<T> | Promise<Message<T>>;
  /** The table of answers. */
  readonly outcomeOf: (answer: Answer, message: Message<T>) => Outcome;
  /** What the user should know about a success. Default: nothing. */
  readonly degradationOf?: (answer: Answer, message: Message<T>) => Degradation | undefined;
}

/** The `deliver` of a sink. One request of a delivery: makes the message, waits for a slot, posts, and reads the answer. */
export const sender =
  <T extends object>(
    protocol: Protocol<T>,
    { transport, address }: { readonly transport: Poster; readonly address: SinkAddress },
  ) =>
  async (delivery: Delivery, attempt: Attempt): Promise<Outcome> => {
    const { url, credentials, tls } = protocol;
    const { progress } = delivery;
    const { signal } = attempt;
    const { message, body, degradation } = await makeMessage(protocol, delivery, signal);
    if (!(await attempt.slot())) return ABORTED;
    const headers = protocol.headers(body, delivery);
    const reply = await transport.post({ url, tls, owner: address.namespace, headers, body, signal });
    if (reply.kind === 'failed') return outcomeOfFailure(reply, credentials);
    attempt.answered?.(reply.status);
    const outcome = protocol.outcomeOf(reply, message);
    if (outcome.kind === 'delivered') {
      for (const each of [degradation, protocol.degradationOf?.(reply, message)])
        if (each !== undefined) attempt.degraded(each);
      reportRefusals(progress, attempt);
    }
    return fallBack(progress, outcome, message.level, FALLBACK_LEVELS.plain);
  };

/** Makes the message at its level. If that fails, a plainer one. */
async function makeMessage<T extends object>(
  protocol: Protocol<T>,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<{
  readonly message: Message<T>;
  readonly body: string;
  readonly degradation: Degradation | undefined;
}> {
  const { progress, template } = delivery;
  const { custom, builtin, plain } = FALLBACK_LEVELS;
  let failure: Degradation | undefined;
  for (let level = Math.max(progress.level, template === undefined ? builtin : custom); ; level++)
    try {
      const message = await protocol.makeMessage(delivery, level, signal);
      return { message, body: JSON.stringify(message.content), degradation: message.degradation ?? failure };
    } catch (error) {
      if (level >= plain) throw error;
      failure ??= makingFailed(error, level === custom ? template?.name : undefined);
    }
}

/** Names the kind of the error only: its text may hold parts of the event. */
function makingFailed(error: unknown, template: string | undefined): Degradation {
  const what = template === undefined ? '' : ` with template ${template}`;
  const kind = error instanceof Error ? error.name : typeof error;
  return {
    reason: 'MessageUnmade',
    message: `no message could be made${what} (${kind}); a plainer one was sent`,
  };
}

/** After a refused message the next request sends a plainer one. At the last level the refusal is the outcome. */
export function fallBack(progress: Progress, outcome: Outcome, level: number, last: number): Outcome {
  if (outcome.kind !== 'rejected-payload') return outcome;
  const { refusals = [] } = progress;
  const [first] = refusals;
  if (level < last) {
    progress.level = level + 1;
    progress.refusals = [...refusals, outcome.message];
    return CONTINUE_ANEW;
  }
  // The first form is the one that the user can correct.
  return first === undefined
    ? outcome
    : { ...outcome, message: `${first}; plainer messages were refused, too` };
}

/** The message has arrived: reports which of its forms the receiver refused before. */
export function reportRefusals({ refusals = [] }: Progress, attempt: Pick<Attempt, 'degraded'>): void {
  for (const why of refusals)
    attempt.degraded({ reason: 'RejectedByReceiver', message: `${why}; a plainer message was sent instead` });
}
