import { describe, expect, test } from 'vitest';
import { parse } from '../../template.ts';
import { fn } from '../../value/func.ts';
import { INT, pointerTo, structType } from '../../value/type.ts';
import { type Value, Pointer, Struct, dict } from '../../value/value.ts';

const POINT = structType('main.Point', [{ name: 'X', type: INT }]);
const SHY = structType('main.Shy', []);
SHY.pointerMethods.set(
  'String',
  fn('func(*main.Shy) string', () => '<shy>', { 'main.Shy': SHY }),
);

const values: Record<string, Value> = {
  nil: null,
  map: dict([
    ['a', '<'],
    ['n', null],
  ]),
  pointer: new Pointer(pointerTo(POINT), new Struct(POINT, [1n])),
  nilPointer: new Pointer(pointerTo(POINT), undefined),
  nested: new Pointer(pointerTo(pointerTo(INT)), new Pointer(pointerTo(INT), 7n)),
  shy: new Pointer(pointerTo(SHY), new Struct(SHY, [])),
};

const bytesOf = (template: string): string =>
  Buffer.from(parse('t', template).executeBytes(dict(Object.entries(values)))).toString('latin1');
const evaluate = (call: string): string => parse('t', `{{${call}}}`).execute(dict(Object.entries(values)));

describe('as Go escapes', () => {
  test.each([
    ['html "plain é"', 'plain é'],
    ['html "<a href=\\"x\\">\'&\'\\x00"', '&lt;a href=&#34;x&#34;&gt;&#39;&amp;&#39;\ufffd'],
    ['html "a" "<" 1 2 "b"', 'a&lt;1 2b'],
    ['html nil', '&lt;no value&gt;'],
    ['html .nil 1 2 .none', '&lt;no value&gt;1 2&lt;no value&gt;'],
    ['html .map', 'map[a:&lt; n:&lt;nil&gt;]'],
    ['html .pointer', '{1}'],
    ['html .nilPointer', '&lt;nil&gt;'],
    ['html .nested', '7'],
    ['html .shy', '&lt;shy&gt;'],
    ['js "plain /-+*"', 'plain /-+*'],
    [
      'js "it\'s \\"q\\" <&> = \\\\ \\n\\x7f"',
      'it\\\'s \\"q\\" \\u003C\\u0026\\u003E \\u003D \\\\ \\u000A\x7f',
    ],
    ['js "\\u00a0é世😀\\u2028\\U000e0001"', '\\u00A0é世😀\\u2028\\uE0001'],
    ['urlquery "a-b_c.d~e"', 'a-b_c.d~e'],
    ['urlquery "a b&c=é/😀!*\'()+"', 'a+b%26c%3D%C3%A9%2F%F0%9F%98%80%21%2A%27%28%29%2B'],
    ['urlquery 1 2 "x"', '1+2x'],
  ])('%s is %s', (call, result) => {
    expect(evaluate(call)).toBe(result);
  });

  test.each([
    ['{{html "\\xff<"}}', '\xff&lt;'],
    ['{{js "\\x80\\xff<"}}', '\x80\xff\\u003C'],
    ['{{urlquery "\\xff "}}', '%FF+'],
  ])('bytes that are not UTF-8: %s', (template, result) => {
    expect(bytesOf(template)).toBe(result);
  });
});
