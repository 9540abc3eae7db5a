import { format, inspect } from 'node:util';
import { serialize } from 'node:v8';
import { createLog } from '../../../../hnotif/src/observe/log.ts';
import { canariesIn } from './canary.ts';

/** Whatever anybody may print of a value, by accident too. */
export function everythingOf(value: unknown): string {
  const deep = { depth: Infinity, showHidden: true, maxStringLength: Infinity, maxArrayLength: Infinity };
  return [
    String(value),
    inspect(value, deep),
    inspect(value, { ...deep, customInspect: false }),
    ...['%s', '%j', '%o', '%O', '%d'].map((how) => format(how, value)),
    inJson(value),
    ...inClone(value),
    ...propertiesOf(value),
    ...logged(value),
  ].join('\n');
}

/** What of a value shows a canary, with the place; empty: nothing does. */
export function leaksOf(what: string, value: unknown): string[] {
  const text = everythingOf(value);
  const found = canariesIn(text);
  return found.length === 0 ? [] : [`${what}: ${found.join(' ')} in ${text.slice(0, 600)}`];
}

function inJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** What another thread would be given. */
function inClone(value: unknown): string[] {
  try {
    return [inspect(structuredClone(value), { depth: Infinity }), serialize(value).toString('latin1')];
  } catch {
    return [];
  }
}

/** Of an object all that can be asked of it, and of what caused it. */
function propertiesOf(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > 5) return [String(value)];
  return Reflect.ownKeys(value).flatMap((key) => [
    String(key),
    ...propertiesOf(Reflect.get(value, key), depth + 1),
  ]);
}

/** As the log writes it, in both forms. */
function logged(value: unknown): string[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  for (const form of ['json', 'text'] as const) {
    const log = createLog({ format: form, level: 'trace', destination });
    log.error({ err: value }, 'failed');
    log.error({ value }, 'failed');
  }
  return lines;
}
