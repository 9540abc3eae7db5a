import { expect, it } from 'vitest';
import { fn } from '../value/func.ts';
import { STRING, structType } from '../value/type.ts';
import { Struct, dict, nilPointer } from '../value/value.ts';
import { render } from '../testing/sprig.ts';

it('fails for a nil pointer whose type has a String method, where Go panics', () => {
  const plan = structType('main.Plan', [{ name: 'Name', type: STRING }]);
  const text = ({ fields }: Struct) => `plan ${fields[0] as string}`;
  plan.methods.set('String', fn('func(main.Plan) string', text, { 'main.Plan': plan }));
  const data = dict([
    ['plan', new Struct(plan, ['x'])],
    ['nil', nilPointer(plan)],
  ]);
  expect(render('{{toString .plan}}', data)).toBe('plan x');
  expect(render('{{toString .nil}}', data)).toBe(
    'error: error calling toString: value method main.Plan.String called using nil *Plan pointer',
  );
});
