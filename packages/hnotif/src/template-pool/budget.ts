import type { Clock } from '@hnotif/core/clock';
import { Share } from '@hnotif/core/fair';
import { TEMPLATE_LIMITS, type TemplateSource, idOf } from '@hnotif/core/render';

const { budget, wasted } = TEMPLATE_LIMITS;

/** How long a run counts (milliseconds). */
const WINDOW_MS = 60_000;
/** Usage is added up in steps of this length (milliseconds). */
const STEP_MS = 1_000;

interface Used {
  readonly namespace: string;
  readonly id: string;
  /** Until when it counts (monotonic milliseconds). */
  readonly until: number;
  /** Whole microseconds: no rounding errors. */
  us: number;
}

/** The usage of a namespace's templates within the window, by their ids. */
interface Account {
  readonly share: Share;
  /** The names of templates, by id. */
  readonly names: Map<string, string>;
}

/**
 * The worker time that the templates of each namespace have used in the last minute. The templates share it (`Share`): a single one gets
 * at most half, so a slow template is suspended and the others go on.
 */
export class Budget {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();
  /** By step, namespace and template, the oldest first. */
  readonly #used = new Map<string, Used>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A template has run for `ms` milliseconds. `isWasted`: it exceeded a limit. */
  charge(template: TemplateSource, ms: number, isWasted: boolean): void {
    this.#expire();
    const { name, namespace = '' } = template;
    const us = Math.ceil(ms * 1000) * (isWasted ? wasted.value : 1);
    if (us === 0) return;
    const id = idOf(template);
    const account = this.#accounts.get(namespace) ?? {
      share: new Share(budget.value * 1000),
      names: new Map(),
    };
    this.#accounts.set(namespace, account);
    account.share.take(id, us);
    account.names.set(id, name);
    const step = Math.floor(this.#clock.monotonic() / STEP_MS);
    const key = `${step}/${namespace}/${id}`;
    const used = this.#used.get(key);
    if (used !== undefined) used.us += us;
    else this.#used.set(key, { namespace, id, until: (step + 1) * STEP_MS + WINDOW_MS, us });
  }

  /** Why a template may not run now, as the end of a sentence that begins with its name; undefined: it may. */
  refusal(template: TemplateSource): string | undefined {
    this.#expire();
    const account = this.#accounts.get(template.namespace ?? '');
    const id = idOf(template);
    if (account === undefined || account.share.admits(id)) return undefined;
    const { share, names } = account;
    let most = id;
    for (const each of names.keys()) if (share.held(each) > share.held(most)) most = each;
    const seconds = (us: number): number => Math.round(us / 1_000_000);
    const all = `the templates of its namespace have ${budget.value / 1000} s of worker time in a minute`;
    const used =
      most === id
        ? `it has used ${seconds(share.held(id))} s of them`
        : `they have used ${seconds(share.total)} s, most of them ${names.get(most) ?? ''} (${seconds(share.held(most))} s)`;
    return ` was not run: ${all}, and ${used} (a run that meets a limit counts ${wasted.value} times); make ${most === id ? 'it' : 'that template'} do less, or send fewer messages with it`;
  }

  #expire(): void {
    const now = this.#clock.monotonic();
    for (const [key, { namespace, id, until, us }] of this.#used) {
      if (until > now) return;
      this.#used.delete(key);
      const account = this.#accounts.get(namespace);
      account?.share.give(id, us);
      if (account?.share.held(id) === 0) account.names.delete(id);
      if (account?.share.total === 0) this.#accounts.delete(namespace);
    }
  }
}
