import type { Budget } from '../budget.ts';
import type { Context } from '../context.ts';
import { GoError, attempt } from '../errors.ts';
import { compile } from '../regexp/compile.ts';
import { quoteMeta, showPattern } from '../regexp/quote.ts';
import type { Regexp } from '../regexp/regexp.ts';
import { appended } from '../value/capacity.ts';
import { contextual, type FuncMap } from '../value/func.ts';
import { STRING, STRING_SLICE } from '../value/type.ts';
import { Slice, type Value, withCapacity } from '../value/value.ts';

function compiled({ budget }: Context, pattern: string): Regexp {
  return compile(budget, pattern);
}

/** For functions without `must`: their error names the call. */
function compiledOrPanic(context: Context, pattern: string): Regexp {
  try {
    return compiled(context, pattern);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`regexp: Compile(${showPattern(pattern)}): ${error.message}`);
  }
}

/** A list that Go made with room for so many texts; a nil one without texts. */
function textsOf(texts: readonly string[] | undefined, room = 0): Slice {
  if (texts === undefined) return new Slice(STRING_SLICE, [], true);
  return withCapacity(STRING_SLICE, texts, appended(texts.length, STRING, room));
}

/** Go's `regexp` makes room for so many matches at first. */
const MATCHES = 10;

/** Only this function treats an invalid pattern as one that does not match. */
function matchQuietly(context: Context, pattern: string, text: string): boolean {
  return attempt(() => compiled(context, pattern).match(context.budget, text), false);
}

/** `regexNAME`, which panics on an invalid pattern, and `mustRegexNAME`, which returns an error. */
function both(
  name: string,
  [params, result]: readonly [string, string],
  use: (budget: Budget, regexp: Regexp, text: string, last: never) => Value,
): FuncMap {
  return {
    [`regex${name}`]: contextual(
      `func(${params}) ${result}`,
      (context, pattern: string, text: string, last: never) =>
        use(context.budget, compiledOrPanic(context, pattern), text, last),
    ),
    [`mustRegex${name}`]: contextual(
      `func(${params}) (${result}, error)`,
      (context, pattern: string, text: string, last: never) =>
        use(context.budget, compiled(context, pattern), text, last),
    ),
  };
}

export const regex: FuncMap = {
  ...both('Match', ['string, string', 'bool'], (budget, regexp, text) => regexp.match(budget, text)),
  regexMatch: contextual('func(string, string) bool', matchQuietly),
  ...both('Find', ['string, string', 'string'], (budget, regexp, text) => regexp.find(budget, text)),
  ...both('FindAll', ['string, string, int', '[]string'], (budget, regexp, text, limit: bigint) =>
    textsOf(regexp.findAll(budget, text, limit), MATCHES),
  ),
  ...both('ReplaceAll', ['string, string, string', 'string'], (budget, regexp, text, replacement: string) =>
    regexp.replaceAll(budget, text, replacement),
  ),
  ...both(
    'ReplaceAllLiteral',
    ['string, string, string', 'string'],
    (budget, regexp, text, replacement: string) => regexp.replaceAllLiteral(budget, text, replacement),
  ),
  ...both('Split', ['string, string, int', '[]string'], (budget, regexp, text, limit: bigint) => {
    const found = regexp.split(budget, text, limit);
    return textsOf(found?.parts, found?.matches);
  }),
  regexQuoteMeta: contextual('func(string) string', ({ budget }, text: string) => quoteMeta(budget, text)),
};
