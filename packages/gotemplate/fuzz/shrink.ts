/** Makes a finding as small as possible, while it differs in the same way. */
import type { CaseData } from '../conformance/case.ts';
import type { Program } from '../conformance/evaluate.ts';

/** For each candidate: whether it still differs. */
export type Check = (candidates: readonly Program[]) => Promise<readonly boolean[]>;

const BATCH = 64;

const MOST_CANDIDATES = 6000;

export async function shrink(program: Program, check: Check): Promise<Program> {
  let best = program;
  let left = MOST_CANDIDATES;
  for (let found: Program | undefined = best; found !== undefined && left > 0;) {
    found = undefined;
    const candidates = unique(best, smaller(best));
    for (let i = 0; i < candidates.length && found === undefined && left > 0; i += BATCH) {
      const batch = candidates.slice(i, i + BATCH);
      left -= batch.length;
      found = batch[(await check(batch)).indexOf(true)];
    }
    best = found ?? best;
  }
  return best;
}

function unique(program: Program, candidates: Iterable<Program>): Program[] {
  const seen = new Set([JSON.stringify(program)]);
  return [...candidates].filter((candidate) => {
    const key = JSON.stringify(candidate);
    return seen.size < seen.add(key).size;
  });
}

/** Smaller programs, the much smaller ones first. */
function* smaller(program: Program): Generator<Program> {
  const { missingkey, ...withoutOption } = program;
  if (missingkey !== undefined) yield withoutOption;
  if (program.name !== 'custom') yield { ...program, name: 'custom' };
  if (program.data !== undefined) {
    const { data: _, ...withoutData } = program;
    yield withoutData;
  }
  for (const template of smallerTexts(program.template)) yield { ...program, template };
  if (program.data !== undefined) for (const data of smallerData(program.data)) yield { ...program, data };
}

const TOKEN =
  /\{\{-?|-?\}\}|"(?:\\.|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\])*'|[$.]?[\p{L}_][\p{L}\p{N}_]*|[\d.]+|\s+|[^]/gu;

/** @internal */
function* smallerTexts(text: string): Generator<string> {
  const tokens = text.match(TOKEN) ?? [];
  const without = (from: number, length: number): string =>
    [...tokens.slice(0, from), ...tokens.slice(from + length)].join('');
  for (let length = tokens.length; length >= 1; length = length > 8 ? length >> 1 : length - 1)
    for (let from = 0; from + length <= tokens.length; from += length > 8 ? length >> 1 : 1)
      yield without(from, length);
  for (const [from, to] of groups(tokens)) {
    const inside = tokens.slice(from + 1, to);
    const [before, after] = [tokens.slice(0, from), tokens.slice(to + 1)];
    for (const words of [[], inside, ['1'], ['""'], ['nil']]) yield [...before, ...words, ...after].join('');
  }
  yield* withoutTwoActions(text);
  for (const [i, token] of tokens.entries())
    for (const simple of simpler(token))
      yield [...tokens.slice(0, i), simple, ...tokens.slice(i + 1)].join('');
}

/** The positions of matching parentheses. */
function groups(tokens: readonly string[]): (readonly [number, number])[] {
  const open: number[] = [];
  return tokens.flatMap((token, i) => {
    if (token === '(') open.push(i);
    const from = token === ')' ? open.pop() : undefined;
    return from === undefined ? [] : [[from, i] as const];
  });
}

/** Removes two actions and the text between them. If they may be a branch and its end, also keeps that text. */
function* withoutTwoActions(text: string): Generator<string> {
  const parts = text.split(/(\{\{[^]*?\}\})/);
  for (let i = 1; i < parts.length; i += 2)
    for (let j = i + 2; j < parts.length; j += 2) {
      yield parts.filter((_, k) => k < i || k > j).join('');
      if (/^\{\{-?\s*(if|with|range|define|block)/.test(parts[i] ?? ''))
        yield parts.filter((_, k) => k !== i && k !== j).join('');
    }
}

function simpler(token: string): string[] {
  if (/^["`]/.test(token)) {
    const inside = token.slice(1, -1);
    const units = inside.match(/\\x..|\\u....|\\.|[^]/gu) ?? [];
    const halves = [units.slice(0, units.length >> 1), units.slice(units.length >> 1)];
    const single = units.length > 20 ? [] : units.map((_, i) => units.filter((_, k) => k !== i));
    const quote = token.startsWith('"') ? '"' : '`';
    return [[], ...halves, ...single]
      .map((part) => `${quote}${part.join('')}${quote}`)
      .concat(quote === '`' ? [JSON.stringify(inside)] : []);
  }
  if (/^\d/.test(token) && token.length > 1) return ['0', '1', token.slice(0, -1), token.slice(1)];
  if (/^\d/.test(token)) return token === '0' ? [] : ['0', '1'];
  return /^\s{2,}$|^[\n\t\r]$/.test(token) ? [' '] : [];
}

function* smallerData(data: CaseData): Generator<CaseData> {
  for (const value of smallerJSON(data.value)) yield { ...data, value };
}

/** @internal */
function* smallerJSON(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (items.length > 2) yield* [items.slice(0, items.length >> 1), items.slice(items.length >> 1)];
    for (let i = 0; i < items.length; i++) yield [...items.slice(0, i), ...items.slice(i + 1)];
    for (const [i, item] of items.entries())
      for (const one of smallerJSON(item)) yield [...items.slice(0, i), one, ...items.slice(i + 1)];
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    for (const [key] of entries) yield Object.fromEntries(entries.filter(([name]) => name !== key));
    for (const [key, item] of entries) for (const one of smallerJSON(item)) yield { ...value, [key]: one };
  } else if (typeof value === 'string' && value.length > 0) {
    yield* [
      '',
      '0',
      '1',
      value.slice(0, value.length >> 1).toWellFormed(),
      value.slice(value.length >> 1).toWellFormed(),
      value.slice(1).toWellFormed(),
    ].filter((text) => text.length < value.length || (text.length === value.length && text < value));
  } else if (typeof value === 'number' && value !== 0) {
    yield* [0, 1, Math.trunc(value)].filter((n) => Math.abs(n) < Math.abs(value));
  }
}
