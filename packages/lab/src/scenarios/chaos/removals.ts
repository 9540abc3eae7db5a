import type { JournalObject } from '../../journals.ts';
import type { Kube } from '../../kube.ts';
import { actAgain, deck, type Acting } from '../../dice.ts';
import { HANGS_MS, pause, until } from '../../wait.ts';
import type { Player } from './player.ts';
import type { Absence, Absent, NotificationSpec, Stored } from '../../record.ts';
import { storedIn, type Coverage } from './coverage.ts';
import {
  CROWDED,
  furnish,
  JOURNALS,
  journalsIn,
  MAIN,
  NAMESPACES,
  SIDE,
  TOLD_APART,
  whenKnown,
} from './setting.ts';

/** The time between two reads while objects are created or deleted (milliseconds). */
const LOOK_MS = 50;

export interface RemovalsOptions extends Acting {
  readonly kube: Kube;
  readonly coverage: Coverage;
  /** Whether anything is removed. */
  readonly isActive: boolean;
  /** Resolves when a process serves. */
  readonly serving: () => Promise<unknown>;
  readonly notifications: readonly NotificationSpec[];
  readonly configOf: Parameters<typeof furnish>[3];
  /** Plays a new plan in a namespace. `before`: the plan that it replaces, with the same name. */
  readonly newPlayer: (namespace: string, before?: Player) => Player;
  /** The name of a plan in the record. */
  readonly nameOf: (uid: string) => string;
}

type Act = readonly [what: string, () => Promise<void>];

/** Deletes journals, plans, and a namespace with all its objects, and creates new ones. */
export class Removals {
  readonly absences: Absence[] = [];
  /** The removals, in order. */
  readonly done: string[] = [];
  /** Journals that were not created again. */
  readonly faults: string[] = [];
  readonly #options: RemovalsOptions;
  readonly #playing = new Set<Player>();

  constructor(options: RemovalsOptions) {
    this.#options = options;
  }

  /** Plays a plan until it is removed. */
  add(namespace: string, before?: Player): void {
    this.#playing.add(this.#options.newPlayer(namespace, before));
  }

  /** Removes objects until the signal aborts. Resolves when no plan is played any more. */
  async run(): Promise<void> {
    if (this.#options.isActive) await this.#removeAll();
    await Promise.all([...this.#playing].map(({ ended }) => ended));
  }

  async #removeAll(): Promise<void> {
    const { dice } = this.#options;
    const one: Act = ['a journal is deleted', () => this.#deleteJournals('one')];
    const all: Act = ['all journals are deleted', () => this.#deleteJournals('all')];
    const plans: Act = ['plans are deleted, and others created', () => this.#replacePlans(1 + dice.below(3))];
    const namespace: Act = ['a namespace is deleted and created again', () => this.#replaceNamespace()];
    const acts = [one, plans, one, plans, all, one, plans, namespace];
    await actAgain(acts, this.#options, async ([what, act]) => {
      await act();
      this.done.push(what);
    });
  }

  /** Deletes journals of the namespace that stays. Resolves when all their entries are in journals again. */
  async #deleteJournals(which: 'one' | 'all'): Promise<void> {
    const { coverage, dice, nameOf, serving } = this.#options;
    // A process that is starting may or may not have read them. So wait until it serves.
    await serving();
    const all = (await this.#journals()).filter(({ metadata }) => metadata.namespace === MAIN);
    const chosen = which === 'all' ? all : [all[dice.below(all.length)]].filter((each) => each !== undefined);
    const versions = coverage.versions();
    const from = Date.now();
    const stored = this.#storedIn((await Promise.all(chosen.map((each) => this.#delete(each)))).flat());
    const deleted = new Set(chosen.map(({ metadata }) => metadata.uid));
    // A journal with the same name is another one then.
    const again = (uid: string): Absent['again'] =>
      versions.get(uid)?.find(({ journal }) => !deleted.has(journal));
    // The entry of a deleted plan may have ended.
    const isThere = (uid: string): boolean => [...this.#playing].some((player) => player.uid === uid);
    const isBack = (): boolean => [...stored.keys()].every((uid) => again(uid) ?? !isThere(uid));
    await until(isBack, { what: 'a deleted journal', limitMs: HANGS_MS }).catch((error: unknown) =>
      this.faults.push(String(error)),
    );
    const plans = [...stored].map(([uid, each]) => [nameOf(uid), { stored: each, again: again(uid) }]);
    this.absences.push({ from, to: Date.now(), plans: Object.fromEntries(plans) as Absence['plans'] });
  }

  /** Resolves with the deleted version. A process may write the journal between a read and the deletion; then it is read again. */
  async #delete({ metadata: { name, uid } }: JournalObject): Promise<JournalObject[]> {
    const { kube } = this.#options;
    const path = `${journalsIn(MAIN)}/${name}`;
    for (;;) {
      const now = (await kube.get(path).catch(ignoreGone)) as JournalObject | undefined;
      if (now?.metadata.uid !== uid) return [];
      const isDone = await kube.delete(path, now.metadata.resourceVersion).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Error) || !/: (404|409) /.test(error.message)) throw error;
          return false;
        },
      );
      if (isDone) return [now];
    }
  }

  #storedIn(journals: readonly JournalObject[]): ReadonlyMap<string, Stored> {
    const entries = journals.flatMap(({ spec }) => Object.entries(spec.plans ?? {}));
    return new Map(entries.map(([uid, entry]) => [uid, storedIn(entry)]));
  }

