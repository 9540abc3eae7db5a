import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Secret } from './secret.ts';

const secret = new Secret('canary-value');

test('only reveal() gives the value of a secret', () => {
  expect(secret.reveal()).toBe('canary-value');
  const printed = [
    String(secret),
    `in a ${String(secret)} template`,
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ deep: { secret } }, { showHidden: true, depth: 9 }),
    JSON.stringify(Object.entries(secret)),
    JSON.stringify(structuredClone(secret)),
  ].join('\n');
  expect(printed).not.toContain('canary');
  expect(String(secret)).toBe('[redacted]');
  expect(JSON.stringify({ secret })).toBe('{"secret":"[redacted]"}');
  expect(inspect([secret])).toBe('[ [redacted] ]');
});
