import { Option, type Command } from 'commander';
import { ParseError, parseNotification, suspensionAt, type Silences } from '@hnotif/core/resources';
import { formatSeconds, parseTime } from '@hnotif/core/lifecycle';
import { describeSuspension, untilInWords, waitingInWords } from '../../status/words.ts';
import { addClusterFlags, type ClusterFlags } from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { numberAt, objectAt } from '../fields.ts';
import { nameOf, noSuchOf } from '../gather.ts';
import { CommandError, FlagError, type Io } from '../io.ts';
import { withSession } from '../session.ts';
import { seconds } from '../durations.ts';

interface MuteFlags extends ClusterFlags {
  readonly for?: number;
  readonly reason?: string;
  readonly tellAfter?: boolean;
}

/** The CRD has no room for more. */
const LONGEST_REASON = 256;
/** A year (milliseconds). */
const LONGEST_MS = 366 * 24 * 3_600_000;

export const define = (command: Command, io: Io): void => {
  // Both set the same value, so commander's conflicts cannot tell them apart.
  const given = new Set<string>();
  for (const name of ['tell-after', 'no-tell-after'])
    command.on(`option:${name}`, () => {
      given.add(name);
    });
  addClusterFlags(command)
    .description(DESCRIPTION)
    .argument('<notification>', 'its name', nameOf('notification'))
    .addOption(new Option('--for <duration>', 'end by itself after this time, such as 2h').argParser(seconds))
    .option('--reason <text>', 'why; the status shows it')
    .option('--tell-after', 'keep Success and Failure, and send them when it is over')
    .option('--no-tell-after', 'tell nothing afterwards (default: as spec.tellAfterSuspend is)')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, flags: MuteFlags) => {
      const { reason = '' } = flags;
      if (given.size > 1)
        throw new FlagError("option '--tell-after' cannot be used with option '--no-tell-after'");
      if (reason.length > LONGEST_REASON)
        throw new FlagError(`--reason has more than ${LONGEST_REASON} characters`);
      if (flags.for !== undefined && flags.for > LONGEST_MS)
        throw new FlagError(`--for is longer than a year; leave it out, and it holds until hnotif unmute`);
      await suspend(name, flags, io, (now) => ({
        suspend: true,
        suspendUntil: flags.for === undefined ? null : formatSeconds(now + flags.for),
        suspendReason: reason === '' ? null : reason,
        // An option of the notification: it stays until it is changed.
        ...(flags.tellAfter !== undefined && { tellAfterSuspend: flags.tellAfter || null }),
      }));
    });
};

/** Writes the suspension of a notification. Null removes a field. */
export const suspend = (
  name: string,
  flags: ClusterFlags,
  io: Io,
  specAt: (now: number) => {
    readonly suspend: true | null;
    readonly suspendUntil: string | null;
    readonly suspendReason: string | null;
    readonly tellAfterSuspend?: true | null;
  },
): Promise<void> =>
  withSession(flags, io, async (session) => {
    const { namespace } = session;
    if (namespace === undefined) throw new CommandError('give a namespace', EXIT.usage);
    // Also: the answer tells the API server's time, by which hnotif ends a suspension.
    const found = await session.get(session.notifications, namespace, name);
    if (found === undefined) throw await noSuchOf(session, session.notifications, 'notification', name);
    const now = session.client.serverClock.now();
    const spec = specAt(now);
    await session.patch(session.notifications, namespace, name, { spec });
    const until = spec.suspendUntil === null ? undefined : parseTime(spec.suspendUntil);
    const suspension = spec.suspend === null ? undefined : { until, reason: '' };
    const silence = suspensionAt({ ...scheduleOf(found), ...(suspension && { suspension }) }, now);
    io.out(
      suspension === undefined
        ? `${name} ${silence === undefined ? 'sends again' : `is ${describeSuspension(silence)}`}\n`
        : `${name} sends nothing${untilInWords(silence ?? suspension, ' until hnotif unmute')}\n${lossInWords(found, spec.tellAfterSuspend)}\n`,
    );
  });

/** The schedule of a notification; none if the notification is not valid. */
function scheduleOf(raw: unknown): Pick<Silences, 'muteSchedule'> {
  try {
    const { muteSchedule } = parseNotification(raw);
    return muteSchedule === undefined ? {} : { muteSchedule };
  } catch (error) {
    if (error instanceof ParseError) return {};
    throw error;
  }
}

/** What a mute costs. `change`: of `spec.tellAfterSuspend`; undefined: it stays as it is. */
function lossInWords(raw: unknown, change: true | null | undefined): string {
  const waiting = numberAt(raw, 'status', 'waiting') ?? 0;
  const tellsAfter = (change === undefined ? objectAt(raw, 'spec').tellAfterSuspend : change) === true;
  const due = 'the deliveries until then';
  const lost =
    waiting === 0
      ? `${due} are dropped`
      : `${waitingInWords({ waiting })}; ${waiting === 1 ? 'it' : 'they'} and ${due} are dropped`;
  return tellsAfter
    ? `${lost}, but Success and Failure are kept and sent afterwards`
    : `${lost}; --tell-after keeps Success and Failure`;
}

const DESCRIPTION = [
  'Makes a notification silent: sets spec.suspend, and with --for the time when it ends. Deliveries meanwhile are dropped as suspended, counted in the status and in hnotif_deliveries_dropped_total, and not sent afterwards. With --tell-after (spec.tellAfterSuspend), Success and Failure wait, and are sent when it is over.',
  'It needs the right to patch notifications. Argo CD and Flux leave it alone if the manifest in Git does not have these fields.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif mute night-ops --for 2h --reason "database migration"
  hnotif mute night-ops --for 2h --tell-after
  hnotif unmute night-ops`;
