import { startWebhookReceiver, type WebhookReceiver } from '@hnotif/receivers';
import { poll, succeed } from '@hnotif/core/lifecycle';
import { contextOf } from '../../payload.ts';
import type { Team } from '../../team.ts';
import { inParallel, pause } from '../../wait.ts';
import type { Latencies } from './row.ts';

export interface VictimOptions {
  /** The host of its receiver. Default: 127.0.0.1, which needs no look-up. */
  readonly host?: string;
  /** A custom template: then its messages need a template worker. */
  readonly template?: string;
  readonly plans: number;
  /** Status writes per second, of all plans together. */
  readonly perSecond: number;
}

/** Private texts on the victim's objects. */
export interface Private {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A message. Its latency is from the answer to the status write to its arrival (monotonic milliseconds). */
interface Sent {
  readonly askedAt: number;
  writtenAt: number | undefined;
  arrivedAt: number | undefined;
}

const NAME = 'nights';

/** A team with a healthy receiver. Each of its messages needs a new connection, as after a quiet time. */
export interface Victim {
  readonly team: Team;
  readonly receiver: WebhookReceiver;
  /** Writes statuses at the given pace for `ms`, without waiting for messages. Then it waits for missing messages, at most `graceMs`. */
  measure(ms: number, graceMs: number): Promise<Latencies>;
  /** Sends one message of each plan, so that its journal and other objects exist. Resolves with whether all have arrived. */
  warmUp(limitMs: number): Promise<boolean>;
}

export async function startVictim(team: Team, own: Private, options: VictimOptions): Promise<Victim> {
  const { host = '127.0.0.1', perSecond, plans, template } = options;
  const receiver = await startWebhookReceiver({ keep: 100 });
  receiver.faults.add({ match: { path: '/hang' }, fault: { kind: 'hang' } });
  receiver.faults.add({
    match: { path: `/${NAME}` },
    fault: { kind: 'status', status: 200, headers: { connection: 'close' } },
  });
  const allSent = new Map<string, Sent>();
  receiver.onRecord((record) => {
    if (record.path !== `/${NAME}`) return;
    const { plan, event, operation, cycleId } = contextOf(record);
    const sent = allSent.get(keyOf(plan.name, event, operation, cycleId));
    if (sent !== undefined) sent.arrivedAt ??= record.arrivedMonotonic;
  });
  const templateRef = template === undefined ? undefined : { name: NAME };
  if (template !== undefined) await team.template(NAME, template);
  const url = `http://${host}:${receiver.port}/${NAME}`;
  await team.secret(NAME, { url, enable_renderer: template !== undefined });
  await team.notification(NAME, {
    onEvents: ['Start', 'Success'],
    sinks: [{ name: NAME, ...(templateRef && { templateRef }) }],
  });
  await inParallel(plans, (index) => team.plan(planName(index), ['db'], own));

  let writes = 0;
  /** The next plan begins its night, ends it, begins its morning, or ends it. */
  const write = async (): Promise<void> => {
    const [name, step] = [planName(writes % plans), Math.floor(writes / plans)];
    writes++;
    const operation = step % 4 < 2 ? 'shutdown' : 'wakeup';
    const cycle = `cycle-${Math.floor(step / 4)}`;
    const isBegin = step % 2 === 0;
    const sent: Sent = { askedAt: performance.now(), writtenAt: undefined, arrivedAt: undefined };
    const shown = operation === 'shutdown' ? 'Hibernate' : 'WakeUp';
    allSent.set(keyOf(name, isBegin ? 'Start' : 'Success', shown, cycle), sent);
    await (isBegin
      ? team.begins(name, { operation, cycle })
      : team.write(name, (status, at) =>
          succeed(poll(status, [{ target: 'db', state: 'Completed' }], at), at),
        ));
    sent.writtenAt = performance.now();
  };

  /** The latencies of what is sent meanwhile. */
  const latencies = async (play: () => Promise<unknown>, graceMs: number): Promise<Latencies> => {
    allSent.clear();
    await play();
    const isMissing = ({ arrivedAt }: Sent): boolean => arrivedAt === undefined;
    for (const end = performance.now() + graceMs; [...allSent.values()].some(isMissing); await pause(20))
      if (performance.now() > end) break;
    const now = performance.now();
    const found = { arrived: [] as number[], waiting: [] as number[], writes: [] as number[] };
    for (const { askedAt, writtenAt = now, arrivedAt } of allSent.values()) {
      found.writes.push(writtenAt - askedAt);
      if (arrivedAt === undefined) found.waiting.push(now - writtenAt);
      else found.arrived.push(Math.max(0, arrivedAt - writtenAt));
    }
    return found;
  };

  return {
    ...{ team, receiver },
    measure: (ms, graceMs) =>
      latencies(async () => {
        const begun = performance.now();
        const running: Promise<void>[] = [];
        for (let passed = 0; passed < ms; passed = performance.now() - begun) {
          while (running.length < (passed / 1000) * perSecond) running.push(write());
          await pause(5);
        }
        await Promise.all(running);
      }, graceMs),
    warmUp: async (limitMs) =>
      (await latencies(() => inParallel(plans, write), limitMs)).waiting.length === 0,
  };
}

const planName = (index: number): string => `plan-${index}`;

const keyOf = (...parts: readonly string[]): string => parts.join(' ');
