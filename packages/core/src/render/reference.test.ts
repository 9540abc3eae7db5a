import { expect, it } from 'vitest';
import { FIELD_HELP, FUNCTION_HELP } from './help.ts';
import { functionRows, structRows } from './reference.ts';

it('every function and every field has one line of help, and there is no other line', () => {
  const functions = functionRows();
  expect(functions.filter(({ help }) => help === '')).toEqual([]);
  const names = new Set(functions.map(({ name }) => name));
  expect(Object.keys(FUNCTION_HELP).filter((name) => !names.has(name))).toEqual([]);

  const rows = structRows();
  expect(rows.flatMap(({ fields }) => fields).filter(({ help }) => help === '')).toEqual([]);
  expect(rows.map(({ name, fields }) => [name, fields.map((field) => field.name)])).toEqual(
    Object.entries(FIELD_HELP).map(([name, fields]) => [name, Object.keys(fields)]),
  );
});
