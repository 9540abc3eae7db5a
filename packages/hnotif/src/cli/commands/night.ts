import { parseTime } from '@hnotif/core/lifecycle';
import { isLocation } from '@hnotif/core/resources';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { askedNight, isWell } from '../../explain/night.ts';
import { nightOn } from '../../explain/night-window.ts';
import { addClusterFlags, allNamespacesFlag, outputFlag, type ClusterFlags } from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { checkNamespace, factsOf, gather } from '../gather.ts';
import { CommandError, type Io } from '../io.ts';
import { nightInWords } from '../night-in-words.ts';
import { withSession, type Session } from '../session.ts';
import { flag } from '../shared-flags.ts';
import { printableLine } from '../printable.ts';
import { toJson, toYaml } from '../format.ts';

interface NightFlags extends ClusterFlags {
  readonly date?: string;
  readonly timeZone: string;
  readonly output: 'table' | 'json' | 'yaml';
}

export const define = (command: Command, io: Io): void => {
  addClusterFlags(command)
    .description(DESCRIPTION)
    .addOption(
      new Option(
        '--last',
        'the last night, or the time since noon if the last night is empty (the default)',
      ).conflicts('date'),
    )
    .addOption(new Option('--date <date>', 'the night that began on this day, as YYYY-MM-DD').argParser(date))
    .addOption(
      flag('--time-zone <zone>', 'whose noon begins and ends a night, such as Europe/Paris')
        .argParser(timeZone)
        .default('UTC'),
    )
    .addOption(allNamespacesFlag())
    .addOption(outputFlag(['table', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (flags: NightFlags) => {
      io.exit(await withSession(flags, io, (session) => night(session, flags, io)));
    });
};

function date(text: string): string {
  if (nightOn(text, 'UTC') !== undefined) return text;
  throw new InvalidArgumentError(
    'Give a day as YYYY-MM-DD, such as 2026-01-05: the one on which the night began.',
  );
}

function timeZone(text: string): string {
  if (isLocation(text)) return text;
  throw new InvalidArgumentError('Give a time zone such as UTC or Europe/Paris; the case counts.');
}

async function night(
  session: Session,
  { date: asked, output, timeZone: zone }: NightFlags,
  io: Io,
): Promise<number> {
  const gathered = await gather(session);
  await checkNamespace(session, gathered);
  const { journals, now, plans } = gathered;
  if (!plans.ok) throw new CommandError(plans.why, EXIT.noAccess);
  const found = askedNight(factsOf(gathered), asked, zone, now);
  if (found === undefined || (parseTime(found.from) ?? 0) > now)
    throw new CommandError(
      `the night of ${asked} has not begun; give an earlier --date, or --last`,
      EXIT.usage,
    );
  if (output === 'json') io.out(toJson(found));
  else if (output === 'yaml') io.out(toYaml([found]));
  else io.out(nightInWords(found, session.namespace === undefined, io));
  if (!journals.ok) io.err(`not shown: who was told; ${printableLine(journals.why)}\n`);
  return isWell(found) ? EXIT.ok : EXIT.failed;
}

const DESCRIPTION = [
  'Says what happened last night: which plans fell asleep, woke up or failed, when, how long it took and why; who was told and who was not; and what was different from the night before. A night lasts from noon to noon. It reads plans and journals with your rights, and works when no hnotif runs. Times are in UTC, or in --time-zone.',
  'Exits with 1 if a plan failed, or a message did not arrive.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif night                                       the last night in the namespace
  hnotif night -A --time-zone Europe/Paris -o json   of all namespaces, for a morning check
  hnotif night --date 2026-01-05                     the night that began on 5 January`;
