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
export class Victim {
  readonly team: Team;
  readonly receiver: WebhookReceiver;
  readonly #options: VictimOptions;
  readonly #sent = new Map<string, Sent>();
  readonly #steps: number[];
  #next = 0;

  private constructor(team: Team, receiver: WebhookReceiver, options: VictimOptions) {
    this.team = team;
    this.receiver = receiver;
    this.#options = options;
    this.#steps = Array<number>(options.plans).fill(0);
    receiver.faults.add({ match: { path: '/hang' }, fault: { kind: 'hang' } });
    receiver.faults.add({
      match: { path: `/${NAME}` },
      fault: { kind: 'status', status: 200, headers: { connection: 'close' } },
    });
    receiver.onRecord((record) => {
      if (record.path !== `/${NAME}`) return;
      const { plan, event, operation, cycleId } = contextOf(record);
      const sent = this.#sent.get(keyOf(plan.name, event, operation, cycleId));
      if (sent !== undefined) sent.arrivedAt ??= record.arrivedMonotonic;
    });
  }

  static async start(team: Team, { labels, annotations }: Private, options: VictimOptions): Promise<Victim> {
    const receiver = await startWebhookReceiver({ keep: 100 });
    const { host = '127.0.0.1', plans, template } = options;
    const templateRef = template === undefined ? undefined : { name: NAME };
    if (template !== undefined) await team.template(NAME, template);
    const url = `http://${host}:${receiver.port}/${NAME}`;
    await team.secret(NAME, { url, enable_renderer: template !== undefined });
    await team.notification(NAME, {
      onEvents: ['Start', 'Success'],
      sinks: [{ name: NAME, ...(templateRef && { templateRef }) }],
    });
    await inParallel(plans, (index) => team.plan(planName(index), ['db'], { labels, annotations }));
    return new Victim(team, receiver, options);
  }

  /** Writes statuses at the given pace for `ms`, without waiting for messages. Then it waits for missing messages, at most `graceMs`. */
  async measure(ms: number, graceMs: number): Promise<Latencies> {
    this.#sent.clear();
    const begun = performance.now();
    const writes: Promise<void>[] = [];
    for (let passed = 0; passed < ms; passed = performance.now() - begun) {
      while (writes.length < (passed / 1000) * this.#options.perSecond) writes.push(this.#write());
      await pause(5);
    }
    await Promise.all(writes);
    await this.#arrived(graceMs);
    return this.#latency();
  }

  /** Sends one message of each plan, so that its journal and other objects exist. Resolves with whether all have arrived. */
  async warmUp(limitMs: number): Promise<boolean> {
    this.#sent.clear();
    await inParallel(this.#options.plans, () => this.#write());
    await this.#arrived(limitMs);
    return this.#latency().waiting.length === 0;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  /** The next plan begins its night, ends it, begins its morning, or ends it. */
  async #write(): Promise<void> {
    const index = this.#next++ % this.#options.plans;
    const step = this.#steps[index] ?? 0;
    this.#steps[index] = step + 1;
    const name = planName(index);
    const operation = step % 4 < 2 ? 'shutdown' : 'wakeup';
    const cycle = `cycle-${Math.floor(step / 4)}`;
    const isBegin = step % 2 === 0;
    const sent: Sent = { askedAt: performance.now(), writtenAt: undefined, arrivedAt: undefined };
    const shown = operation === 'shutdown' ? 'Hibernate' : 'WakeUp';
    this.#sent.set(keyOf(name, isBegin ? 'Start' : 'Success', shown, cycle), sent);
    await (isBegin
      ? this.team.begins(name, { operation, cycle })
      : this.team.write(name, (status, at) =>
          succeed(poll(status, [{ target: 'db', state: 'Completed' }], at), at),
        ));
    sent.writtenAt = performance.now();
  }

  async #arrived(limitMs: number): Promise<void> {
    const until = performance.now() + limitMs;
    const isMissing = ({ arrivedAt }: Sent): boolean => arrivedAt === undefined;
    while (performance.now() < until && [...this.#sent.values()].some(isMissing)) await pause(20);
  }

  #latency(): Latencies {
    const now = performance.now();
    const arrived: number[] = [];
    const waiting: number[] = [];
    const writes: number[] = [];
    for (const { askedAt, writtenAt = now, arrivedAt } of this.#sent.values()) {
      writes.push(writtenAt - askedAt);
      if (arrivedAt === undefined) waiting.push(now - writtenAt);
      else arrived.push(Math.max(0, arrivedAt - writtenAt));
    }
    return { arrived, waiting, writes };
  }
}

const planName = (index: number): string => `plan-${index}`;

const keyOf = (...parts: readonly string[]): string => parts.join(' ');
