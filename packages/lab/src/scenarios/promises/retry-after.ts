import { promise } from '../../stage.ts';
import { TurnedClock } from '../../turned-clock.ts';

const MINUTE_MS = 60_000;
const clock = new TurnedClock();

export const retryAfter = promise(
  'retry-after',
  'a receiver that answers 503 with Retry-After for ten minutes loses no message',
  async (stage) => {
    const { team, receiver } = stage;
    await team.plan('orders');
    const fault = { kind: 'status', status: 503, retryAfter: { inSeconds: 600 } } as const;
    const lift = receiver.faults.add({ fault });
    await team.begins('orders');
    await team.succeeds('orders');
    // A turn before hnotif has read the answer would end the request.
    await stage.world.logged(/"outcome":"throttled"/);
    for (let minute = 0; minute < 10; minute++) clock.turn(MINUTE_MS);
    lift();
  },
  () => ({ clock }),
);
