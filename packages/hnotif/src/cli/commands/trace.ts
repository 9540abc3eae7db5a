import type { Moment } from '@hnotif/core/page';
import type { Command } from 'commander';
import { addClusterFlags, outputFlag, type ClusterFlags } from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { gather, nameOf } from '../gather.ts';
import { CommandError, type Colour, type Io } from '../io.ts';
import { planOrEvent } from '../plan-or-event.ts';
import { momentsOf } from '../recorded-events.ts';
import { withSession, type Session } from '../session.ts';
import { printableLine } from '../printable.ts';
import { table, type Column } from '../table.ts';
import { toJson, toYaml } from '../format.ts';

interface TraceFlags extends ClusterFlags {
  readonly output: 'table' | 'json' | 'yaml';
}

export const define = (command: Command, io: Io): void => {
  addClusterFlags(command)
    .description(DESCRIPTION)
    .argument('<plan|id>', 'a plan, or the id of a message (webhook-id) or an event', nameOf('plan'))
    .addOption(outputFlag(['table', 'json', 'yaml']))
    .action(async (name: string, flags: TraceFlags) => {
      io.exit(await withSession(flags, io, (session) => trace(session, name, flags, io)));
    });
};

async function trace(session: Session, name: string, { output }: TraceFlags, io: Io): Promise<number> {
  const gathered = await gather(session);
  const { journals, plans } = gathered;
  if (!plans.ok) throw new CommandError(plans.why, EXIT.noAccess);
  const { plan, deliveries } = planOrEvent(name, plans.value, gathered);
  const { moments, recorded } = await momentsOf(session, plan, gathered.notifications, deliveries);
  if (output === 'json') io.out(toJson(moments));
  else if (output === 'yaml') io.out(toYaml([{ moments }]));
  else {
    io.out(table(COLUMNS, moments, { width: io.columns, paint: (colour, cell) => io.colour(colour, cell) }));
    for (const read of [journals, recorded]) if (!read.ok) io.err(`not shown: ${printableLine(read.why)}\n`);
  }
  return EXIT.ok;
}

const COLOUR_OF: Readonly<Record<Moment['source'], Colour | undefined>> = {
  plan: 'bold',
  delivery: undefined,
  event: 'dim',
};

const COLUMNS: readonly Column<Moment>[] = [
  { header: 'TIME', cell: ({ at }) => at },
  { header: 'ABOUT', cell: ({ about }) => about, colour: ({ source }) => COLOUR_OF[source] },
  // A terminal cuts the last column; so much of an id is enough for replay and trace.
  { header: 'ID', cell: ({ ids = [] }) => (ids.length === 1 ? ids.join('').slice(0, 12) : '') },
  { header: 'WHAT', cell: ({ what }) => what },
];

const DESCRIPTION =
  'Shows what happened to a plan and its events, in order: changes of the plan, deliveries from the journal (the last twenty that ended, and all that wait), Kubernetes Events of its notifications. Times are in UTC.';
