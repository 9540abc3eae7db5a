import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Entries, isRemoved, placeAfter, type Change, type Place } from './entries.ts';
import type { PlanJournal } from './plan-journal.ts';

const plan = { subject: { namespace: 'a', name: 'orders', uid: 'u' } } as PlanJournal;
const JOIN: Change = { kind: 'join', plan, isThere: false };
const LEAVE: Change = { kind: 'leave', isLast: true };

const CHANGE: fc.Arbitrary<Change> = fc.oneof(
  fc.boolean().map((isThere): Change => ({ kind: 'join', plan, isThere })),
  fc.boolean().map((isLast): Change => ({ kind: 'leave', isLast })),
  fc.constantFrom<Change[]>(
    { kind: 'discard' },
    { kind: 'removed' },
    { kind: 'read', entry: undefined },
    { kind: 'vanished' },
  ),
);
const after = (changes: readonly Change[]): Place | undefined =>
  changes.reduce<Place | undefined>(placeAfter, undefined);

describe('the place of an entry', () => {
  it.each<[string, readonly Change[], Place | undefined]>([
    ['a new plan writes at once', [JOIN], { kind: 'here', plan, isOld: false }],
    [
      'a plan goes on from the entry that was found',
      [
        { kind: 'read', entry: undefined },
        { ...JOIN, isThere: true },
      ],
      { kind: 'here', plan, isOld: false },
    ],
    [
      'an older entry is removed before the plan is written',
      [{ kind: 'read', entry: undefined }, JOIN],
      { kind: 'here', plan, isOld: true },
    ],
    [
      'a plan that comes back before its last entry was moved goes on from it',
      [JOIN, LEAVE, JOIN],
      { kind: 'here', plan, isOld: false },
    ],
    [
      'an older entry is not the last one of a plan that moves away',
      [{ kind: 'read', entry: undefined }, JOIN, LEAVE],
      { kind: 'leaving', isLast: false },
    ],
    [
      'a plan that comes back while its entry is removed waits for that',
      [JOIN, { kind: 'discard' }, JOIN],
      { kind: 'here', plan, isOld: true },
    ],
    [
      'what another process wrote stays discarded',
      [JOIN, { kind: 'discard' }, { kind: 'read', entry: undefined }],
      { kind: 'discarded' },
    ],
  ])('%s', (_, changes, place) => {
    expect(after(changes)).toEqual(place);
  });

  it('is written after an older entry is removed, and a write removes no other entry', () => {
    fc.assert(
      fc.property(fc.array(CHANGE, { maxLength: 12 }), (changes) => {
        const place = after(changes);
        const removed = placeAfter(place, { kind: 'removed' });
        if (!isRemoved(place)) expect(removed).toBe(place);
        expect(isRemoved(removed)).toBe(false);
        // Only a write, or the loss of the object, makes an older entry a present one.
        if (place?.kind === 'here' && place.isOld)
          for (const change of [
            JOIN,
            { ...JOIN, isThere: true },
            { kind: 'read', entry: undefined },
          ] as const)
            expect(placeAfter(place, change)).toMatchObject({ isOld: true });
        // It is removed wherever the plan goes.
        expect(placeAfter(placeAfter(place, { kind: 'discard' }), { kind: 'removed' })).toBeUndefined();
        const there = placeAfter(place, { kind: 'vanished' });
        expect(there === undefined || (there.kind === 'here' && !there.isOld)).toBe(true);
      }),
    );
  });

  it('is counted as it stands', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('u', 'v', 'w'), CHANGE)), (changes) => {
        const entries = new Entries();
        for (const [uid, change] of changes) entries.change(uid, change);
        const places = entries.all().map(([, place]) => place);
        expect(entries.served).toBe([...entries.plans()].length);
        expect(entries.served).toBe(places.filter(({ kind }) => kind === 'here').length);
        expect(entries.kept).toBe(places.filter(({ kind }) => kind !== 'discarded').length);
        expect(entries.removed.length).toBe(places.filter(isRemoved).length);
      }),
    );
  });
});
