import { setTimeout } from 'node:timers/promises';
import type { Kube, KubeObject } from '../support/kube.ts';
import { deck, type Dice } from '../storm/dice.ts';
import type { NotificationSpec, SinkSpec, Unselected } from './record.ts';
import { createNotification, FICKLE, MAIN, NAMESPACES, notificationsIn } from './setting.ts';

/** Between two looks at a status (milliseconds). */
const LOOK_MS = 50;
/** A change that no status tells of in this time is not seen (milliseconds): processes are killed meanwhile. */
const LONGEST_MS = 120_000;
/** A secret that cannot be read is mended after at most so long (milliseconds). */
const BROKEN_MS = 1_500;

export interface ChurnOptions {
  readonly kube: Kube;
  readonly dice: Dice;
  /** Between two changes, on the average (milliseconds). */
  readonly paceMs: number;
  /** Nothing more is changed. */
  readonly signal: AbortSignal;
  readonly notifications: readonly NotificationSpec[];
  readonly configOf: (sink: SinkSpec) => object;
}

/** Changes what hnotif is configured with: what is told to whom, and with which credential. */
export class Churn {
  /** What was changed, each time. */
  readonly done: string[] = [];
  readonly faults: string[] = [];
  readonly #options: ChurnOptions;
  readonly #absences = new Map<string, Unselected[]>();
  #secrets = 0;

  constructor(options: ChurnOptions) {
    this.#options = options;
  }

  /** When a notification selected nothing, or may have. */
  absencesOf(notification: string): readonly Unselected[] {
    return this.#absences.get(notification) ?? [];
  }

  async run(): Promise<void> {
    const { dice, paceMs, signal } = this.#options;
    const acts: readonly (readonly [string, () => Promise<void>])[] = [
      ['a secret is written anew', () => this.#writeSecret()],
      ['a secret cannot be read for a moment', () => this.#breakSecret()],
      ['a notification selects nothing for a while', () => this.#unselect()],
      ['a notification is deleted, and made again', () => this.#makeAgain()],
    ];
    const next = deck(acts, dice);
    while (!signal.aborted) {
      await this.#pause(2 * paceMs * dice.next());
      if (signal.aborted) break;
      const [what, act] = next();
      await act();
      this.done.push(what);
    }
  }

  /** The same configuration with other words, which change nothing. */
  async #writeSecret(): Promise<void> {
    const { configOf, dice, notifications } = this.#options;
    const sinks = notifications.flatMap((each) => each.sinks).filter(({ form }) => form !== 'botchat');
    const sink = sinks[dice.below(sinks.length)];
    if (sink === undefined) return;
    const n = ++this.#secrets;
    const words =
      sink.form === 'webhook' ? { headers: { 'x-secret': String(n) } } : { max_targets: 1 + (n % 20) };
    await this.#put(sink.name, JSON.stringify({ ...configOf(sink), ...words }));
  }

  async #breakSecret(): Promise<void> {
    const { configOf, dice } = this.#options;
    const name = dice.hits(0.5) ? FICKLE.itself : FICKLE.selector;
    await this.#put(name, '{');
    await setTimeout(dice.below(BROKEN_MS));
    await this.#put(name, JSON.stringify(configOf({ name, form: 'webhook' })));
  }

  async #put(name: string, config: string): Promise<void> {
    await this.#options.kube.patch(`${NAMESPACES}/${MAIN}/secrets/${name}`, { stringData: { config } });
  }

  async #unselect(): Promise<void> {
    const { dice, kube, paceMs } = this.#options;
    const name = FICKLE.selector;
    const path = `${notificationsIn(MAIN)}/${name}`;
    const select = (team: string) => () =>
      kube.patch(path, { spec: { selector: { matchLabels: { team } } } });
    const since = await this.#perhaps(name, select('none'));
    await this.#pause(paceMs * dice.next());
    const until = Date.now();
    this.#note(name, { from: since, to: until, isSure: true });
    await this.#perhaps(name, select(this.#teamOf(name)));
  }

  /** Deleted for less than the time after which what waits for it is dropped. */
  async #makeAgain(): Promise<void> {
    const { dice, kube, notifications } = this.#options;
    const spec = notifications.find(({ name }) => name === FICKLE.itself);
    if (spec === undefined) return;
    await this.#perhaps(spec.name, async () => {
      await kube.delete(`${notificationsIn(MAIN)}/${spec.name}`);
      await setTimeout(dice.below(1_000));
      return createNotification(kube, MAIN, spec);
    });
  }

  /** From before the change until its status tells of it, each of both may be so. Resolves with when it told. */
  async #perhaps(name: string, change: () => Promise<KubeObject>): Promise<number> {
    const from = Date.now();
    const { metadata } = await change();
    const isSeen = async (): Promise<boolean> => {
      const { status, metadata: now } = await this.#options.kube.get(`${notificationsIn(MAIN)}/${name}`);
      const { observedGeneration = 0 } = (status ?? {}) as { readonly observedGeneration?: number };
      return now.uid === metadata.uid && observedGeneration >= (metadata.generation ?? 0);
    };
    while (!(await isSeen())) {
      if (Date.now() > from + LONGEST_MS) {
        this.faults.push(`no status tells of a change of the notification ${name}`);
        break;
      }
      await setTimeout(LOOK_MS);
    }
    const to = Date.now();
    this.#note(name, { from, to, isSure: false });
    return to;
  }

  #note(name: string, absence: Unselected): void {
    this.#absences.set(name, [...this.absencesOf(name), absence]);
  }

  #teamOf(name: string): string {
    return this.#options.notifications.find((spec) => spec.name === name)?.matchLabels.team ?? '';
  }

  async #pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#options.signal }).catch(() => undefined);
  }
}