  async #journals(): Promise<readonly JournalObject[]> {
    return (await this.#options.kube.get(JOURNALS)).items as readonly JournalObject[];
  }

  async #replacePlans(count: number): Promise<void> {
    const { dice } = this.#options;
    // Crowded plans stay, so that deliveries for their dead sinks pile up.
    const all = this.#playersIn(MAIN).filter(({ options: { labels } }) => labels.team !== CROWDED);
    const next = deck(all, dice);
    for (let each = 0; each < Math.min(count, all.length); each++) {
      const player = next();
      const { labels, name, team } = player.options;
      await this.#retire([player]);
      await team.remove(name);
      this.add(MAIN, labels.team === TOLD_APART ? player : undefined);
    }
  }

  async #replaceNamespace(): Promise<void> {
    const { configOf, kube, notifications } = this.#options;
    const all = this.#playersIn(SIDE);
    await this.#retire(all);
    const stored = this.#storedIn(await this.#journals());
    const from = Date.now();
    await kube.delete(`${NAMESPACES}/${SIDE}`);
    while (await this.#isThere(`${NAMESPACES}/${SIDE}`)) await pause(LOOK_MS);
    const to = Date.now();
    // A plan without an entry was not seen yet.
    for (const { options, uid } of all)
      options.team.removed(options.name, { from, to, withNamespace: stored.get(uid) ?? storedIn({}) });
    // Plans and notifications come by two watches: an event goes to the notifications that are known when it is seen.
    const created = await furnish(kube, SIDE, notifications, configOf);
    await Promise.all(created.map((each) => whenKnown(kube, SIDE, each))).catch((error: unknown) =>
      this.faults.push(String(error)),
    );
    for (const _ of all) this.add(SIDE);
  }

  #playersIn(namespace: string): readonly Player[] {
    return [...this.#playing].filter(({ options: { team } }) => team.namespace === namespace);
  }

  async #isThere(path: string): Promise<boolean> {
    return this.#options.kube.get(path).then(
      () => true,
      (error: unknown) => {
        ignoreGone(error);
        return false;
      },
    );
  }

  /** Ends the play of these plans. They write nothing more. */
  async #retire(all: readonly Player[]): Promise<void> {
    await Promise.all(all.map((player) => player.retire()));
    for (const player of all) this.#playing.delete(player);
  }
}

function ignoreGone(error: unknown): undefined {
  if (!(error instanceof Error) || !error.message.includes(': 404 ')) throw error;
}
