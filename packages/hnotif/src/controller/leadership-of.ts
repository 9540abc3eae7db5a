import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { systemClock } from '@hnotif/core/clock';
import { Election, newIdentity } from '../cluster/election.ts';
import { ElectionThread } from '../cluster/election-thread.ts';
import { podNamespace } from '../cluster/in-cluster.ts';
import { unelected, type Leadership } from '../cluster/leadership.ts';
import { USER_AGENT, type Api } from './api.ts';
import type { ControllerOptions } from './options.ts';

/** The election runs in its own thread. With the clock of a test it runs in this thread. */
export async function leadershipOf(options: ControllerOptions, api: Api, log: Logger): Promise<Leadership> {
  const { clock, leaderElect, instance, leaseName: name = instance, env } = options;
  const identity = newIdentity(options.hostName ?? hostname());
  if (!leaderElect) return unelected(identity, clock ?? systemClock);
  const namespace = options.leaseNamespace ?? (await podNamespace());
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = options;
  const timing = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  const mended = (): void => {
    // A renewal is usually the first request that succeeds after an outage.
    api.client.outage.answered();
  };
  const election = { ...timing, log, identity, namespace, name, mended };
  return clock === undefined
    ? new ElectionThread({ ...election, source: api.source, env, userAgent: USER_AGENT })
    : new Election({ ...election, client: api.client, clock });
}
