/** Hints for useful arguments, in addition to signatures. */
import type { Want } from './wants.ts';

/**
 * Arguments by function: a list of kinds. `|` separates alternatives, `...` marks a repeated kind, `=text` is exactly that
 * text. For other functions, the signature decides.
 */
export const HINTS: Readonly<Record<string, string>> = {
  and: 'any any...',
  or: 'any any...',
  not: 'any',
  len: 'sized',
  index: 'list small | dict key | plain small | any any...',
  slice: 'list small | list small small | plain small small | any small...',
  print: 'any...',
  println: 'any...',
  printf: 'format any any | format number number | format plain plain | format any...',
  html: 'any...',
  js: 'any...',
  urlquery: 'any...',
  eq: 'number number | plain plain... | any any',
  ne: 'number number | plain plain | any any',
  lt: 'int int | float float | plain plain | any any',
  le: 'int int | float float | plain plain | number number',
  gt: 'int int | float float | plain plain | number number',
  ge: 'int int | float float | plain plain | number number',
  call: 'any any...',
  regexMatch: 'regex plain',
  regexFind: 'regex plain',
  regexFindAll: 'regex plain small',
  regexReplaceAll: 'regex plain replacement',
  regexReplaceAllLiteral: 'regex plain replacement',
  regexSplit: 'regex plain small',
  mustRegexMatch: 'regex plain',
  mustRegexFind: 'regex plain',
  mustRegexFindAll: 'regex plain small',
  mustRegexReplaceAll: 'regex plain replacement',
  mustRegexReplaceAllLiteral: 'regex plain replacement',
  mustRegexSplit: 'regex plain small',
  date: 'layout time | layout int',
  dateInZone: 'layout time zone',
  date_in_zone: 'layout time zone',
  dateModify: 'duration time',
  date_modify: 'duration time',
  mustDateModify: 'duration time',
  must_date_modify: 'duration time',
  htmlDate: 'time | int',
  htmlDateInZone: 'time zone',
  duration: 'number | numeral | any',
  durationRound: 'duration | number | any',
  toDate: 'layout date | =2006-01-02 date | =2006-01-02T15:04:05Z07:00 date',
  mustToDate: 'layout date | =2006-01-02 date | =2006-01-02 15:04:05 date',
  unixEpoch: 'time',
  semver: 'version',
  semverCompare: 'constraint version',
  fromJson: 'json',
  mustFromJson: 'json',
  urlParse: 'url',
  base: 'path',
  dir: 'path',
  clean: 'path',
  ext: 'path',
  isAbs: 'path',
  osBase: 'path',
  osDir: 'path',
  osClean: 'path',
  osExt: 'path',
  osIsAbs: 'path',
  b64dec: 'base64',
  b32dec: 'base64',
  atoi: 'numeral',
  int: 'number | numeral | any',
  int64: 'number | numeral | any',
  float64: 'number | numeral | any',
  toDecimal: 'number | numeral | any',
  add: 'number number...',
  add1: 'number',
  sub: 'number number',
  div: 'number number',
  mod: 'number number',
  mul: 'number number...',
  max: 'number number...',
  min: 'number number...',
  biggest: 'number number...',
  maxf: 'number number...',
  minf: 'number number...',
  add1f: 'number',
  addf: 'number number...',
  subf: 'number number...',
  mulf: 'number number...',
  divf: 'number number...',
  ceil: 'number',
  floor: 'number',
  round: 'number small | number small float',
  seq: 'small | small small | small small small',
  split: 'separator plain',
  splitList: 'separator plain',
  splitn: 'separator small plain',
  join: 'separator list',
  contains: 'separator plain',
  hasPrefix: 'separator plain',
  hasSuffix: 'separator plain',
  trimPrefix: 'separator plain',
  trimSuffix: 'separator plain',
  trimAll: 'separator plain',
  trimall: 'separator plain',
  replace: 'separator separator plain',
  wrapWith: 'small separator plain',
  sortAlpha: 'list',
  toStrings: 'list',
  first: 'list',
  mustFirst: 'list',
  last: 'list',
  mustLast: 'list',
  rest: 'list',
  mustRest: 'list',
  initial: 'list',
  mustInitial: 'list',
  reverse: 'list',
  mustReverse: 'list',
  uniq: 'list',
  mustUniq: 'list',
  compact: 'list',
  mustCompact: 'list',
  append: 'list any',
  push: 'list any',
  mustAppend: 'list any',
  mustPush: 'list any',
  prepend: 'list any',
  mustPrepend: 'list any',
  has: 'any list',
  mustHas: 'any list',
  without: 'list any...',
  mustWithout: 'list any...',
  mustSlice: 'list small | list small small',
  concat: 'list...',
  chunk: 'small list',
  mustChunk: 'small list',
  default: 'any any',
  dict: 'key any | key any key any | key any key any key any | any...',
  get: 'dict key',
  set: 'dict key any',
  unset: 'dict key',
  hasKey: 'dict key',
  pluck: 'key dict...',
  pick: 'dict key...',
  omit: 'dict key...',
  dig: 'key any dict | key key any dict | any...',
  kindIs: 'typename any',
  typeIs: 'typename any',
  typeIsLike: 'typename any',
};

/** Functions whose results vary, wrapped so that the result is stable. */
export const UNSTABLE: Readonly<Record<string, (call: string) => string>> = {
  keys: (call) => `sortAlpha (${call})`,
  values: (call) => `len (${call})`,
  now: (call) => `kindOf (${call})`,
  ago: (call) => `kindOf (${call})`,
  shuffle: (call) => `len (${call})`,
  uuidv4: (call) => `len (${call})`,
  randInt: (call) => `kindOf (${call})`,
  randAlpha: (call) => `len (${call})`,
  randAlphaNum: (call) => `len (${call})`,
  randAscii: (call) => `len (${call})`,
  randNumeric: (call) => `len (${call})`,
  randBytes: (call) => `len (${call})`,
};

export interface Hint {
  readonly want: Want;
  /** The exact text to use instead. */
  readonly text?: string;
  readonly repeated: boolean;
}

const parsed = new Map<string, readonly (readonly Hint[])[]>();

/** The alternatives for a function's arguments; undefined if there are no hints. */
export function hintsFor(name: string): readonly (readonly Hint[])[] | undefined {
  const line = Object.hasOwn(HINTS, name) ? HINTS[name] : undefined;
  if (line === undefined) return undefined;
  let alternatives = parsed.get(name);
  if (alternatives === undefined) parsed.set(name, (alternatives = line.split(' | ').map(parseHints)));
  return alternatives;
}

function parseHints(line: string): readonly Hint[] {
  return (line.match(/=.*?(?= [a-z]+$)|\S+/g) ?? []).map((word) => {
    if (word.startsWith('=')) return { want: 'plain', text: word.slice(1), repeated: false };
    const repeated = word.endsWith('...');
    return { want: (repeated ? word.slice(0, -3) : word) as Want, repeated };
  });
}
