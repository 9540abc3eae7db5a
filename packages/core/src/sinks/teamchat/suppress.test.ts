import { expect, test } from 'vitest';
import { EVENT_KINDS } from '../../resources/kinds.ts';
import { anEvent } from '../../testing/events.ts';
import { suppresses } from './suppress.ts';

const progress = (state: string) =>
  anEvent('ExecutionProgress', 1, { targetExecution: { name: 'db', executor: 'rds', state, message: '' } });

test.each(['default', 'compact'] as const)(
  'with json, layout %s sends progress of a target only when it has ended',
  (layout) => {
    const config = { format: 'json', layout } as const;
    for (const state of ['Pending', 'Running']) expect(suppresses(progress(state), config)).toBe(true);
    for (const state of ['Completed', 'Failed', 'Aborted', 'Draining', ''])
      expect(suppresses(progress(state), config)).toBe(false);
  },
);

test('auto sends everything, and text has no layout', () => {
  for (const state of ['Pending', 'Running']) {
    expect(suppresses(progress(state), { format: 'json', layout: 'auto' })).toBe(false);
    expect(suppresses(progress(state), { format: 'text', layout: 'default' })).toBe(false);
  }
});

test('no other event is suppressed', () => {
  const targetExecution = { name: 'db', executor: 'rds', state: 'Running', message: '' };
  for (const kind of EVENT_KINDS.filter((each) => each !== 'ExecutionProgress'))
    expect(suppresses(anEvent(kind, 1, { targetExecution }), { format: 'json', layout: 'default' })).toBe(
      false,
    );
  expect(suppresses(anEvent('ExecutionProgress', 1), { format: 'json', layout: 'default' })).toBe(false);
});
