import { nearest } from '@hnotif/gotemplate';
import { KubeError } from '../cluster/error.ts';
import { parseLease } from '../cluster/lease.ts';
import {
  identityOf,
  LEASES,
  NAMESPACES,
  ParseError,
  type Notification,
  type ResourceType,
  parseNotification,
  parsePlan,
  type Plan,
} from '@hnotif/core/resources';
import { leadersOf, type FoundLease, type Leaders } from '../explain/leader.ts';
import type { Facts, PlanFacts } from '../explain/facts.ts';
import { readFound } from '../journal/merge.ts';
import { EXIT } from './exit.ts';
import { factsOf as factsOfKnown, type Target } from './facts.ts';
import { CommandError } from './io.ts';
import { KINDS, SINGULAR } from './lists.ts';
import { commandError, partOf, readOrWhy, type Read, type Session } from './session.ts';
import { storedJournal, type StoredJournal } from './stored-journal.ts';

/** Namespaces in which a Lease is looked for if the user may not list all. */
const USUAL_NAMESPACES = ['hnotif', 'hnotif-system', 'default'];
const DEFAULT_INSTANCE = 'hnotif';

/** `plan/NAME`, `notification/NAME`, or a name alone. */
export function parseTarget(text: string): Target {
  const [, kind = '', name = ''] = /^(?:([a-z.]+)\/)?(.*)$/s.exec(text) ?? [];
  const list = KINDS.get(kind);
  if (name === '' || list === 'journals' || (kind !== '' && list === undefined))
    throw new CommandError('give a name, plan/NAME or notification/NAME', EXIT.usage);
  return { kind: list === undefined ? 'any' : SINGULAR[list], name };
}

/** All that a namespace shows about its notifications, read with the rights of the user. */
export interface Gathered {
  /** Undefined: all. */
  readonly namespace: string | undefined;
  readonly notifications: readonly Notification[];
  readonly plans: Read<readonly Plan[]>;
  readonly journals: Read<ReadonlyMap<string, readonly StoredJournal[]>>;
  readonly leaders: Leaders;
  readonly now: number;
  /** Notifications that cannot be read. */
  readonly invalid: readonly ParseError[];
}

/** Reads all of it at once. */
export async function gather(session: Session): Promise<Gathered> {
  const [rawNotifications, rawPlans, journals] = await Promise.all([
    session.list(session.notifications),
    readOrWhy(session.list(session.plans)),
    readOrWhy(readJournals(session)),
  ]);
  const invalid: ParseError[] = [];
  const notifications = parsed(rawNotifications, parseNotification, (problem) => invalid.push(problem));
  const plans = partOf(rawPlans, (raw) => parsed(raw, parsePlan, () => undefined));
  const leaders = await readLeaders(session, notifications);
  const { client, namespace } = session;
  return { namespace, notifications, plans, journals, leaders, now: client.serverClock.now(), invalid };
}

/** Who serves these notifications. */
export async function readLeaders(
  session: Session,
  notifications: readonly Notification[],
): Promise<Leaders> {
  const instances = new Set(notifications.map(({ status }) => status.instance ?? DEFAULT_INSTANCE));
  const leases = await findLeases(session, instances.size === 0 ? new Set([DEFAULT_INSTANCE]) : instances);
  return leadersOf(notifications, leases, session.client.serverClock.now());
}

