import { describe, expect, it } from 'vitest';
import { emptyBaseline } from '../lifecycle/observed.ts';
import { fold, rootKey } from '../sinks/teamchat/thread/root.ts';
import { anEvent } from '../testing/events.ts';
import { JournalState } from './state.ts';
import { aLog } from './testing/log.ts';

/** The root of a sink in a cycle, as it is kept. */
function keep(state: JournalState, sink: string, cycle: string): string {
  const event = anEvent('Start', 1, { cycle });
  const key = rootKey({ namespace: 'team-a', notification: 'n', sink }, event) ?? '';
  state.keepRoot(key, { wanted: fold(undefined, event), sent: '', place: undefined });
  return key;
}

describe('the roots that are kept of a plan', () => {
  it('do not pile up, however many sinks come and go', () => {
    const state = new JournalState(emptyBaseline('epoch'), aLog());
    const keys = Array.from({ length: 2_000 }, (_, n) => keep(state, `ops-${n}`, 'c1'));
    expect([...state.roots.keys()]).toEqual(keys.slice(-256));
  });

  it('are thinned out to the newest of each sink', () => {
    const state = new JournalState(emptyBaseline('epoch'), aLog());
    keep(state, 'ops', 'c1');
    keep(state, 'other', 'c1');
    const newest = [keep(state, 'other', 'c2'), keep(state, 'ops', 'c2')];
    expect(state.thinRoots()).toBe(true);
    expect([...state.roots.keys()]).toEqual(newest);
    expect(state.thinRoots()).toBe(false);
  });
});
