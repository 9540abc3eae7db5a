import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_KINDS } from '@hnotif/core/resources';
import { decodeWork, encodeWork } from './address-code.ts';
import { SINKS } from './sinks.ts';
import { EXAMPLE_EVENT, OPERATIONS, TARGET_COUNTS, type EventChoice, type Work } from './work.ts';

const kind = fc.constantFrom(...EVENT_KINDS);
const event: fc.Arbitrary<EventChoice> = fc.oneof(
  fc.record({
    from: fc.constant('example' as const),
    kind,
    operation: fc.constantFrom(...OPERATIONS),
    targets: fc.constantFrom(...TARGET_COUNTS),
    hostile: fc.boolean(),
  }),
  fc.record({ from: fc.constant('plan' as const), kind, namespace: fc.string(), name: fc.string() }),
  fc.record({ from: fc.constant('json' as const), text: fc.string({ unit: 'grapheme' }) }),
);
const work: fc.Arbitrary<Work> = fc.record({
  template: fc.string({ unit: 'grapheme' }),
  sink: fc.constantFrom(...SINKS.map(({ id }) => id)),
  event,
});

describe('the address', () => {
  it('keeps every work, in characters that need no escape', () =>
    fc.assert(
      fc.asyncProperty(work, async (each) => {
        const code = await encodeWork(each);
        expect(code).toMatch(/^[\w-]+$/);
        expect(await decodeWork(code)).toEqual(each);
      }),
      { seed: 11, numRuns: 200 },
    ));

  it.each(['', 'x', '!!', 'AAAA', '%', 'q'.repeat(2_000_000)])(
    'is nothing where it holds nothing: %.20s',
    async (code) => {
      expect(await decodeWork(code)).toBeUndefined();
    },
  );

  it('is nothing where it was cut', async () => {
    const code = await encodeWork({
      template: 'a'.repeat(50) + Math.PI,
      sink: 'webhook',
      event: EXAMPLE_EVENT,
    });
    expect(await decodeWork(code.slice(0, -6))).toBeUndefined();
  });

  it('is nothing where it unpacks to more than any work is', async () => {
    const most = await encodeWork({ template: 'a'.repeat(65_536), sink: 'webhook', event: EXAMPLE_EVENT });
    expect((await decodeWork(most))?.template).toHaveLength(65_536);
    const bomb = await encodeWork({
      template: 'a'.repeat(50_000_000),
      sink: 'webhook',
      event: EXAMPLE_EVENT,
    });
    expect(bomb.length).toBeLessThan(100_000);
    expect(await decodeWork(bomb)).toBeUndefined();
  });

  it('takes what it does not know as the first choice', async () => {
    const odd = { template: 'x', sink: 'fax', event: { from: 'example', kind: 'Party', targets: 7 } };
    expect(await decodeWork(await encodeWork(odd as unknown as Work))).toEqual({
      template: 'x',
      sink: 'slack-text',
      event: EXAMPLE_EVENT,
    });
  });
});
