import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryId, eventId, type EventIdentity } from './ids.ts';

const IDENTITY: EventIdentity = {
  planUid: 'uid-1',
  epoch: 'e',
  seq: 1,
  kind: 'ExecutionProgress',
  cycle: 'c1',
  operation: 'shutdown',
  run: 1,
  target: 'db',
  state: 'Running',
  previousPhase: '',
  phase: 'Hibernating',
  retryCount: 0,
};

/** RFC 4648 base32 by its definition: five bits a character, from the left, zeros at the end. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups
    .map((group) => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(parseInt(group.padEnd(5, '0'), 2)))
    .join('');
}

describe('an event id', () => {
  it('is the SHA-256 of the listed fields in base32, lower case, without padding', () => {
    const fields = JSON.stringify(Object.values(IDENTITY));
    expect(eventId(IDENTITY)).toBe(base32(createHash('sha256').update(fields).digest()));
    expect(eventId(IDENTITY)).toMatch(/^[a-z2-7]{52}$/);
  });

  it('is another one when any one field is another', () => {
    const texts = Object.entries(IDENTITY).map(([field, value]) =>
      eventId({ ...IDENTITY, [field]: typeof value === 'number' ? value + 1 : `${value}x` }),
    );
    expect(new Set([...texts, eventId(IDENTITY)]).size).toBe(Object.keys(IDENTITY).length + 1);
  });

  it('never mixes up two neighbouring fields', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => {
        fc.pre(c !== '');
        expect(eventId({ ...IDENTITY, cycle: a + c, operation: b })).not.toBe(
          eventId({ ...IDENTITY, cycle: a, operation: c + b }),
        );
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

describe('a delivery id', () => {
  it('is one for each event, namespace, notification and sink, and fit for a header', () => {
    const ids = [
      deliveryId('a', 'ns', 'n', 's'),
      deliveryId('b', 'ns', 'n', 's'),
      deliveryId('a', 'ns2', 'n', 's'),
      deliveryId('a', 'ns', 'n2', 's'),
      deliveryId('a', 'ns', 'n', 's2'),
      deliveryId('a', 'ns', 'ns', ''),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z2-7]{52}$/);
    expect(deliveryId('a', 'ns', 'n', 's')).toBe(ids[0]);
  });
});
