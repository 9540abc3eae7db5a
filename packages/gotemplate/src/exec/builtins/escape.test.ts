import { expect, test } from 'vitest';
import { parse } from '../../template.ts';
import { fn } from '../../value/func.ts';
import { pointerTo, structType } from '../../value/type.ts';
import { Pointer, Struct, dict } from '../../value/value.ts';
const SHY = structType('main.Shy', []);
SHY.pointerMethods.set(
  'String',
  fn('func(*main.Shy) string', () => '<shy>', { 'main.Shy': SHY }),
);

test('html calls the methods of a pointer', () => {
  const data = dict([['shy', new Pointer(pointerTo(SHY), new Struct(SHY, []))]]);
  expect(parse('t', '{{html .shy}}').execute(data)).toBe('&lt;shy&gt;');
});

test('js keeps bytes that are not UTF-8', () => {
  const output = parse('t', '{{js "\\x80\\xff<"}}').executeBytes(null);
  expect(Buffer.from(output).toString('latin1')).toBe('\x80\xff\\u003C');
});
