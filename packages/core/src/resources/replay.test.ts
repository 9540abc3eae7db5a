import { expect, it } from 'vitest';
import { parseReplay } from './replay.ts';

const AT = '2026-01-05T20:00:00Z';

it('a request is read with its defaults', () => {
  expect(parseReplay(JSON.stringify({ at: AT, plan: 'night' }))).toEqual({
    ...{ at: AT, plan: 'night', all: false, dryRun: false },
  });
  const all = { at: AT, plan: 'night', sink: 'ops', since: AT, all: true, dryRun: true };
  expect(parseReplay(JSON.stringify(all))).toEqual(all);
});

it.each([
  ['', /it is not JSON; correct it, or remove/],
  ['night', /it is not JSON/],
  ['[]', /is not valid: it must be an object, found a list; correct it/],
  ['{}', /: at: is missing; plan: is missing; correct these fields, or remove the annotation and ask with/],
  [JSON.stringify({ at: AT }), /plan: /],
  [
    JSON.stringify({ at: 'now', plan: 'night' }),
    /: at: must be an RFC 3339 time such as 2026-01-05T20:00:00Z; correct this field, or/,
  ],
  [JSON.stringify({ at: AT, plan: 'night\u001b[2J' }), /plan: must be the name of an object/],
  [JSON.stringify({ at: AT, plan: 'night', sink: '' }), /sink: must be the name of an object/],
  [JSON.stringify({ at: AT, plan: 'night', sinc: AT }), /: sinc: is not known; correct/],
  [
    JSON.stringify({ at: AT, plan: 'night', all: 'yes' }),
    /: all: must be true or false, without quotes; correct/,
  ],
  [
    JSON.stringify({ at: AT, plan: 'n', ['x'.repeat(300)]: 1, 'a b': 2 }),
    /: 2 fields are not known; correct/,
  ],
  [
    JSON.stringify({ at: 1, plan: 'N', id: 'x', dryRun: 'no' }),
    /: at: must .*, found a number; plan: must .*; id: must be the id of a delivery or an event; dryRun: must be true/,
  ],
  [JSON.stringify({ at: AT, plan: 'x'.repeat(2_000) }), /more than 1024 characters/],
  [`"${'x'.repeat(100_000)}"`, /more than 1024 characters/],
])('%#: a malformed one names the field and the remedy, and not the value', (text, message) => {
  const problem = parseReplay(text);
  expect(problem).toMatch(message);
  expect(problem).toMatch(/^annotation hibernation\.dev\/replay is not valid: .*hnotif replay$/);
  expect(problem).toHaveProperty(
    'length',
    expect.toSatisfy((length: number) => length < 400),
  );
});
