import type { Verdict } from '@hnotif/judges';
import type { ZodObject } from 'zod';
import { EMPTY_OUTPUT, isBlank } from './chat-message.ts';
import type { Reading } from '../render/doubtful-output.ts';
import type { EventKind } from '../resources/kinds.ts';
import type { ConfigReading } from './config.ts';
import type { SinkSettings } from './deps.ts';
import type { HookAnswers } from './hook-answers.ts';
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

/** The chats whose look is known: `@hnotif/receivers/view` has a drawing for each. */
export type ChatLook = 'teamchat' | 'botchat' | 'msteams';

/** How the page, the editor and pictures show the messages of a sink. */
export type Preview =
  /** As the chat draws them. */
  | { readonly chat: ChatLook }
  /** As text. `textOf` reads it from a request's body; undefined: the body has none. `label`: what the text is, for people. */
  | {
      readonly chat: undefined;
      readonly label: string;
      readonly textOf: (body: Readonly<Record<string, unknown>>) => string | undefined;
    };

/** A type of sink. Its folder exports one, and `SINKS` lists it. */
export interface SinkDefinition {
  /** The fields of the configuration. */
  readonly schema: ZodObject;
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
  /** Whether `judge` knows the rules of the receiver. If not, a message without faults may still be refused. */
  readonly knowsRules: boolean;
  /** What happens to the output of a template. */
  readonly judgeOutput: (output: string, rules: OutputRules, origin?: Origin) => OutputJudgement;
  /** The longest text of a message (UTF-16 units); undefined: there is no limit of the sink's own. */
  readonly longestText: number | undefined;
  readonly preview: Preview;
  /**
   * The answers of a chat with one address and no other protocol than HTTP statuses: docs and tests are made from them. Undefined: the sink
   * has tables of its own.
   */
  readonly hook?: HookAnswers;
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
