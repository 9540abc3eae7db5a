import type { Environment } from '@marcbachmann/cel-js';
import { re2 } from '../regex.ts';

/** The name by which rules reach RE2. The expression library's own `matches` has JavaScript's dialect. */
export const matchesFunction = 'matchesRe2';

/**
 * Adds the functions of Kubernetes that the expression library lacks: RE2, and the list and string functions of its CEL libraries.
 * Positions in strings count UTF-16 units, not code points.
 */
export function registerFunctions(environment: Environment): void {
  environment.registerFunction(`string.${matchesFunction}(string): bool`, (text: string, pattern: string) =>
    re2(pattern).test(text),
  );
  environment.registerFunction('string.find(string): string', (text: string, pattern: string) => {
    return matchesOf(text, pattern, 1)[0] ?? '';
  });
  environment.registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => {
    return matchesOf(text, pattern, Infinity);
  });
  environment.registerFunction(
    'string.findAll(string, int): list<string>',
    (text: string, pattern: string, limit: bigint) =>
      matchesOf(text, pattern, limit < 0n ? Infinity : Number(limit)),
  );
  environment.registerFunction('string.charAt(int): string', (text: string, position: bigint) => {
    if (position < 0n || position > BigInt(text.length)) throw new Error(`index out of range: ${position}`);
    return text.charAt(Number(position));
  });
  environment.registerFunction(
    'string.replace(string, string): string',
    (text: string, old: string, replacement: string) => text.split(old).join(replacement),
  );
  environment.registerFunction(
    'string.replace(string, string, int): string',
    (text: string, old: string, replacement: string, limit: bigint) =>
      replaceSome(text, old, replacement, limit),
  );
  registerListFunctions(environment);
}

function matchesOf(text: string, pattern: string, limit: number): string[] {
  const found: string[] = [];
  for (const match of re2(pattern).matchAll(text)) {
    if (found.length >= limit) break;
    found.push(match[0] ?? '');
  }
  return found;
}

function replaceSome(text: string, old: string, replacement: string, limit: bigint): string {
  const parts = text.split(old);
  const times = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  const tail = parts.slice(times + 1);
  return parts.slice(0, times + 1).join(replacement) + tail.map((part) => old + part).join('');
}

type Comparable = bigint | number | string | boolean | Date | { valueOf(): number };

function registerListFunctions(environment: Environment): void {
  const ordered = [
    'int',
    'double',
    'string',
    'bool',
    'google.protobuf.Timestamp',
    'google.protobuf.Duration',
  ];
  for (const type of ordered) {
    environment.registerFunction(`list<${type}>.isSorted(): bool`, (list: Comparable[]) =>
      list.every((item, position) => position === 0 || (list[position - 1] ?? item) <= item),
    );
    environment.registerFunction(`list<${type}>.min(): ${type}`, (list: Comparable[]) =>
      best('min', list, (a, b) => a < b),
    );
    environment.registerFunction(`list<${type}>.max(): ${type}`, (list: Comparable[]) =>
      best('max', list, (a, b) => a > b),
    );
    environment.registerFunction(
      `list<${type}>.indexOf(${type}): int`,
      (list: Comparable[], item: Comparable) =>
        BigInt(list.findIndex((other) => other.valueOf() === item.valueOf())),
    );
    environment.registerFunction(
      `list<${type}>.lastIndexOf(${type}): int`,
      (list: Comparable[], item: Comparable) =>
        BigInt(list.findLastIndex((other) => other.valueOf() === item.valueOf())),
    );
  }
  environment.registerFunction('list<int>.sum(): int', (list: bigint[]) => list.reduce((a, b) => a + b, 0n));
  environment.registerFunction('list<double>.sum(): double', (list: number[]) =>
    list.reduce((a, b) => a + b, 0),
  );
}

function best(
  name: string,
  list: readonly Comparable[],
  better: (a: Comparable, b: Comparable) => boolean,
): Comparable {
  const [first, ...others] = list;
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return others.reduce((found, item) => (better(item, found) ? item : found), first);
}
