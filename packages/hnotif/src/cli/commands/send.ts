import type { Command } from 'commander';
import { isRaw } from '../../cluster/objects.ts';
import { parseJson } from '../../sinks/json.ts';
import { Transport } from '../../transport/client.ts';
import { EXIT } from '../exit.ts';
import { FlagError, type Io } from '../io.ts';
import { recordingSettings } from '../offline/recording.ts';
import { deliver } from '../offline/requests.ts';
import {
  addSubjectFlags,
  readSubject,
  rulesOf,
  sinkOfSubject,
  type SubjectFlags,
  type SubjectSink,
} from '../offline/subject.ts';
import { printableLine } from '../printable.ts';

interface SendFlags extends SubjectFlags {
  readonly to?: string;
}

export const define = (command: Command, io: Io): void => {
  addSubjectFlags(command)
    .description(DESCRIPTION)
    .option('--to <channel>', 'another channel of Slack (thread mode), or another chat of Telegram')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, flags: SendFlags) => {
      io.exit(await send(name, flags, io));
    });
};

async function send(name: string | undefined, flags: SendFlags, io: Io): Promise<number> {
  let failures = 0;
  for (const subject of await readSubject(name, flags, io)) {
    const rules = rulesOf(flags, io);
    // The user may see the answer: the request was the user's.
    const transport = new Transport({ ...rules, showPrivateAnswers: true });
    try {
      const settings = { ...recordingSettings(rules, subject.address), transport };
      const sink = sinkOfSubject(flags.to === undefined ? subject : elsewhere(subject, flags.to), settings);
      const template = sink.ignoresTemplate === undefined ? subject.template : undefined;
      for (const source of subject.sources) {
        const { degradations, failure, isSuppressed } = await deliver(
          sink,
          subject.entry,
          marked(source),
          template,
        );
        const about = `${source.event.kind} to sink ${subject.entry.name} (${subject.entry.type})`;
        if (failure !== undefined) failures++;
        if (isSuppressed)
          io.out(`${io.colour('dim', 'skipped')}  ${about}: the layout of the sink leaves it out\n`);
        else if (failure === undefined) io.out(`${io.colour('green', 'sent')}     ${about}\n`);
        else io.out(`${io.colour('red', 'failed')}   ${about}: ${printableLine(failure)}\n`);
        for (const text of degradations)
          io.out(`${io.colour('yellow', 'degraded')} ${about}: ${printableLine(text)}\n`);
      }
    } finally {
      await transport.close();
    }
  }
  return failures > 0 ? EXIT.failed : EXIT.ok;
}

/** Every form of message, and every template, shows the plan's name. */
const marked = (source: SubjectSink['sources'][number]): SubjectSink['sources'][number] => ({
  ...source,
  event: { ...source.event, plan: `TEST-${source.event.plan}` },
});

/** The same sink with another place in the chat. */
function elsewhere(subject: SubjectSink, to: string): SubjectSink {
  const { entry, config } = subject;
  const json = parseJson(Buffer.from(config).toString());
  // Problems with it are reported when the sink is made.
  if (!json.ok || !isRaw(json.value)) return subject;
  const { value } = json;
  const field = ['channel_id', 'chat_id'].find((name) => Object.hasOwn(value, name));
  if (field === undefined)
    throw new FlagError(
      `--to: sink ${entry.name} has no channel_id and no chat_id, so it cannot go elsewhere; choose another --sink`,
    );
  return { ...subject, config: JSON.stringify({ ...value, [field]: to }) };
}

const DESCRIPTION = [
  'Sends the messages of a notification for real, once and without retries, with the same addresses, checks and code as the controller. The plan is called TEST-… in them. hnotif render shows the same without sending.',
  'It sends from your machine: what the cluster may reach can differ. Exits with 1 if one failed.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif send night-ops -n shop --event Failure
  hnotif send night-ops --sink chat --to C0TESTING
  hnotif send -f notification.yaml secret.yaml --event Start`;
