import { pino } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import type { KubeClient } from '../../../../hnotif/src/cluster/client.ts';
import { Reflector } from '../../../../hnotif/src/cluster/reflector.ts';
import type { ReflectorHandler } from '../../../../hnotif/src/cluster/reflector-options.ts';
import { DEFAULT_API_GROUP, defaultPlanResource, parsePlan, type Plan } from '@hnotif/core/resources';
import { type Checker, seenOf } from './checker.ts';
import { WATCHDOG_MS } from './clock.ts';
import type { Dice } from '../../dice.ts';

interface FollowerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly dice: Dice;
  readonly checker: Checker;
  /** Called when a watch has ended. */
  readonly restarted: () => void;
}

const FAULT = 'a fault of the handler';

/** hnotif's reflector. Its handler passes on each call, and throws now and then. */
export class Follower {
  readonly reflector: Reflector<Plan>;
  readonly handler: ReflectorHandler<Plan>;
  /** The reflector's reports about itself, with their numbers. */
  readonly counts = new Map<string, number>();
  /** The calls of the handler, and those that threw: each of them must be reported to the hook, and logged once. */
  told = 0;
  thrown = 0;
  readonly #violations: string[];
  #reported = 0;
  #logged = 0;

  constructor({ client, clock, dice, checker, restarted }: FollowerOptions) {
    const { violations } = checker;
    this.#violations = violations;
    const count = (what: string): void => void this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
    const maybeThrow = (): void => {
      this.told++;
      if (!dice.hits(0.02)) return;
      this.thrown++;
      throw new Error(FAULT);
    };
    this.reflector = new Reflector({
      ...{ client, clock, type: defaultPlanResource(DEFAULT_API_GROUP), parse: parsePlan },
      ...{
        pageSize: 50,
        idleMs: WATCHDOG_MS,
        log: pino({ level: 'debug' }, { write: this.#log.bind(this) }),
      },
      hooks: {
        listed: () => count('listed'),
        watchRestarted: (reason) => {
          count(`watch ${reason}`);
          restarted();
        },
        failed: (reason) => count(`failed ${reason}`),
        unreadable: () => violations.push('an object could not be read'),
        handlerFailed: () => this.#reported++,
      },
    });
    this.handler = {
      changed: (plan, previous) => {
        checker.changed(seenOf(plan), previous && seenOf(previous));
        if (this.reflector.get(plan.namespace, plan.name) !== plan)
          violations.push(`${plan.name} differs from the reflector's copy during the call`);
        maybeThrow();
      },
      deleted: (plan) => {
        checker.deleted(seenOf(plan));
        maybeThrow();
      },
      synced: () => {
        checker.synced();
        maybeThrow();
      },
    };
  }

  checkReports(): void {
    if (this.#reported !== this.thrown || this.#logged !== this.thrown)
      this.#violations.push(
        `the handler threw ${this.thrown} times: ${this.#reported} reported, ${this.#logged} logged`,
      );
  }

  #log(line: string): void {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
    if (msg === 'fault in a handler of changes' && err?.message === FAULT) this.#logged++;
    else if (err !== undefined) this.#violations.push(`logged: ${msg}: ${err.message}`);
  }
}
