import type { KubeObject } from '../../kube.ts';
import type { Team } from '../../team.ts';
import { actAgain, type Acting, deck } from '../../dice.ts';
import { HANGS_MS, pause, until } from '../../wait.ts';
import type { Absence, Absent, NotificationSpec, SinkSpec, Stored, Unselected } from '../../record.ts';
import { CROWDED, FICKLE, furnish, JOURNALS, notify, TOLD_APART, whenKnown } from './setting.ts';
import type { JournalObject } from '../../journals.ts';
import type { Player } from './player.ts';
import { type Coverage, storedIn } from './coverage.ts';

/** A secret is invalid for at most this time (milliseconds). */
const BROKEN_MS = 1_500;

interface ChurnOptions extends Acting {
  /** The team whose namespace stays, and the one whose namespace is deleted. */
  readonly main: Team;
  readonly side: Team;
  readonly notifications: readonly NotificationSpec[];
  readonly configOf: (sink: SinkSpec) => object;
}

/** Acts again and again, and notes what was done. */
const acting = (
  acts: readonly (readonly [what: string, () => Promise<unknown>])[],
  options: Acting,
  done: string[],
): Promise<void> =>
  actAgain(acts, options, async ([what, act]) => {
    await act();
    done.push(what);
  });

/** Changes the configuration of hnotif: notifications, selectors and secrets. */
export function churning(options: ChurnOptions) {
  const { configOf, dice, main, notifications, paceMs, signal } = options;
  /** What was changed, in order, and what went wrong. */
  const [done, faults]: [string[], string[]] = [[], []];
  /** The times when a notification selected nothing, for sure or perhaps. */
  const absences = new Map<string, Unselected[]>(notifications.map(({ name }) => [name, []]));
  const put = (name: string, config: string): Promise<KubeObject> =>
    main.patch('secrets', name, { stringData: { config } });

  /** Makes a change. Until the status shows it, the old or the new state may apply. Resolves with the time when the status shows it. */
  const perhaps = async (name: string, change: () => Promise<KubeObject>): Promise<number> => {
    const from = Date.now();
    const changed = await change();
    await whenKnown(main, changed).catch((error: unknown) => faults.push(String(error)));
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
      const select = (matchLabels: object) => () =>
        main.patch('hibernatenotifications', name, { spec: { selector: { matchLabels } } });
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
        await main.kube.delete(main.path('hibernatenotifications', spec.name));
        await pause(dice.below(1_000));
        return notify(main, spec);
      });
    },
  };
  return {
    ...{ done, faults, absencesOf: (name: string): readonly Unselected[] => absences.get(name) ?? [] },
    /** Resolves when the signal aborts. */
    run: () => acting(Object.entries(acts), options, done),
  };
}

/** The time between two reads while objects are created or deleted (milliseconds). */
const LOOK_MS = 50;

interface RemovalsOptions extends ChurnOptions {
  readonly coverage: Coverage;
  /** Whether anything is removed. */
  readonly isActive: boolean;
  /** Resolves when a process serves. */
  readonly serving: () => Promise<unknown>;
  /** Plays a new plan of a team. `before`: the plan that it replaces, with the same name. */
  readonly newPlayer: (team: Team, before?: Player) => Player;
  /** The name of a plan in the record. */
  readonly nameOf: (uid: string) => string;
}

