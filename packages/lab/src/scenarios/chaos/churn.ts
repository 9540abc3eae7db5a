import type { Kube, KubeObject } from '../../kube.ts';
import { actAgain, type Acting } from '../../dice.ts';
import { pause } from '../../wait.ts';
import type { NotificationSpec, SinkSpec, Unselected } from '../../record.ts';
import { createNotification, FICKLE, MAIN, NAMESPACES, notificationsIn, whenKnown } from './setting.ts';

/** A secret is invalid for at most this time (milliseconds). */
const BROKEN_MS = 1_500;

export interface ChurnOptions extends Acting {
  readonly kube: Kube;
  readonly notifications: readonly NotificationSpec[];
  readonly configOf: (sink: SinkSpec) => object;
}

/** Changes the configuration of hnotif: notifications, selectors and secrets. */
export class Churn {
  /** The changes, in order. */
  readonly done: string[] = [];
  readonly faults: string[] = [];
  readonly #options: ChurnOptions;
  readonly #absences = new Map<string, Unselected[]>();
  #secrets = 0;

  constructor(options: ChurnOptions) {
    this.#options = options;
  }

  /** The times when a notification selected nothing, for sure or perhaps. */
  absencesOf(notification: string): readonly Unselected[] {
    return this.#absences.get(notification) ?? [];
  }

  async run(): Promise<void> {
    const acts: readonly (readonly [string, () => Promise<void>])[] = [
      ['a secret is rewritten', () => this.#writeSecret()],
      ['a secret is invalid for a moment', () => this.#breakSecret()],
      ['a notification selects nothing for a while', () => this.#unselect()],
      ['a notification is deleted and created again', () => this.#makeAgain()],
    ];
    await actAgain(acts, this.#options, async ([what, act]) => {
      await act();
      this.done.push(what);
    });
  }

  /** Writes an equivalent configuration. */
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
    await pause(dice.below(BROKEN_MS));
    await this.#put(name, JSON.stringify(configOf({ name, form: 'webhook' })));
  }

  async #put(name: string, config: string): Promise<void> {
    await this.#options.kube.patch(`${NAMESPACES}/${MAIN}/secrets/${name}`, { stringData: { config } });
  }

  async #unselect(): Promise<void> {
    const { dice, kube, paceMs, signal } = this.#options;
    const name = FICKLE.selector;
    const path = `${notificationsIn(MAIN)}/${name}`;
    const select = (team: string) => () =>
      kube.patch(path, { spec: { selector: { matchLabels: { team } } } });
    const since = await this.#perhaps(name, select('none'));
    await pause(paceMs * dice.next(), signal);
    const until = Date.now();
    this.#note(name, { from: since, to: until, isSure: true });
    await this.#perhaps(name, select(this.#teamOf(name)));
  }

  /** Deletes a notification for less than the time after which its waiting deliveries are dropped. */
  async #makeAgain(): Promise<void> {
    const { dice, kube, notifications } = this.#options;
    const spec = notifications.find(({ name }) => name === FICKLE.itself);
    if (spec === undefined) return;
    await this.#perhaps(spec.name, async () => {
      await kube.delete(`${notificationsIn(MAIN)}/${spec.name}`);
      await pause(dice.below(1_000));
      return createNotification(kube, MAIN, spec);
    });
  }

  /** Makes a change. Until the status shows it, the old or the new state may apply. Resolves with the time when the status shows it. */
  async #perhaps(name: string, change: () => Promise<KubeObject>): Promise<number> {
    const from = Date.now();
    const changed = await change();
    await whenKnown(this.#options.kube, MAIN, changed).catch((error: unknown) =>
      this.faults.push(String(error)),
    );
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
}
