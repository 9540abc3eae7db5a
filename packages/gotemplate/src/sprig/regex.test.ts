import { describe, expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import type { Func, Value } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { regex } from './regex.ts';

const call = (name: string, args: readonly Value[]): Value => (regex[name] as Func).call(contextOf(), args);

describe('an invalid pattern', () => {
  const reason = 'error parsing regexp: missing closing ]: ';

  test('does not match', () => {
    expect(call('regexMatch', ['[', 'a'])).toBe(false);
  });

  test.each([
    ['Find', ['a']],
    ['FindAll', ['a', -1n]],
    ['ReplaceAll', ['a', 'b']],
    ['ReplaceAllLiteral', ['a', 'b']],
    ['Split', ['a', -1n]],
  ])('makes regex%s and mustRegex%s fail', (name, args) => {
    expect(() => call(`regex${name}`, ['[', ...args])).toThrow(
      new GoError(`regexp: Compile(\`[\`): ${reason}\`[\``),
    );
    expect(() => call(`mustRegex${name}`, ['[', ...args])).toThrow(new GoError(`${reason}\`[\``));
  });

  test('is quoted if it cannot be in backquotes', () => {
    expect(() => call('regexFind', ['[`', 'a'])).toThrow(
      new GoError(`regexp: Compile("[\`"): ${reason}\`[\`\``),
    );
    expect(() => call('regexFind', ['[\n', 'a'])).toThrow(
      new GoError(`regexp: Compile("[\\n"): ${reason}\`[\n\``),
    );
    expect(() => call('regexFind', ['[\t', 'a'])).toThrow(
      new GoError(`regexp: Compile(\`[\t\`): ${reason}\`[\t\``),
    );
  });

  test('is different from one that is too expensive', () => {
    expect(() => call('regexMatch', ['(a{1000}){1}'.repeat(1000), 'a'])).toThrow(/exceeded the step limit/);
  });
});