/** Deletes journals, plans, and a namespace with all its objects, and creates new ones. */
export function removing(options: RemovalsOptions) {
  const { configOf, coverage, dice, isActive, main, nameOf, newPlayer, notifications, serving, side } =
    options;
  const { kube } = main;
  const absences: Absence[] = [];
  /** What was removed, in order, and what went wrong. */
  const [done, faults]: [string[], string[]] = [[], []];
  const playing = new Set<Player>();
  const failed = (error: unknown): void => void faults.push(String(error));
  /** Plays a plan until it is removed. */
  const add = (team: Team, before?: Player): void => void playing.add(newPlayer(team, before));
  const playersIn = (team: Team): readonly Player[] =>
    [...playing].filter(({ options }) => options.team === team);
  /** Ends the play of these plans. They write nothing more. */
  const retire = async (all: readonly Player[]): Promise<void> => {
    await Promise.all(all.map((player) => player.retire()));
    for (const player of all) playing.delete(player);
  };
  const journals = async (): Promise<readonly JournalObject[]> =>
    (await kube.get(JOURNALS)).items as readonly JournalObject[];
  const storedInAll = (all: readonly JournalObject[]): ReadonlyMap<string, Stored> =>
    new Map(
      all
        .flatMap(({ spec }) => Object.entries(spec.plans ?? {}))
        .map(([uid, entry]) => [uid, storedIn(entry)]),
    );

  /**
   * Resolves with the deleted version. A process may write the journal between a read and the deletion; then it is read again. If a plan
   * moves, and has an older entry in another journal, the next process goes on from that: it is neither stored nor lost. Then nothing is deleted.
   */
  const deleteJournal = async ({ metadata: { name, uid } }: JournalObject): Promise<JournalObject[]> => {
    const path = main.path('hibernatenotificationjournals', name);
    for (;;) {
      const now = (await kube.ask('GET', path)).body as JournalObject;
      if (now.metadata.uid !== uid) return [];
      const isElsewhere = (await journals()).some(
        (other) =>
          other.metadata.uid !== uid &&
          Object.keys(now.spec.plans ?? {}).some((plan) => other.spec.plans?.[plan] !== undefined),
      );
      if (isElsewhere) return [];
      const { resourceVersion } = now.metadata;
      const only = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { resourceVersion } };
      const { code } = await kube.ask('DELETE', path, only);
      if (code < 300) return [now];
      if (code !== 404 && code !== 409) throw new Error(`DELETE ${path}: ${code}`);
    }
  };

  /** Deletes journals of the namespace that stays. Resolves when all their entries are in journals again. */
  const deleteJournals = (which: 'one' | 'all') => async (): Promise<void> => {
    // A process that is starting may or may not have read them. So wait until it serves.
    await serving();
    const all = (await journals()).filter(({ metadata }) => metadata.namespace === main.namespace);
    const one = dice.below(all.length);
    const chosen = which === 'all' ? all : all.slice(one, one + 1);
    const versions = coverage.versions();
    const from = Date.now();
    const removed = (await Promise.all(chosen.map(deleteJournal))).flat();
    const stored = storedInAll(removed);
    const deleted = new Set(removed.map(({ metadata }) => metadata.uid));
    // A journal with the same name is another one then.
    const again = (uid: string): Absent['again'] =>
      versions.get(uid)?.find(({ journal }) => !deleted.has(journal));
    // The entry of a deleted plan may have ended.
    const isThere = (uid: string): boolean => [...playing].some((player) => player.uid === uid);
    const isBack = (): boolean => [...stored.keys()].every((uid) => again(uid) ?? !isThere(uid));
    await until(isBack, { what: 'a deleted journal', limitMs: HANGS_MS }).catch(failed);
    const plans = [...stored].map(([uid, each]) => [nameOf(uid), { stored: each, again: again(uid) }]);
    absences.push({ from, to: Date.now(), plans: Object.fromEntries(plans) as Absence['plans'] });
  };

  const replacePlans = async (): Promise<void> => {
    const count = 1 + dice.below(3);
    // Crowded plans stay, so that deliveries for their dead sinks pile up.
    const all = playersIn(main).filter(({ options: { labels } }) => labels.team !== CROWDED);
    const next = deck(all, dice);
    for (let each = 0; each < Math.min(count, all.length); each++) {
      const player = next();
      const { labels, name, team } = player.options;
      await retire([player]);
      await team.remove(name);
      add(main, labels.team === TOLD_APART ? player : undefined);
    }
  };

  const replaceNamespace = async (): Promise<void> => {
    const path = `/api/v1/namespaces/${side.namespace}`;
    const all = playersIn(side);
    await retire(all);
    const stored = storedInAll(await journals());
    const from = Date.now();
    await kube.delete(path);
    while ((await kube.ask('GET', path)).code !== 404) await pause(LOOK_MS);
    const to = Date.now();
    // A plan without an entry was not seen yet.
    for (const { options, uid } of all)
      options.team.removed(options.name, { from, to, withNamespace: stored.get(uid) ?? storedIn({}) });
    // Plans and notifications come by two watches: an event goes to the notifications that are known when it is seen.
    const created = await furnish(side, notifications, configOf);
    await Promise.all(created.map((each) => whenKnown(side, each))).catch(failed);
    for (const _ of all) add(side);
  };

  const one = ['a journal is deleted', deleteJournals('one')] as const;
  const all = ['all journals are deleted', deleteJournals('all')] as const;
  const plans = ['plans are deleted, and others created', replacePlans] as const;
  const namespace = ['a namespace is deleted and created again', replaceNamespace] as const;
  return {
    ...{ absences, done, faults, add },
    /** Removes objects until the signal aborts. Resolves when no plan is played any more. */
    async run() {
      const acts = [one, plans, one, plans, all, one, plans, namespace];
      if (isActive) await acting(acts, options, done);
      await Promise.all([...playing].map(({ ended }) => ended));
    },
  };
}
