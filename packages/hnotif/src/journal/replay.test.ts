import { describe, expect, it } from 'vitest';
import {
  derive,
  type DerivedEvent,
  deliveryId,
  idOf,
  emptyBaseline,
  begin,
  initialStatus,
  poll,
  succeed,
} from '@hnotif/core/lifecycle';
import { parsePlan } from '@hnotif/core/resources';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import { idsOf } from './outcome-line.ts';
import { linesOf, NO_OUTCOMES, withOutcome } from './outcomes.ts';
import { replayOf, type ReplayFacts } from './replay.ts';

const T0 = Date.parse('2026-03-01T19:00:00Z');
const OPTIONS = { failureAfterMs: 1 };

/** A night that has ended: `db` and `vm` are done. */
const night = () => {
  const targets = ['db', 'vm'].map((name) => ({ name, type: 'rds' }));
  const begun = begin(initialStatus, 'shutdown', 'c1', targets, T0);
  const done = poll(
    begun,
    targets.map(({ name: target }) => ({ target, state: 'Completed' as const })),
    T0 + 60_000,
  );
  const metadata = { namespace: 'team-a', name: 'night', uid: 'uid-1' };
  const [first, last] = [begun, succeed(done, T0 + 120_000)].map((status, at) =>
    parsePlan({ metadata: { ...metadata, resourceVersion: String(at + 1) }, status }),
  );
  const start = derive(emptyBaseline('epoch'), first!, T0, OPTIONS);
  const end = derive(start.observed, last!, T0 + 120_000, OPTIONS);
  return { plan: last!, observed: end.observed, events: [...start.events, ...end.events] };
};

const { plan, observed, events } = night();
const [ops] = aNotification().sinks;
const notification = aNotification({ name: 'n', sinks: [ops!, { ...ops!, name: 'pager' }] });
const eventsOf = (...kinds: readonly string[]): DerivedEvent[] =>
  events.filter(
    ({ kind, phase }) => kinds.includes(kind) && (kind !== 'PhaseChange' || phase === 'Hibernated'),
  );

interface Ending {
  readonly kinds: readonly string[];
  readonly stream?: string;
  readonly result?: string;
  readonly reason?: string;
  /** Seconds after the night. */
  readonly after?: number;
}

/** Stores these ends in a journal, one a second, and replays from it. */
function replay(
  endings: readonly Ending[],
  more: Partial<ReplayFacts['request']> = {},
  rest: Partial<ReplayFacts> = {},
) {
  let outcomes = NO_OUTCOMES;
  endings.forEach(({ kinds, stream = 'n/ops', result = 'failed', reason = 'TooLong', after }, index) => {
    const ended = eventsOf(...kinds).map((event) => ({ ...event, id: idOf(event) }));
    const last = ended.at(-1)!;
    const ending = {
      ...{
        at: new Date(T0 + 180_000 + (after ?? index) * 1_000).toISOString(),
        seq: last.seq,
        event: last.kind,
        stream,
      },
      ...{ count: ended.length, result, reason: result === 'delivered' ? '' : reason, ids: idsOf(ended) },
    };
    outcomes = withOutcome(outcomes, ending, new Set());
  });
  const { again, rows } = replayOf({
    ...{ plan, observed, notification, now: T0 + 300_000, waits: () => false },
    outcomes: linesOf(outcomes),
    request: { all: false, dryRun: false, ...more },
    ...rest,
  });
  return {
    again: again.map(({ event, to }) => `${event.kind} to ${to.map(({ sink }) => sink).join(' and ')}`),
    ids: again.map(({ event }) => event.id),
    rows: rows.map(({ sink, events: of, count, was, result }) => `${sink} ${of} ${count} ${was} ${result}`),
  };
}

