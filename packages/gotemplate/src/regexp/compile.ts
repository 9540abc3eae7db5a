import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { Budget } from '../budget.ts';
import { GoError } from '../errors.ts';
import { type Pattern, readPattern } from './pattern.ts';
import { Regexp } from './regexp.ts';

/** The steps that compiling one instruction costs. */
const STEPS = 64;
/** The bytes of an instruction in memory. */
const BYTES = 200;
/** The limits of the cache: the cost of all patterns, and of each. */
const CACHE_TOTAL = 50_000;
const CACHE_EACH = 2_000;

const cache = new Map<string, Regexp>();
let cached = 0;

/** Go's `regexp.Compile`. Throws a {@link GoError} with Go's text: ``error parsing regexp: missing closing ]: `[` ``. */
export function compile(budget: Budget, source: string): Regexp {
  const known = cache.get(source);
  if (known !== undefined) return known;
  // Reading looks ahead: in the worst case, from each character to the end.
  budget.spend(source.length ** 2 / 32);
  refuseBrokenText(source);
  const pattern = readPattern(source);
  budget.spend(pattern.cost * STEPS);
  budget.grow(pattern.cost * BYTES);
  const regexp = new Regexp(translate(pattern), pattern, source);
  budget.check();
  if (regexp.weight <= CACHE_EACH) remember(source, regexp);
  return regexp;
}

function remember(source: string, regexp: Regexp): void {
  for (const [oldest, { weight }] of cache) {
    if (cached + regexp.weight <= CACHE_TOTAL) break;
    cache.delete(oldest);
    cached -= weight;
  }
  cache.set(source, regexp);
  cached += regexp.weight;
}

function refuseBrokenText(source: string): void {
  if (source.isWellFormed()) return;
  throw parseError('invalid UTF-8', source.slice(source.search(/[\udc80-\udcff]/u)));
}

function translate(pattern: Pattern): RE2JS {
  try {
    return RE2JS.compile(pattern.text);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw toGoError(error.getDescription(), error.getPattern(), pattern);
  }
}

/** The matcher's text of some errors is shorter than Go's, and of one it is different. */
function toGoError(description: string, part: string | null, pattern: Pattern): GoError {
  if (part === null)
    return parseError(description, description.startsWith('trailing') ? '' : pattern.original(pattern.text));
  if (description === 'invalid named capture' && (part === '(?P<' || part === '(?<'))
    return parseError('invalid or unsupported Perl syntax', part.slice(0, 3));
  return parseError(description, pattern.original(part));
}

function parseError(description: string, part: string): GoError {
  return new GoError(`error parsing regexp: ${description}: \`${part}\``);
}
