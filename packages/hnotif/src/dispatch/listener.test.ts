import { expect, it } from 'vitest';
import { report, type DispatchListener } from './listener.ts';

const quiet: DispatchListener = {
  settled() {},
  attempted() {},
  waits() {},
  resumed() {},
  degraded() {},
  sendFailed() {},
  circuitClosed() {},
  fault() {},
};

it('reports a listener that throws, and continues', () => {
  const faults: unknown[] = [];
  const listener: DispatchListener = {
    ...quiet,
    circuitClosed() {
      throw new Error('boom');
    },
    fault(error) {
      faults.push(error);
      throw new Error('again');
    },
  };
  report(listener, 'circuitClosed', { namespace: 'team-a', notification: 'n', sink: 's' }, 0, 0);
  expect(faults).toEqual([new Error('boom')]);
});
