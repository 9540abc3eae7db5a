import { Option, type Command } from 'commander';
import { isRaw, SINK_TYPES, type EventKind, type SinkEntry } from '@hnotif/core/resources';
import { SINKS } from '@hnotif/core/sinks';
import { EXIT } from '../exit.ts';
import { CommandError, FlagError, type Colour, type Io } from '../io.ts';
import { devParts } from '../lazy-dev.ts';
import { recordingSettings, rehearse, type Rehearsal, type ShownRequest } from '@hnotif/core/rehearsal';
import { SEVERITY_COLOURS } from '../paint.ts';
import {
  addSubjectFlags,
  readSubject,
  rulesOf,
  sinkOfSubject,
  type SubjectFlags,
} from '../offline/subject.ts';
import { printable } from '../printable.ts';
import { toJson, toYaml } from '../format.ts';
import { onEachChange } from '../on-each-change.ts';

interface RenderFlags extends SubjectFlags {
  readonly output: 'text' | 'pretty' | 'json' | 'yaml' | 'png';
  readonly watch: boolean;
}

export const define = (command: Command, io: Io): void => {
  addSubjectFlags(command)
    .description(DESCRIPTION)
    .addOption(
      new Option(
        '-o, --output <format>',
        'text; pretty, as readers see a Slack message; json; yaml; png, a picture of the chat (needs Chromium)',
      )
        .choices(['text', 'pretty', 'json', 'yaml', 'png'])
        .default('text'),
    )
    .option('-w, --watch', 'render again when a file of -f changes, until Ctrl-C', false)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, flags: RenderFlags) => {
      if (flags.watch && (flags.filename === undefined || flags.filename.includes('-')))
        throw new FlagError('--watch needs files: name them with -f');
      if (flags.output === 'png' && (flags.watch || io.columns !== undefined))
        throw new FlagError(
          '-o png prints one picture: write it to a file, with > message.png, and without --watch',
        );
      if (flags.watch) await onEachChange(flags.filename ?? [], flags, io, () => render(name, flags, io));
      else io.exit(await render(name, flags, io));
    });
};

/** What one event becomes at one sink. */
interface Rendered extends Rehearsal {
  readonly sink: string;
  readonly type: SinkEntry['type'];
  readonly event: EventKind;
}

async function render(name: string | undefined, flags: RenderFlags, io: Io): Promise<number> {
  const all: Rendered[] = [];
  for (const { read } of await readSubject(name, flags, io)) {
    const subject = read();
    const { entry, sources } = subject;
    const settings = recordingSettings(rulesOf(flags, io), subject.address);
    const { sink, template } = sinkOfSubject(subject, settings);
    for (const source of sources) {
      const about = { sink: entry.name, type: entry.type, event: source.event.kind };
      all.push({ ...about, ...(await rehearse(sink, entry, source, template, settings)) });
    }
  }
  io.out(flags.output === 'png' ? await pictured(all, io) : await shown(all, flags.output, io));
  const hasFailed = ({ failure, findings }: Rendered): boolean =>
    failure !== undefined || findings.some(({ severity }) => severity === 'error');
  return all.some(hasFailed) ? EXIT.failed : EXIT.ok;
}

async function shown(
  all: readonly Rendered[],
  output: Exclude<RenderFlags['output'], 'png'>,
  io: Io,
): Promise<string> {
  if (output === 'json') return toJson(all);
  if (output === 'yaml') return toYaml(all);
  const draw = output === 'pretty' ? await drawer(io) : rawLines;
  return all
    .map(({ sink, type, event, requests, findings, isSuppressed, failure }) =>
      [
        io.colour('bold', `# ${event} to sink ${sink} (${type})`),
        ...requests.flatMap(draw),
        ...(isSuppressed
          ? [io.colour('dim', 'nothing is sent: the layout of the sink leaves this event out')]
          : []),
        ...findings.map(({ severity, message }) =>
          io.colour(SEVERITY_COLOURS[severity], `${severity}: ${printable(message)}`),
        ),
        ...(failure === undefined ? [] : [io.colour('red', `nothing is sent: ${printable(failure)}`)]),
        '',
      ].join('\n'),
    )
    .join('\n');
}

/** The messages of one chat as a PNG. */
async function pictured(all: readonly Rendered[], io: Io): Promise<Uint8Array> {
  const types = new Set(all.map(({ type }) => type));
  const [type] = types;
  const chat = type && SINKS[type].preview.chat;
  if (chat === undefined || types.size > 1)
    throw new FlagError(`-o png is for the messages of one chat: choose a sink of ${DRAWN} with --sink`);
  const parts = await devParts();
  if (parts === undefined)
    throw new CommandError(
      'the image of hnotif draws no pictures: use the package from npm (npm install -g hnotif)',
    );
  const bodies = all.flatMap(({ requests }) => requests.map(({ body }) => body)).filter(isRaw);
  const messages = bodies.filter(({ text, blocks }) => typeof text === 'string' || Array.isArray(blocks));
  try {
    return await parts.pictureOf(chat, messages, all[0]?.sink ?? '', io.clock.now());
  } catch (error) {
    if (error instanceof parts.NoPicture) throw new CommandError(error.message);
    throw error;
  }
}

/** The receivers whose messages are drawn. */
const DRAWN = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  SINK_TYPES.map((type) => SINKS[type])
    .filter(({ preview }) => preview.chat !== undefined)
    .map(({ receiver }) => receiver),
);

const rawLines = ({ method, url, headers, body }: ShownRequest): readonly string[] => [
  `${method} ${url}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  '',
  ...JSON.stringify(body, null, 2).split('\n').map(printable),
  '',
];

/** Messages of chats as readers see them, others unchanged. The image does not contain the drawing part. */
async function drawer(io: Io): Promise<typeof rawLines> {
  const parts = await devParts();
  const list = (value: unknown): never[] => (Array.isArray(value) ? (value as never[]) : []);
  return (request) => {
    const { body } = request;
    if (parts === undefined || !isRaw(body) || typeof body.text !== 'string') return rawLines(request);
    if (body.chat_id !== undefined) return printable(body.text).split('\n');
    const { text, blocks, attachments } = body;
    const content = { text, blocks: list(blocks), attachments: list(attachments), mrkdwn: true };
    return parts.contentLines(content, (colour, cell) => io.colour(colour as Colour, cell));
  };
}

const DESCRIPTION = [
  'Shows the exact requests that a notification would send: method, address, headers and body, made by the controller’s own code, with credentials redacted. Nothing is sent. In thread mode the root is shown before the reply.',
  'The events are those of an example plan, or with --plan of a real one. Exits with 1 if a template fails or a message cannot be made.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif render night-ops -n shop --event Failure
  hnotif render -f notification.yaml secret.yaml template.yaml -o pretty
  hnotif render night-ops --plan storefront --sink chat -o json
  hnotif render night-ops --sink chat --event Failure -o png > message.png`;