/** Who serves the notifications of a list, as far as they can be parsed. Undefined: the cluster does not tell. */
export async function leadersOfList(session: Session, raw: readonly unknown[]): Promise<Leaders | undefined> {
  try {
    return await readLeaders(
      session,
      parsed(raw, parseNotification, () => undefined),
    );
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** What can be parsed of a list. `failed` gets the rest. */
export function parsed<T>(
  raw: readonly unknown[],
  parse: (raw: unknown) => T,
  failed: (why: ParseError) => void,
): T[] {
  return raw.flatMap((each) => {
    try {
      return [parse(each)];
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      failed(error);
      return [];
    }
  });
}

/** The journals with an entry of a plan, by the uid of the plan. */
async function readJournals(session: Session): Promise<Map<string, StoredJournal[]>> {
  const found = new Map<string, StoredJournal[]>();
  for (const journal of parsed(
    await session.list(session.journals),
    (raw) => storedJournal(raw),
    () => undefined,
  ))
    for (const uid of journal.plans.keys()) found.set(uid, [...(found.get(uid) ?? []), journal]);
  return found;
}

/** Leases with the names of the instances; a text: why they may not be read. Throws a `CommandError` if the cluster does not answer. */
export async function findLeases(
  session: Session,
  names: ReadonlySet<string>,
): Promise<FoundLease[] | string> {
  const { client } = session;
  const found: FoundLease[] = [];
  const take = (raw: unknown): void => {
    const { namespace, name } = identityOf(raw);
    if (names.has(name)) found.push({ namespace, name, lease: parseLease(raw) });
  };
  try {
    // A cluster has a Lease for each node, and the page asks every few seconds. Several instances are rare.
    const [name] = names.size === 1 ? names : [];
    await client.list(LEASES, undefined, { limit: 0, name, item: take });
    return found;
  } catch (error) {
    if (!(error instanceof KubeError) || error.status !== 403)
      throw commandError(error, 'leases cannot be listed', LEASES);
  }
  for (const namespace of USUAL_NAMESPACES)
    for (const name of names)
      await client.get(LEASES, namespace, name).then(take, (error: unknown) => {
        if (!(error instanceof KubeError)) throw error;
      });
  return found.length > 0
    ? found
    : 'you have no right to read Leases, which tell whether an instance is active';
}

/** The facts about a target, or about everything, by namespace. */
export function factsOf(gathered: Gathered, target?: Target): readonly Facts[] {
  const { journals, plans } = gathered;
  const journalOf = (plan: Plan): PlanFacts['journal'] => {
    if (!journals.ok) return journals.why;
    const holders = journals.value.get(plan.uid)?.filter(({ namespace }) => namespace === plan.namespace);
    return readFound(plan, holders ?? []).stored;
  };
  return factsOfKnown({ ...gathered, journalOf, plans: plans.ok ? plans.value : plans.why }, target);
}

/** Decides what a bare name means. Throws a `CommandError` if there is no such object, or there are two. */
export function resolveTarget(
  { kind, name }: Target,
  { notifications, plans, invalid, namespace }: Gathered,
): Target {
  const all = plans.ok ? plans.value : [];
  const isPlan = kind !== 'notification' && all.some((plan) => plan.name === name);
  const isNotification = kind !== 'plan' && notifications.some((each) => each.name === name);
  if (isPlan && isNotification)
    throw new CommandError(
      `${name} is both a plan and a notification: write plan/${name} or notification/${name}`,
      EXIT.usage,
    );
  if (isPlan) return { kind: 'plan', name };
  if (isNotification) return { kind: 'notification', name };
  if (!plans.ok && kind === 'plan') throw new CommandError(plans.why, EXIT.noAccess);
  const broken = invalid.find(({ object }) => object.endsWith(`/${name}`));
  if (broken !== undefined) throw new CommandError(broken.message);
  if (!plans.ok && kind === 'any')
    throw new CommandError(`there is no notification ${name}, and ${plans.why}`, EXIT.noAccess);
  const names = [...(kind === 'notification' ? [] : all), ...(kind === 'plan' ? [] : notifications)];
  throw noSuch(
    kind === 'any' ? 'plan or notification' : kind,
    name,
    namespace,
    names.map((each) => each.name),
  );
}

const elsewhere = (what: string, of: string): string =>
  `hnotif get ${what}-A lists the ${of} of all namespaces, which -n chooses`;

/** The remedy where a namespace does not have what was asked for. */
export const ELSEWHERE = elsewhere('', 'notifications');

/** The error for an object that does not exist. `names`: those that do. */
export function noSuch(
  kind: 'plan' | 'notification' | 'journal' | 'plan or notification',
  name: string,
  namespace: string | undefined,
  names: readonly string[],
): CommandError {
  const meant = nearest(name, names);
  const isOther = kind === 'plan' || kind === 'journal';
  const remedy = isOther ? elsewhere(`${kind}s `, `${kind}s`) : ELSEWHERE;
  return new CommandError(
    `there is no ${kind} ${name}${namespace === undefined ? '' : ` in namespace ${namespace}`}; ${
      meant === undefined ? remedy : `did you mean ${meant}?`
    }`,
  );
}

/** The same, after a look at the objects that exist. */
export async function noSuchOf(
  session: Session,
  type: ResourceType,
  kind: Parameters<typeof noSuch>[0],
  name: string,
): Promise<CommandError> {
  const names = (await session.list(type)).map((each) => identityOf(each).name);
  return noSuch(kind, name, session.namespace, names);
}

/** Throws a `CommandError` if nothing was found because there is no such namespace, as far as the user may see it. */
export async function checkNamespace(
  { client, namespace }: Session,
  { notifications, plans, invalid }: Gathered,
): Promise<void> {
  const isEmpty = notifications.length + invalid.length === 0 && (!plans.ok || plans.value.length === 0);
  if (!isEmpty || namespace === undefined) return;
  try {
    await client.get(NAMESPACES, '', namespace);
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    if (error.status === 404) throw new CommandError(`there is no namespace ${namespace}; ${ELSEWHERE}`);
  }
}

/** Parses an argument that names an object of one kind: `NAME`, or `KIND/NAME` as in `hnotif why`. */
export const nameOf =
  (kind: 'plan' | 'notification') =>
  (text: string): string => {
    const target = parseTarget(text);
    if (target.kind !== 'any' && target.kind !== kind)
      throw new CommandError(`${text} is no ${kind}: give the name of one`, EXIT.usage);
    return target.name;
  };
