import { CONFIG_MAPS, isRaw, SECRETS } from '../../cluster/objects.ts';
import { formatResourceType } from '../../resources/group.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { Io } from '../io.ts';
import { printableLine } from '../printable.ts';
import { readOrWhy, withSession } from '../session.ts';
import type { File } from './files.ts';

/** In the place of a file's name. */
export const CLUSTER = 'cluster';

/** The notifications of a namespace with all secrets, config maps and plans, as one file. What the user may not read is said. */
export const filesOfCluster = (flags: ClusterFlags, io: Io): Promise<readonly File[]> =>
  withSession(flags, io, async (session) => {
    const { group, version } = session.notifications;
    const notifications = await session.list(session.notifications);
    const others = [
      ['Secret', SECRETS],
      ['ConfigMap', CONFIG_MAPS],
      ['HibernatePlan', session.plans],
    ] as const;
    // Objects in lists have no kind.
    const items = notifications.map((each) => typed(each, 'HibernateNotification', `${group}/${version}`));
    for (const [kind, type] of others) {
      const read = await readOrWhy(session.list(type));
      if (read.ok) items.push(...read.value.map((each) => typed(each, kind, formatResourceType(type))));
      else io.err(`not checked: ${printableLine(read.why)}\n`);
    }
    return [{ name: CLUSTER, content: JSON.stringify({ kind: 'List', items }, null, 1) }];
  });

const typed = (object: unknown, kind: string, apiVersion: string): object => ({
  ...(isRaw(object) ? object : {}),
  kind,
  apiVersion,
});
