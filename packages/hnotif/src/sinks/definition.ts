import { isBlank } from './chat-message.ts';
import type { ConfigReading } from './config.ts';
import type { SinkSettings } from './deps.ts';
import type { ReadySink } from './sink.ts';

/** What the output of a template is judged by; each type of sink takes what concerns it. */
export interface OutputRules {
  /** Teamchat; undefined: `json` where the output begins as JSON does. */
  readonly format?: 'text' | 'json' | undefined;
  /** Botchat. */
  readonly parseMode: 'HTML' | 'MarkdownV2';
  /** Why Slack would refuse these blocks; undefined: it takes them. */
  readonly refusalOfBlocks: (message: object) => string | undefined;
}

export type SinkReading =
  /** `notes` are for the condition's message: what was accepted and has no effect. */
  | { readonly ok: true; readonly sink: ReadySink; readonly notes: readonly string[] }
  /** One text for each fault: the field, what is wrong, what to do; never a value. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** A type of sink: all that the rest of hnotif asks of it. Its folder exports one, and `SINKS` lists it. */
export interface SinkDefinition {
  /** From the JSON of the sink's secret to a sink that can send. */
  readonly read: (json: unknown, settings: SinkSettings) => SinkReading;
  /**
   * Whether the receiver can drop a message that comes twice, by its id. If not, people would read it twice: the end of a delivery is
   * then written to the journal within milliseconds, at the price of more writes.
   */
  readonly dropsRepeats: boolean;
  /** Whether built-in messages have the links that annotations name. */
  readonly showsLinks: boolean;
  /** Why the output of a template would not be sent as it is, or would be refused; undefined: neither. */
  readonly outputProblem: (output: string, rules: OutputRules) => string | undefined;
}

/** Why an output that shows nothing is not sent; undefined: it shows something. */
export const emptyOutput = (output: string): string | undefined =>
  isBlank(output) ? 'the output is empty, which no chat takes: plain text would be sent' : undefined;

/** The sink of a configuration that could be read. */
export function sinkOf<Config>(
  reading: ConfigReading<Config>,
  make: (config: Config) => ReadySink,
): SinkReading {
  return reading.ok ? { ok: true, sink: make(reading.config), notes: reading.notes } : reading;
}
