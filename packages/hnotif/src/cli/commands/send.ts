import type { Command } from 'commander';
import { isRaw, type SinkType } from '@hnotif/core/resources';
import { parseJson, SINKS, textOf } from '@hnotif/core/sinks';
import { EXIT } from '../exit.ts';
import { caFileFlag, type RunFlags } from '../flags.ts';
import { CommandError, FlagError, type Io } from '../io.ts';
import {
  findingsOfTemplate,
  type Finding,
  recordingSettings,
  deliver,
  rehearse,
} from '@hnotif/core/rehearsal';
import { SEVERITY_COLOURS } from '../paint.ts';
import {
  addSubjectFlags,
  readSubject,
  rulesOf,
  sinkOfSubject,
  type SubjectFlags,
  type SubjectSink,
  transportOf,
} from '../offline/subject.ts';
import { printableLine } from '../printable.ts';

interface SendFlags extends SubjectFlags, Pick<RunFlags, 'caFile'> {
  readonly to?: string;
  readonly dryRun: boolean;
}

export const define = (command: Command, io: Io): void => {
  addSubjectFlags(command)
    .description(DESCRIPTION)
    .option('--dry-run', 'say what the receiver would do with the messages, and send nothing', false)
    .addOption(caFileFlag())
    .option('--to <channel>', 'another channel of Slack (thread mode), or another chat of Telegram')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, flags: SendFlags) => {
      io.exit(await send(name, flags, io));
    });
};

async function send(name: string | undefined, flags: SendFlags, io: Io): Promise<number> {
  let failures = 0;
  for (const { read } of await readSubject(name, flags, io))
    try {
      failures += await sendTo(read(), flags, io);
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof FlagError) throw error;
      // The other sinks are tried, too.
      failures++;
      io.out(`${io.colour('red', 'failed')}   ${printableLine(error.message)}\n`);
    }
  return failures > 0 ? EXIT.failed : EXIT.ok;
}

/** Returns the number of messages that failed. Throws a `CommandError` for a configuration that is not valid. */
async function sendTo(subject: SubjectSink, flags: SendFlags, io: Io): Promise<number> {
  let failures = 0;
  const rules = rulesOf(flags, io);
  const transport = transportOf(rules, flags);
  try {
    const recording = recordingSettings(rules, subject.address);
    const settings = flags.dryRun ? recording : { ...recording, transport };
    const { sink, notes, template } = sinkOfSubject(
      flags.to === undefined ? subject : elsewhere(subject, flags.to),
      settings,
    );
    const place = `sink ${subject.entry.name} (${subject.entry.type})`;
    const found: readonly Finding[] = [
      ...notes.map((message) => ({ severity: 'warning' as const, message })),
      ...(template === undefined ? [] : findingsOfTemplate(template)),
    ];
    for (const finding of found) io.out(findingLine(finding, place, io));
    if (flags.dryRun && found.some(isError)) failures++;
    for (const source of subject.sources) {
      const event = marked(source);
      const { findings, failure, isSuppressed } = flags.dryRun
        ? await rehearse(sink, subject.entry, event, template, recording)
        : await deliver(sink, subject.entry, event, template, recording);
      const about = `${source.event.kind} to ${place}`;
      const isRefused = flags.dryRun && findings.some(isError);
      if (failure !== undefined || isRefused) failures++;
      if (isSuppressed)
        io.out(`${io.colour('dim', 'skipped')}  ${about}: the layout of the sink leaves it out\n`);
      else if (failure === undefined)
        io.out(
          flags.dryRun
            ? `not sent ${about}${verdictOf(subject.entry.type, findings, notes)}\n`
            : `${io.colour('green', 'sent')}     ${about}\n`,
        );
      else io.out(`${io.colour('red', 'failed')}   ${about}: ${printableLine(failure)}\n`);
      for (const finding of findings) io.out(findingLine(finding, about, io));
    }
  } finally {
    await transport.close();
  }
  return failures;
}

const isError = ({ severity }: Finding): boolean => severity === 'error';

const findingLine = ({ severity, message }: Finding, about: string, io: Io): string =>
  `${io.colour(SEVERITY_COLOURS[severity], severity.padEnd(8))} ${about}: ${printableLine(message)}\n`;

/** What the receiver would do with a message; `''`: the findings say it. `notes`: on the configuration. */
function verdictOf(type: SinkType, findings: readonly Finding[], notes: readonly string[]): string {
  if (findings.some(isError)) return '';
  if (notes.length > 0) return ': nothing found against the message itself';
  const { knowsRules, receiver } = SINKS[type];
  if (!knowsRules) return ': nothing found against it; what the receiver accepts is not known here';
  const isKnown = !findings.some(({ severity }) => severity === 'note');
  return `: ${receiver} would take it${isKnown ? '' : ', as far as hnotif knows'}`;
}

/** Every form of message, and every template, shows the plan's name. */
const marked = (source: SubjectSink['sources'][number]): SubjectSink['sources'][number] => ({
  ...source,
  event: { ...source.event, plan: `TEST-${source.event.plan}` },
});

/** The same sink with another place in the chat. */
function elsewhere(subject: SubjectSink, to: string): SubjectSink {
  const { entry, config } = subject;
  const json = parseJson(textOf(config) ?? '');
  // Problems with it are reported when the sink is made.
  if (!json.ok || !isRaw(json.value)) return subject;
  const { value } = json;
  const field = ['channel_id', 'chat_id'].find((name) => (value[name] ?? '') !== '');
  if (field === undefined)
    throw new FlagError(
      `--to: sink ${entry.name} has no channel_id and no chat_id, so it cannot go elsewhere; choose another --sink`,
    );
  // A topic belongs to its chat.
  return { ...subject, config: JSON.stringify({ ...value, message_thread_id: undefined, [field]: to }) };
}

const DESCRIPTION = [
  'Sends the messages of a notification for real, once and without retries, with the same addresses, checks and code as the controller. The plan is called TEST-… in them. hnotif render shows the same without sending.',
  'It sends from your machine: what the cluster may reach can differ. HTTPS_PROXY and NO_PROXY of your shell apply. Exits with 1 if one failed.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif send night-ops -n shop --event Failure
  hnotif send night-ops --sink chat --to C0TESTING
  hnotif send night-ops --dry-run
  hnotif send -f notification.yaml secret.yaml --event Start`;
