import { pino } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import type { KubeClient } from '../../../../hnotif/src/cluster/client.ts';
import { Reflector } from '../../../../hnotif/src/cluster/reflector.ts';
import { DEFAULT_API_GROUP, defaultPlanResource } from '@hnotif/core/resources';
import { parsePlan } from '@hnotif/core/resources';
import type { Plan } from '@hnotif/core/resources';
import type { Checker } from './checker.ts';
import { WATCHDOG_MS } from './clock.ts';
import type { Dice } from '../../dice.ts';
import { seenOf } from './plan.ts';

export interface FollowerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly dice: Dice;
  readonly checker: Checker;
  /** Called when a watch has ended. */
  readonly restarted: () => void;
}

/** hnotif's reflector. Its handler passes on each call, and throws now and then. */
export class Follower {
  readonly reflector: Reflector<Plan>;
  readonly #options: FollowerOptions;
  readonly #counts = new Map<string, number>();
  #told = 0;
  #thrown = 0;
  #reported = 0;
  #logged = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { client, clock, checker } = options;
    this.reflector = new Reflector({
      client,
      clock,
      type: defaultPlanResource(DEFAULT_API_GROUP),
      parse: parsePlan,
      pageSize: 50,
      idleMs: WATCHDOG_MS,
      log: pino({ level: 'debug' }, { write: this.#log.bind(this) }),
      hooks: {
        listed: () => {
          this.#count('listed');
        },
        watchRestarted: (reason) => {
          this.#count(`watch ${reason}`);
          options.restarted();
        },
        failed: (reason) => {
          this.#count(`failed ${reason}`);
        },
        unreadable: () => {
          checker.violation('an object could not be read');
        },
        handlerFailed: () => this.#reported++,
      },
      handler: {
        changed: (plan, previous) => {
          checker.changed(seenOf(plan), previous && seenOf(previous));
          if (this.reflector.get(plan.namespace, plan.name) !== plan)
            checker.violation(`${plan.name} differs from the reflector's copy during the call`);
          this.#maybeThrow();
        },
        deleted: (plan) => {
          checker.deleted(seenOf(plan));
          this.#maybeThrow();
        },
        synced: () => {
          checker.synced();
          this.#maybeThrow();
        },
      },
    });
  }

  /** The reflector's reports about itself, with their numbers. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** The number of calls of the handler. */
  get told(): number {
    return this.#told;
  }

  get thrown(): number {
    return this.#thrown;
  }

  /** Each call that threw must be reported to the hook, and logged once. */
  checkReports(): void {
    if (this.#reported === this.#thrown && this.#logged === this.#thrown) return;
    this.#options.checker.violation(
      `the handler threw ${this.#thrown} times: ${this.#reported} reported, ${this.#logged} logged`,
    );
  }

  #maybeThrow(): void {
    this.#told++;
    if (!this.#options.dice.hits(0.02)) return;
    this.#thrown++;
    throw new Error('a fault of the handler');
  }

  #log(line: string): void {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
    if (msg === 'fault in a handler of changes' && err?.message === 'a fault of the handler') this.#logged++;
    else if (err !== undefined) this.#options.checker.violation(`logged: ${msg}: ${err.message}`);
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}
