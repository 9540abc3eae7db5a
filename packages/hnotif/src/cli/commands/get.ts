import { Argument, type Command } from 'commander';
import { isRaw, type Raw, type ResourceType } from '@hnotif/core/resources';
import {
  allNamespacesFlag,
  addClusterFlags,
  outputFlag,
  type ClusterFlags,
  type OutputFormat,
} from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { textAt } from '../fields.ts';
import { toJson, toYaml } from '../format.ts';
import { leadersOfList, noSuchOf } from '../gather.ts';
import { CommandError, FlagError, type Io } from '../io.ts';
import { KINDS, LISTS, SINGULAR, type ListKind } from '../lists.ts';
import { printableLine } from '../printable.ts';
import { withSession } from '../session.ts';
import { table } from '../table.ts';

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
    io.out(shown(rows, { kind, type, output: flags.output, one: name !== undefined, namespace }, io));
    if (kind === 'notifications' && (flags.output === 'table' || flags.output === 'wide')) {
      const leader = (await leadersOfList(session, rows))?.worst;
      // A status stays as it was when no one writes it.
      if (leader?.state === 'inactive') io.err(`${printableLine(leader.message)}\n`);
    }
    return EXIT.ok;
  });

interface Shown {
  readonly kind: ListKind;
  readonly type: ResourceType;
  readonly output: OutputFormat;
  /** The user named the object, so no list is printed. */
  readonly one: boolean;
  readonly namespace: string | undefined;
}

function shown(rows: readonly Raw[], { kind, type, output, one, namespace }: Shown, io: Io): string {
  if (output === 'name')
    return rows.map((row) => `${type.plural}.${type.group}/${textAt(row, 'metadata', 'name')}\n`).join('');
  if (output === 'json' || output === 'yaml') {
    const items = rows.map(withoutManagedFields);
    const [first] = items;
    const object = one && first !== undefined ? first : { apiVersion: 'v1', kind: 'List', items };
    return output === 'json' ? toJson(object) : toYaml([object]);
  }
  const columns = LISTS[kind](io.clock.now()).filter(
    ({ header }) => header !== 'NAMESPACE' || namespace === undefined,
  );
  return output === 'table'
    ? table(columns, rows, io)
    : table(columns, rows, { columns: undefined, colour: (...text) => io.colour(...text) }, true);
}

/** As kubectl prints objects. */
function withoutManagedFields(object: Raw): Raw {
  if (!isRaw(object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const noneOf = ({ plural }: ResourceType, namespace: string | undefined): string =>
  `No ${plural} found ${namespace === undefined ? 'in the cluster' : `in namespace ${namespace}`}.`;

function listKind(word: string): ListKind {
  const kind = KINDS.get(word);
  if (kind !== undefined) return kind;
  throw new FlagError(
    `${word} is not a kind: give notifications, plans or journals, and then a name: hnotif get notifications ${word}`,
  );
}

const DESCRIPTION =
  'Lists notifications (the default), plans or journals, with the columns that matter for their deliveries. It reads with your rights.';
