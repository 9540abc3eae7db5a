import { KubeClient } from '../cluster/client.ts';
import { AccessError, loadAccess } from '../cluster/access.ts';
import { isUnanswered, KubeError } from '../cluster/error.ts';
import { listAll } from '../cluster/list.ts';
import {
  defaultPlanResource,
  formatResourceType,
  parseResourceType,
  journalsOf,
  notificationsOf,
  type ResourceType,
} from '@hnotif/core/resources';
import type { ClusterFlags } from './cluster-flags.ts';
import { EXIT } from './exit.ts';
import { textAt } from './fields.ts';
import { CommandError, type Io } from './io.ts';

/** Notifications that are looked at for what hnotif watches. */
const FEW = 10;
/** Objects in one page of a list. */
const PAGE = 500;
/** A user waits for an answer (milliseconds). */
const TIMEOUT_MS = 15_000;

/** What was read, or why the user may not read it. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  /** One line for the user. */
  | { readonly ok: false; readonly why: string };

/** A cluster, with the rights of the user who runs the command. */
export class Session {
  readonly client: KubeClient;
  /** Where to look; undefined: in all namespaces. */
  readonly namespace: string | undefined;
  readonly notifications: ResourceType;
  readonly journals: ResourceType;
  readonly plans: ResourceType;
  readonly #signal: AbortSignal;

  constructor(client: KubeClient, namespace: string | undefined, flags: ClusterFlags, signal: AbortSignal) {
    this.client = client;
    this.namespace = namespace;
    this.notifications = notificationsOf(flags.apiGroup);
    this.journals = journalsOf(flags.apiGroup);
    this.plans = flags.planResource ?? defaultPlanResource(flags.apiGroup);
    this.#signal = signal;
  }

  /** All objects of a type. Throws a `CommandError` if the user may not list them, or there is no such type. */
  async list(type: ResourceType, namespace = this.namespace): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    try {
      await listAll({
        ...{ client: this.client, type, namespace, pageSize: PAGE, signal: this.#signal },
        item: (raw) => found.push(raw),
        restart: () => found.splice(0),
      });
    } catch (error) {
      throw commandError(error, `${type.plural} cannot be listed${inNamespace(namespace)}`, type);
    }
    return found;
  }

  /** Undefined: there is no such object. */
  async get(type: ResourceType, namespace: string, name: string): Promise<unknown> {
    try {
      return await this.client.get(type, namespace, name, { signal: this.#signal });
    } catch (error) {
      // The answer for an object that is missing names the object.
      if (error instanceof KubeError && error.status === 404 && error.message.includes(`"${name}"`))
        return undefined;
      throw commandError(error, `${type.plural} ${name} cannot be read${inNamespace(namespace)}`, type);
    }
  }

  /** Changes fields of an object (JSON merge patch, RFC 7396). */
  async patch(type: ResourceType, namespace: string, name: string, patch: object): Promise<void> {
    try {
      await this.client.mergePatch(type, namespace, name, patch, { signal: this.#signal });
    } catch (error) {
      throw commandError(
        error,
        `${type.plural} ${name} cannot be changed${inNamespace(namespace)}`,
        type,
        EDIT,
      );
    }
  }
}

const inNamespace = (namespace: string | undefined): string =>
  namespace === undefined ? '' : ` in namespace ${namespace}`;

/** A part of what was read. */
export const partOf = <T, Part>(read: Read<T>, part: (value: T) => Part): Read<Part> =>
  read.ok ? { ok: true, value: part(read.value) } : read;

/** What the user may not read costs a part of the answer, not all of it. */
export async function readOrWhy<T>(read: Promise<T>): Promise<Read<T>> {
  try {
    return { ok: true, value: await read };
  } catch (error) {
    if (error instanceof CommandError) return { ok: false, why: error.message };
    throw error;
  }
}

type SessionIo = Pick<Io, 'env' | 'clock' | 'signal' | 'err'>;

/** Opens the cluster. Whoever opens a session closes its client. */
export async function openSession(
  flags: ClusterFlags,
  { env, clock, err, signal }: SessionIo,
): Promise<Session> {
  const { kubeconfig, context } = flags;
  const access = await loadAccess({ kubeconfig, context, env, clock }).catch((error: unknown) => {
    throw error instanceof AccessError ? new CommandError(error.message, EXIT.noAccess) : error;
  });
  const client = new KubeClient({ access, clock, timeoutMs: TIMEOUT_MS, userAgent: 'hnotif-cli' });
  const namespace = flags.allNamespaces === true ? undefined : (flags.namespace ?? access.namespace);
  const served =
    flags.planResource === undefined ? await servedPlans(client, namespace, flags, signal) : undefined;
  if (served !== undefined)
    err(`plans are ${formatResourceType(served)}, as hnotif watches them; --plan-resource chooses others\n`);
  return new Session(
    client,
    namespace,
    served === undefined ? flags : { ...flags, planResource: served },
    signal,
  );
}

/** The plan resource that hnotif watches, as the status of a notification names it; undefined: the default one, or it is not known. */
async function servedPlans(
  client: KubeClient,
  namespace: string | undefined,
  { apiGroup }: ClusterFlags,
  signal: AbortSignal,
): Promise<ResourceType | undefined> {
  const found: string[] = [];
  const item = (raw: unknown): void => {
    const resource = textAt(raw, 'status', 'planResource');
    if (resource !== '') found.push(resource);
  };
  try {
    await client.list(notificationsOf(apiGroup), namespace, { limit: FEW, item }, signal);
  } catch (error) {
    // The command itself says what it cannot read.
    if (!(error instanceof KubeError)) throw error;
  }
  const [first] = found;
  return first === undefined ? undefined : parseResourceType(first);
}

/** Opens the cluster for one command. All requests and connections end with it. */
export async function withSession<T>(
  flags: ClusterFlags,
  io: SessionIo,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(flags, io);
  try {
    return await run(session);
  } finally {
    await session.client.close();
  }
}

/** The roles in deploy/tenant-roles.yaml. */
const VIEW = 'hnotif-view';
const EDIT = 'hnotif-edit';
const NOTIFICATIONS = notificationsOf('').plural;

/** What to ask for. The roles have notifications alone: plans belong to another operator, and journals hold the events of all plans. */
export const neededRight = ({ plural }: ResourceType, role: typeof VIEW | typeof EDIT = VIEW): string =>
  plural === NOTIFICATIONS ? `the role ${role}` : `the right to read ${plural}`;

/** An error of the API server in one line, with the remedy. */
export function commandError(
  error: unknown,
  what: string,
  type: ResourceType,
  role: typeof VIEW | typeof EDIT = VIEW,
): unknown {
  if (!(error instanceof KubeError)) return error;
  const { status, message } = error;
  if (status === 404)
    return new CommandError(
      `${what}: the cluster does not serve ${formatResourceType(type)}; install it (hnotif crds | kubectl apply -f -), or name your own with --api-group or --plan-resource`,
      EXIT.noAccess,
    );
  if (status === 403)
    return new CommandError(
      `${what}: you have no right to do that; ask for ${neededRight(type, role)}`,
      EXIT.noAccess,
    );
  const remedy = isUnanswered(error)
    ? '; is the cluster up, and is this its address? --kubeconfig and --context choose another'
    : error.reason === 'NotJson' || error.reason === 'NotAList'
      ? '; is this the address of an API server? --kubeconfig and --context choose another'
      : '';
  return new CommandError(`${what}: ${message}${remedy}`, EXIT.noAccess);
}
