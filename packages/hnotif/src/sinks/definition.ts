import type { Verdict } from '@hnotif/judges';
import { EMPTY_OUTPUT, isBlank } from './chat-message.ts';
import type { Reading } from '../render/doubtful-output.ts';
import type { EventKind } from '../resources/kinds.ts';
import type { ConfigReading } from './config.ts';
import type { SinkSettings } from './deps.ts';
import type { ReadySink } from './sink.ts';
import type { Origin } from './value-at.ts';

/** How to check the output of a template. Each type of sink uses what concerns it. */
export interface OutputRules {
  /** Teamchat; undefined: `json` where the output begins as JSON does. */
  readonly format?: 'text' | 'json' | undefined;
  /** Botchat. */
  readonly parseMode: 'HTML' | 'MarkdownV2';
}

export type SinkReading =
  /** `notes` name accepted fields without effect, for the condition's message. */
  | { readonly ok: true; readonly sink: ReadySink; readonly notes: readonly string[] }
  /** One text per problem: the field, what is wrong, what to do; never a value. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** The notes on a valid configuration, and what of it is not valid now (milliseconds since the epoch) or for no event. */
export const notesAt = (
  { notes, sink }: Pick<Extract<SinkReading, { ok: true }>, 'notes' | 'sink'>,
  now: number,
  onEvents: readonly EventKind[],
): readonly string[] => [
  ...notes,
  ...(sink.invalidAt?.(now) ?? []),
  ...[...(sink.broadcasts ?? [])]
    .filter((kind) => !onEvents.includes(kind))
    .map((kind) => `broadcast: ${kind} has no effect: it is not in onEvents`),
];

/** Other keys of a sink's secret, and their texts. A key that the secret does not have is absent. */
export type SecretFiles = Readonly<Record<string, string>>;

/** A type of sink. Its folder exports one, and `SINKS` lists it. */
export interface SinkDefinition {
  /** The shortest configuration. */
  readonly example: string;
  /** What users call the receiver. */
  readonly receiver: string;
  /** Reads the JSON of a sink's secret, which is an object, and the `files` beside it. */
  readonly read: (json: unknown, settings: SinkSettings, files: SecretFiles) => SinkReading;
  /** The other keys of the secret that it reads. Default: none. */
  readonly files?: readonly string[];
  /**
   * Whether the receiver drops a duplicate message by its id. If not, the end of a delivery is written to the journal within
   * milliseconds, which costs more writes.
   */
  readonly dropsRepeats: boolean;
  /** Whether messages have a rate limit. If not, a healthy receiver may get thousands of messages of a plan at once. */
  readonly isRateLimited: boolean;
  /** Whether built-in messages have the links that annotations name. */
  readonly showsLinks: boolean;
  /** What the receiver does with the body of a request, as far as it is known. `origin`: undefined if the template is not known. */
  readonly judge: (body: object, origin?: Origin) => Verdict;
  /** What happens to the output of a template. */
  readonly judgeOutput: (output: string, rules: OutputRules, origin?: Origin) => OutputJudgement;
}

export interface OutputJudgement {
  /** Why it is no message, and what would be sent instead; undefined: it is one. */
  readonly problem?: string | undefined;
  /** What the receiver does with it. */
  readonly verdict: Verdict;
  /** How readers see it. */
  readonly reading: Reading;
}

/** Why an empty output is not sent; undefined: it is not empty. */
export const emptyOutput = (output: string): string | undefined =>
  isBlank(output) ? EMPTY_OUTPUT : undefined;

export function sinkOf<Config>(
  reading: ConfigReading<Config>,
  make: (config: Config) => ReadySink,
): SinkReading {
  return reading.ok ? { ok: true, sink: make(reading.config), notes: reading.notes } : reading;
}
