import { expect, it } from 'vitest';
import { fn } from '../value/func.ts';
import { STRING, structType } from '../value/type.ts';
import { Struct, dict, nilPointer } from '../value/value.ts';
import { type Cases, render, testAsGo } from '../testing/sprig.ts';

const CASES: Cases = {
  text: [
    [
      '{{toString nil}} {{toString 1.0}} {{toString (list 1 nil)}} {{toString (dict "a" 1)}} {{toString (semver "v1")}} {{toString (semver "v1").MarshalText}} {{toString true}}',
      '<nil> 1 [1 <nil>] map[a:1] 1.0.0 1.0.0 true',
    ],
    [
      '{{toStrings (list 1 nil "a" 2.5)|printf "%#v"}} {{toStrings (until 2)|printf "%#v"}} {{toStrings "a"|printf "%#v"}} {{toStrings nil|printf "%#v"}} {{toStrings (splitList "," "a,b")|printf "%#v"}} {{toStrings (dict "a" 1)|printf "%#v"}} {{toStrings (semver "1").MarshalText | printf "%#v"}}',
      '[]string{"1", "a", "2.5"} []string{"0", "1"} []string{"a"} []string{} []string{"a", "b"} []string{"map[a:1]"} []string{"49", "46", "48", "46", "48"}',
    ],
  ],
};

testAsGo(CASES);

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
