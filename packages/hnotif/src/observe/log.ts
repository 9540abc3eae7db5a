import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { plainError } from './plain-error.ts';
import { textStream, type TextDestination } from './text-log.ts';

export interface LogOptions {
  /** `json`: one line of JSON for each message, for machines. `text`: a readable line, for terminals. */
  readonly format: 'json' | 'text';
  /** Lowest level that is written: trace, debug, info, warn, error, fatal or silent. */
  readonly level: string;
  /** Where lines go; default: standard error. */
  readonly destination?: LogDestination;
  /** Called for each line that could not be written, for example when the disk is full. Logging continues. */
  readonly lost?: () => void;
}

/** The part of a stream that a log uses. */
export interface LogDestination {
  readonly isTTY?: boolean | undefined;
  write(line: string, done: (error?: Error | null) => void): unknown;
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * The log. A JSON line has `time` (RFC 3339, UTC), `level` (its name), `msg`, and fields of the message: `plan`,
 * `notification` (both namespace/name), `sink`, `event`, `reason`, `err`. Only type, message, code, stack and causes of an error are
 * written, because libraries attach requests with their headers to errors.
 */
export function createLog({ format, level, destination = process.stderr, lost }: LogOptions): Logger {
  const lines: TextDestination = {
    isTTY: destination.isTTY,
    write(line) {
      destination.write(line, (error) => {
        if (error) lost?.();
      });
    },
  };
  const stream: DestinationStream = format === 'text' ? textStream(lines) : lines;
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: plainError, error: plainError },
    },
    stream,
  );
}
