import { describe, expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import { type Func, Slice, type Value } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { regex } from './regex.ts';

function call(name: string, args: readonly Value[]): unknown {
  const result = (regex[name] as Func).call(contextOf(), args);
  return result instanceof Slice ? (result.isNil ? 'nil' : result.items) : result;
}

describe('as Go prints it', () => {
  test.each<[name: string, args: Value[], result: unknown]>([
    ['Match', ['^[a-z]+$', 'abc'], true],
    ['Match', ['b', 'aç'], false],
    ['Find', ['[0-9]+', 'a12b3'], '12'],
    ['Find', ['x', 'a'], ''],
    ['FindAll', ['[0-9]', 'a1b2c3', 2n], ['1', '2']],
    ['FindAll', ['[0-9]', 'a1b2c3', -1n], ['1', '2', '3']],
    ['FindAll', ['x', 'a', -1n], 'nil'],
    ['FindAll', ['a', 'a', 0n], 'nil'],
    ['ReplaceAll', ['a(x*)b', '-ab-axxb-', '${1}W'], '-W-xxW-'],
    ['ReplaceAllLiteral', ['a(x*)b', '-ab-', '${1}'], '-${1}-'],
    ['Split', ['z+', 'pizza', -1n], ['pi', 'a']],
    ['Split', ['z', 'pizza', 0n], 'nil'],
  ])('regex%s %s', (name, args, result) => {
    expect(call(`regex${name}`, args)).toEqual(result);
    expect(call(`mustRegex${name}`, args)).toEqual(result);
  });

  test('regexQuoteMeta', () => {
    expect(call('regexQuoteMeta', ['\\.+*?()|[]{}^$-/é'])).toBe(
      '\\\\\\.\\+\\*\\?\\(\\)\\|\\[\\]\\{\\}\\^\\$-/é',
    );
  });
});

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
