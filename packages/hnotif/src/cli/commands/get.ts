import { Argument, type Command } from 'commander';
import { isRaw, type ResourceType } from '@hnotif/core/resources';
import {
  allNamespacesFlag,
  addClusterFlags,
  outputFlag,
  type ClusterFlags,
  type OutputFormat,
} from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { leadersOfList, noSuchOf } from '../gather.ts';
import { CommandError, FlagError, type Io } from '../io.ts';
import { LISTS, type ListKind } from '../lists.ts';
import { print } from '../output.ts';
import { printableLine } from '../printable.ts';
import { withSession } from '../session.ts';

interface GetFlags extends ClusterFlags {
  readonly output: OutputFormat;
}

export const define = (command: Command, io: Io): void => {
  addClusterFlags(command)
    .description(DESCRIPTION)
    .addArgument(
      new Argument('[kind]', 'what to list')
        .choices(Object.keys(LISTS))
        .default('notifications')
        .argParser(listKind),
    )
    .argument('[name]', 'one object; default: all')
    .addOption(allNamespacesFlag())
    .addOption(outputFlag())
    .action(async (kind: ListKind, name: string | undefined, flags: GetFlags) => {
      io.exit(await get(kind, name, flags, io));
    });
};

const get = (kind: ListKind, name: string | undefined, flags: GetFlags, io: Io): Promise<number> =>
  withSession(flags, io, async (session) => {
    const type = session[kind];
    const { namespace } = session;
    if (name !== undefined && namespace === undefined)
      throw new CommandError('--all-namespaces cannot be used with a name', EXIT.usage);
    const objects =
      name === undefined || namespace === undefined
        ? await session.list(type)
        : [await session.get(type, namespace, name)].filter((found) => found !== undefined);
    if (objects.length === 0 && name !== undefined) throw await noSuchOf(session, type, SINGULAR[kind], name);
    if (objects.length === 0 && flags.output !== 'json' && flags.output !== 'yaml') {
      io.err(`${noneOf(type, namespace)}\n`);
      return EXIT.ok;
    }
    const rows = objects.filter(isRaw);
    const columns = LISTS[kind](io.clock.now()).filter(
      ({ header }) => header !== 'NAMESPACE' || namespace === undefined,
    );
    const nameOf = (row: (typeof rows)[number]): string =>
      `${type.plural}.${type.group}/${isRaw(row.metadata) ? String(row.metadata.name) : ''}`;
    print({ objects: rows, rows, columns, nameOf }, flags.output, io, name !== undefined);
    if (kind === 'notifications' && (flags.output === 'table' || flags.output === 'wide')) {
      const leader = (await leadersOfList(session, rows))?.worst;
      // A status stays as it was when no one writes it.
      if (leader?.state === 'inactive') io.err(`${printableLine(leader.message)}\n`);
    }
    return EXIT.ok;
  });

const SINGULAR = {
  notifications: 'notification',
  plans: 'plan',
  journals: 'journal',
} as const satisfies Record<ListKind, string>;

const noneOf = ({ plural }: ResourceType, namespace: string | undefined): string =>
  `No ${plural} found ${namespace === undefined ? 'in the cluster' : `in namespace ${namespace}`}.`;

/** Kinds as kubectl takes them: singular, too, and by their short names. */
const KINDS: ReadonlyMap<string, ListKind> = new Map([
  ...(['notification', 'notifications', 'hibernatenotifications', 'hnotif', 'hnote'] as const).map(
    (word) => [word, 'notifications'] as const,
  ),
  ...(['plan', 'plans', 'hibernateplans', 'hplan'] as const).map((word) => [word, 'plans'] as const),
  ...(['journal', 'journals', 'hnotifjournal'] as const).map((word) => [word, 'journals'] as const),
]);

function listKind(word: string): ListKind {
  const kind = KINDS.get(word);
  if (kind !== undefined) return kind;
  throw new FlagError(
    `${word} is not a kind: give notifications, plans or journals, and then a name: hnotif get notifications ${word}`,
  );
}

const DESCRIPTION =
  'Lists notifications (the default), plans or journals, with the columns that matter for their deliveries. It reads with your rights.';
