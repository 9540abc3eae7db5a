import type { Kube, KubeObject } from '../../kube.ts';
import { actAgain, type Acting } from '../../dice.ts';
import { pause } from '../../wait.ts';
import type { NotificationSpec, SinkSpec, Unselected } from '../../record.ts';
import { createNotification, FICKLE, MAIN, NAMESPACES, notificationsIn, whenKnown } from './setting.ts';

/** A secret is invalid for at most this time (milliseconds). */
const BROKEN_MS = 1_500;

interface ChurnOptions extends Acting {
  readonly kube: Kube;
  readonly notifications: readonly NotificationSpec[];
  readonly configOf: (sink: SinkSpec) => object;
}

/** What was changed, in order, and what went wrong. */
export interface Changes {
  readonly done: readonly string[];
  readonly faults: readonly string[];
}

export interface Churn extends Changes {
  /** The times when a notification selected nothing, for sure or perhaps. */
  absencesOf(notification: string): readonly Unselected[];
  /** Resolves when the signal aborts. */
  run(): Promise<void>;
}

/** Changes the configuration of hnotif: notifications, selectors and secrets. */
export function churning(options: ChurnOptions): Churn {
  const { configOf, dice, kube, notifications, paceMs, signal } = options;
  const done: string[] = [];
  const faults: string[] = [];
  const absences = new Map<string, Unselected[]>(notifications.map(({ name }) => [name, []]));
  const put = (name: string, config: string): Promise<KubeObject> =>
    kube.patch(`${NAMESPACES}/${MAIN}/secrets/${name}`, { stringData: { config } });

  /** Makes a change. Until the status shows it, the old or the new state may apply. Resolves with the time when the status shows it. */
  const perhaps = async (name: string, change: () => Promise<KubeObject>): Promise<number> => {
    const from = Date.now();
    const changed = await change();
    await whenKnown(kube, MAIN, changed).catch((error: unknown) => faults.push(String(error)));
    const to = Date.now();
    absences.get(name)?.push({ from, to, isSure: false });
    return to;
  };

  let secrets = 0;
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    'a secret is rewritten': async () => {
      const sinks = notifications.flatMap((each) => each.sinks).filter(({ form }) => form !== 'botchat');
      const sink = sinks[dice.below(sinks.length)];
      if (sink === undefined) return;
      const n = ++secrets;
      // An equivalent configuration.
      const words =
        sink.form === 'webhook' ? { headers: { 'x-secret': String(n) } } : { max_targets: 1 + (n % 20) };
      await put(sink.name, JSON.stringify({ ...configOf(sink), ...words }));
    },
    'a secret is invalid for a moment': async () => {
      const name = dice.hits(0.5) ? FICKLE.itself : FICKLE.selector;
      await put(name, '{');
      await pause(dice.below(BROKEN_MS));
      await put(name, JSON.stringify(configOf({ name, form: 'webhook' })));
    },
    'a notification selects nothing for a while': async () => {
      const name = FICKLE.selector;
      const path = `${notificationsIn(MAIN)}/${name}`;
      const select = (matchLabels: object) => () => kube.patch(path, { spec: { selector: { matchLabels } } });
      const from = await perhaps(name, select({ team: 'none' }));
      await pause(paceMs * dice.next(), signal);
      absences.get(name)?.push({ from, to: Date.now(), isSure: true });
      await perhaps(name, select(notifications.find((spec) => spec.name === name)?.matchLabels ?? {}));
    },
    // For less than the time after which its waiting deliveries are dropped.
    'a notification is deleted and created again': async () => {
      const spec = notifications.find(({ name }) => name === FICKLE.itself);
      if (spec === undefined) return;
      await perhaps(spec.name, async () => {
        await kube.delete(`${notificationsIn(MAIN)}/${spec.name}`);
        await pause(dice.below(1_000));
        return createNotification(kube, MAIN, spec);
      });
    },
  };
  return {
    ...{ done, faults, absencesOf: (name) => absences.get(name) ?? [] },
    run: () =>
      actAgain(Object.entries(acts), options, async ([what, act]) => {
        await act();
        done.push(what);
      }),
  };
}
