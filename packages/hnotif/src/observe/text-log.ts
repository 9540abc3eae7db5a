import type { DestinationStream } from 'pino';
import { styleText } from 'node:util';

type Style = (text: string, style: 'dim' | 'red' | 'yellow' | 'cyan' | 'bold') => string;

const LEVEL_STYLES: Readonly<Record<string, 'dim' | 'red' | 'yellow' | 'cyan'>> = {
  trace: 'dim',
  debug: 'dim',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
};

export interface TextDestination {
  readonly isTTY?: boolean | undefined;
  write(line: string): unknown;
}

/** Makes readable lines from pino's JSON lines. They have colours only on a terminal. */
export function textStream(destination: TextDestination): DestinationStream {
  const { NO_COLOR = '', TERM } = process.env;
  const colour = destination.isTTY === true && NO_COLOR === '' && TERM !== 'dumb';
  const style: Style = colour
    ? (text, name) => styleText(name, text, { validateStream: false })
    : (text) => text;
  return {
    write(line) {
      destination.write(`${textLine(JSON.parse(line) as Record<string, unknown>, style)}\n`);
    },
  };
}

/** `20:00:01.123 warn  sink is not ready  notification=team-a/night sink=ops` */
function textLine(record: Readonly<Record<string, unknown>>, style: Style): string {
  const { time, level, msg, err, ...fields } = record;
  const word = String(level);
  const clock = String(time).slice(11, 23);
  const head = [
    style(clock, 'dim'),
    style(word.padEnd(5), LEVEL_STYLES[word] ?? 'cyan'),
    style(typeof msg === 'string' ? oneLine(msg) : '', 'bold'),
  ];
  const tail = Object.entries(fields).map(([key, value]) => `${style(`${key}=`, 'dim')}${textOf(value)}`);
  const stack = typeof err === 'object' && err !== null ? errorLines(err, 1) : [];
  return [head.join(' '), ...(tail.length > 0 ? ['  ', tail.join(' ')] : []), ...stack].join('');
}

function errorLines(error: object, depth: number): string[] {
  const { type, message, stack, cause } = error as Record<string, unknown>;
  const text = typeof stack === 'string' ? stack : `${String(type)}: ${String(message)}`;
  const lines = text.split('\n').map((line) => `\n${'  '.repeat(depth)}${oneLine(line)}`);
  return typeof cause === 'object' && cause !== null ? [...lines, ...errorLines(cause, depth + 1)] : lines;
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) ? oneLine(text) : JSON.stringify(text);
}

/** Texts of plans and receivers must not forge lines or control the terminal. */
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
