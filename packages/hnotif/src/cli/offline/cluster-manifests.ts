import { CONFIG_MAPS, isRaw, SECRETS, formatResourceType } from '@hnotif/core/resources';
import type { Io } from '../io.ts';
import { printableLine } from '../printable.ts';
import { readOrWhy, type Session } from '../session.ts';
import { withoutPlaces, type Manifest } from './manifests.ts';

/** In the place of a file's name. */
export const CLUSTER = 'cluster';

export interface ClusterManifests {
  readonly manifests: readonly Manifest[];
  /** The kinds that could be read: an object of them that is not among the manifests does not exist. */
  readonly complete: ReadonlySet<string>;
  /** Why the other kinds could not be read. */
  readonly unread: ReadonlyMap<string, string>;
}

/** The notifications of a namespace with all secrets, config maps and plans. What the user may not read is said. */
export async function manifestsOfCluster(session: Session, io: Io): Promise<ClusterManifests> {
  const { group, version } = session.notifications;
  // Objects in lists have no kind.
  const typed = (objects: readonly unknown[], kind: string, apiVersion: string): Manifest[] =>
    objects.map((object) => withoutPlaces(CLUSTER, { ...(isRaw(object) ? object : {}), kind, apiVersion }));
  const notifications = await session.list(session.notifications);
  const manifests = typed(notifications, 'HibernateNotification', `${group}/${version}`);
  const others = [
    ['Secret', SECRETS],
    ['ConfigMap', CONFIG_MAPS],
    ['HibernatePlan', session.plans],
  ] as const;
  const complete = new Set<string>();
  const unread = new Map<string, string>();
  for (const [kind, type] of others) {
    const read = await readOrWhy(session.list(type));
    if (read.ok) {
      manifests.push(...typed(read.value, kind, formatResourceType(type)));
      complete.add(kind);
    } else {
      unread.set(kind, read.why);
      io.err(`not checked: ${printableLine(read.why)}\n`);
    }
  }
  return { manifests, complete, unread };
}