describe('a replay', () => {
  it('sends one event or one delivery by its id; a delivery also if it arrived', () => {
    const ends = [
      { kinds: ['Start'] },
      { kinds: ['Success'] },
      { kinds: ['Success'], stream: 'n/pager', result: 'delivered' },
    ];
    const success = idOf(eventsOf('Success')[0]!);
    const at = (id: string, all = false) => replay(ends, { id, all }).again;
    expect(at(success.slice(0, 12))).toEqual(['Success to ops']);
    expect(at(success, true)).toEqual(['Success to ops and pager']);
    expect(at(deliveryId(success, 'team-a', 'n', 'pager'))).toEqual(['Success to pager']);
    expect(at(deliveryId(success, 'team-b', 'n', 'pager'))).toEqual([]);
  });

  it('sends what failed and was dropped, in the original order, under the original ids', () => {
    const { again, ids, rows } = replay([
      { kinds: ['Success'], result: 'dropped', reason: 'expired' },
      { kinds: ['Start'] },
      { kinds: ['Start'], stream: 'n/pager', result: 'delivered' },
    ]);
    expect(again).toEqual(['Start to ops', 'Success to ops']);
    expect(ids).toEqual(eventsOf('Start', 'Success').map(idOf));
    expect(rows).toEqual(['ops Success 1 dropped expired Sent', 'ops Start 1 failed TooLong Sent']);
  });

  it('with --all also sends what arrived; one event for two sinks is stored once', () => {
    const endings = [
      { kinds: ['Success'], stream: 'n/pager', result: 'delivered' },
      { kinds: ['Success'] },
      { kinds: ['Start'], result: 'suppressed' },
    ];
    expect(replay(endings, { all: true }).again).toEqual(['Success to pager and ops']);
  });

  it('sends each of the deliveries that were dropped together, but not the progress if they are many', () => {
    const together = {
      kinds: ['Start', 'ExecutionProgress', 'Success'],
      result: 'dropped',
      reason: 'suspended',
    };
    expect(replay([together])).toMatchObject({
      again: ['Start to ops', 'ExecutionProgress to ops', 'ExecutionProgress to ops', 'Success to ops'],
      rows: ['ops Start, ExecutionProgress, Success 4 dropped suspended Sent'],
    });
    const [end] = eventsOf('Success');
    const outcomes = [
      `2026-03-01T20:00:00.000Z #12 Success n/ops dropped overflow (40) [${idOf(end!).slice(0, 12)}]`,
    ];
    expect(replay([], {}, { outcomes })).toMatchObject({
      again: ['Success to ops'],
      rows: ['ops Success 1 dropped overflow Sent', 'ops ExecutionProgress 39 dropped overflow NotDerivable'],
    });
  });

  it('does not send what arrived later, what other sinks lost, and what is older', () => {
    const failed = { kinds: ['Success'] };
    expect(replay([failed, { ...failed, result: 'delivered' }]).rows).toEqual([]);
    expect(replay([failed, { ...failed, stream: 'other/ops' }]).again).toEqual(['Success to ops']);
    expect(replay([failed, { ...failed, stream: 'n/pager' }], { sink: 'pager' }).again).toEqual([
      'Success to pager',
    ]);
    const since = new Date(T0 + 180_000 + 10_000).toISOString();
    expect(replay([failed, { kinds: ['Start'], after: 11 }], { since }).again).toEqual(['Start to ops']);
  });

  it('sends a delivery that failed twice once', () => {
    expect(replay([{ kinds: ['Success'] }, { kinds: ['Success'] }]).again).toEqual(['Success to ops']);
  });

  it('sends nothing in a dry run, and says what it would send', () => {
    expect(replay([{ kinds: ['Success'] }], { dryRun: true })).toMatchObject({
      again: [],
      rows: ['ops Success 1 failed TooLong WouldBeSent'],
    });
  });

  it('says of each delivery that is not sent why', () => {
    const failed = [{ kinds: ['Success'] }];
    expect(replay(failed, {}, { waits: () => true }).rows).toEqual(['ops Success 1 failed TooLong Waits']);
    expect(replay([{ kinds: ['Success'], stream: 'n/gone' }]).rows).toEqual([
      'gone Success 1 failed TooLong NotListed',
    ]);
    const later = { ...plan, status: { ...plan.status, cycleId: 'c2', history: [] } };
    expect(replay(failed, {}, { plan: later })).toMatchObject({
      again: [],
      rows: ['ops Success 1 failed TooLong NotDerivable'],
    });
  });

  it('reports a line of an older hnotif, which has no id, as impossible; it ignores other texts', () => {
    const outcomes = ['2026-03-01T20:00:00.000Z #12 Success n/ops failed TooLong', 'nonsense'];
    expect(replay([], {}, { outcomes }).rows).toEqual(['ops Success 1 failed TooLong NotDerivable']);
  });
});
