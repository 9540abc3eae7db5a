import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TARGET, generate } from '../../scripts/zones.ts';
import { unpackZone } from './zones.ts';
import { ZONES } from './zones.data.ts';

test('the table is up to date with its generator', () => {
  expect(readFileSync(TARGET, 'utf8')).toBe(generate());
});

test('each name occurs once', () => {
  const names = ZONES.flatMap((line) => line.slice(0, line.indexOf('|')).split(' '));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(590);
});

test('each zone unpacks, with changes in order', () => {
  for (const line of ZONES) {
    const { zones, changes, rule } = unpackZone(line.slice(line.indexOf('|') + 1));
    for (const { name, offset } of zones) {
      expect(name).toMatch(/^(?:[A-Za-z]{3,5}|[+-]\d\d(?:\d\d)?)$/);
      expect(Math.abs(offset)).toBeLessThan(16 * 3600);
    }
    const times = changes.map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    for (const { zone } of [...changes, ...(rule ?? [])]) expect(zones.includes(zone)).toBe(true);
  }
});
