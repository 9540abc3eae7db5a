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
  ['', /it is not JSON; remove it/],
  ['night', /it is not JSON/],
  ['[]', /is not valid: .*expected object/],
  ['{}', /at: /],
  [JSON.stringify({ at: AT }), /plan: /],
  [JSON.stringify({ at: 'now', plan: 'night' }), /at: /],
  [JSON.stringify({ at: AT, plan: 'night\u001b[2J' }), /plan: not the name of an object/],
  [JSON.stringify({ at: AT, plan: 'night', sink: '' }), /sink: not the name of an object/],
  [JSON.stringify({ at: AT, plan: 'night', sinc: AT }), /a field is not known/],
  [JSON.stringify({ at: AT, plan: 'night', all: 'yes' }), /all: .*expected boolean/],
  [JSON.stringify({ at: AT, plan: 'x'.repeat(2_000) }), /more than 1024 characters/],
  [`"${'x'.repeat(100_000)}"`, /more than 1024 characters/],
])('%#: a malformed one names the field and the remedy, and not the value', (text, message) => {
  const problem = parseReplay(text);
  expect(problem).toMatch(message);
  expect(problem).toMatch(/^annotation hibernation\.dev\/replay is not valid: .*hnotif replay$/);
  expect(problem).toHaveProperty(
    'length',
    expect.toSatisfy((length: number) => length < 300),
  );
});
