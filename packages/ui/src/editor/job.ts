import { TemplateError, type Limit } from '@hnotif/gotemplate';
import { CHATS, type Body, type Chat, type ViewClock } from '@hnotif/receivers/view';
import {
  recordingSettings,
  templatesHere,
  sameOutputs,
  type Finding,
  rehearse,
  type Rehearsal,
  type ShownRequest,
} from '@hnotif/core/rehearsal';
import { isRaw, EVENT_KINDS, type SinkType } from '@hnotif/core/resources';
import type { Clock } from '@hnotif/core/clock';
import { faultOf, TEMPLATE_LIMITS, type TemplateRunner, type TemplateSource } from '@hnotif/core/render';
import { readSink, SINKS } from '@hnotif/core/sinks';
import { markOfError, marksOf, type Mark } from './marks.ts';
import { CONFIG_MAP, KEY } from './names.ts';
import { EventProblem } from './read-event-json.ts';
import { sinkChoice, type SinkId } from './sinks.ts';
import { SINK_NAME, sourceOf, type JobEvent } from './sources.ts';

/** What the worker is asked. */
export interface Job {
  readonly template: string;
  readonly sink: SinkId;
  readonly event: JobEvent;
  /** Of the reader, as an IANA name. */
  readonly timezone: string;
  /** Whether the template took too long before: it is not run. */
  readonly timedOut: boolean;
}

/** What the chat shows. */
export type Picture =
  | { readonly chat: Chat; readonly html: string }
  /** `label`: what the text is. */
  | { readonly chat: undefined; readonly label: string; readonly text: string };

export interface Answer {
  readonly marks: readonly Mark[];
  /** Why the event cannot be used; undefined: it can. */
  readonly eventProblem: string | undefined;
  readonly requests: readonly ShownRequest[];
  /** Undefined: there is no message. */
  readonly picture: Picture | undefined;
  /** What the template needed more of than it has, such as `time`; undefined: nothing. */
  readonly limit: Limit | undefined;
  /** What went wrong with the message. */
  readonly faults: readonly string[];
  /** Whether a note is about a possible mistake. */
  readonly isDoubtful: boolean;
  /** What the user should know. */
  readonly notes: readonly string[];
}

/** What the worker says. */
export type FromWorker =
  /** Also after `loading`: send the job again. */
  | { readonly kind: 'ready' }
  /** It loads what the job needs. Loading does not count as work. */
  | { readonly kind: 'loading' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly message: string };

const NAME = `${CONFIG_MAP}/${KEY}`;
const ADDRESS = { namespace: 'shop', notification: 'nights', sink: SINK_NAME };
const NOTHING = {
  ...{ eventProblem: undefined, requests: [], picture: undefined, faults: [], notes: [] },
  ...{ isDoubtful: false, limit: undefined },
};

/** Makes the message by the code of the product. */
export async function answer(job: Job): Promise<Answer> {
  const { template, timedOut } = job;
  const marks = timedOut ? [] : marksOf(template);
  const seen: { error?: unknown } = {};
  const observer = {
    threw: (error: unknown) => (seen.error = error),
  };
  try {
    const made = await messageOf(job, timedOut ? tooSlow : templatesHere(observer));
    const failure = markOfError(template, seen.error);
    const isKnown = failure === undefined || marks.some(({ from }) => from === failure.from);
    const limit = timedOut ? 'time' : seen.error instanceof TemplateError ? seen.error.limit : undefined;
    const isPlain = seen.error !== undefined && limit !== 'time';
    const notes = [...made.notes, ...(isPlain ? ['Plain text is sent instead.'] : [])];
    return { ...NOTHING, ...made, notes, limit, marks: isKnown ? marks : [...marks, failure] };
  } catch (error) {
    if (!(error instanceof EventProblem)) throw error;
    return { ...NOTHING, marks, eventProblem: error.message };
  }
}

/** As the controller has it of a template that it had to end. */
const tooSlow: TemplateRunner = {
  render: (template) =>
    Promise.resolve(
      faultOf(
        template,
        'TemplateTimedOut',
        `: exceeded the time limit (${TEMPLATE_LIMITS.execution.value} ms)`,
      ),
    ),
  check: () => Promise.resolve(undefined),
};

async function messageOf(
  { sink: id, event, template: text, timezone, timedOut }: Job,
  templates: TemplateRunner,
): Promise<Omit<Answer, 'marks' | 'eventProblem' | 'limit'>> {
  const { type, config, isBuiltIn = false } = sinkChoice(id);
  const source = sourceOf(event, type);
  const now = Date.parse(source.event.timestamp);
  const settings = recordingSettings({ ...ADDRESSES, clock: stopped(now), templates }, ADDRESS);
  const reading = readSink(type, JSON.stringify(config), settings);
  if (!reading.ok) throw new Error(`the sink of the editor is not valid: ${reading.problems.join('; ')}`);
  const { sink } = reading;
  const ignores = isBuiltIn ? 'this sink has none' : sink.ignoresTemplate;
  const template = ignores === undefined ? { name: NAME, text } : undefined;
  const rehearsal = await rehearse(sink, { name: SINK_NAME, type }, source, template, settings);
  const same = timedOut || template === undefined ? undefined : await sameMessages(template, event, type);
  const warnings = [
    ...rehearsal.findings.filter(({ severity }) => severity === 'warning'),
    ...(same === undefined ? [] : [same]),
  ];
  const bodies = rehearsal.requests.map(({ body }) => body).filter(isRaw);
  return {
    requests: rehearsal.requests,
    picture: pictureOf(type, bodies, { now, timezone }),
    faults: faultsOf(rehearsal),
    isDoubtful: warnings.length > 0,
    notes: [
      ...warnings.map(({ message }) => message),
      ...wordsOf(rehearsal, ({ severity }) => severity === 'note'),
      ...(ignores === undefined ? [] : [`The template has no effect: ${ignores}.`]),
      ...(rehearsal.isSuppressed ? ['Nothing is sent: the layout of the sink leaves this event out.'] : []),
    ],
  };
}

/** A warning if the message is the same for each event. Most templates are known after the second one. */
async function sameMessages(
  template: TemplateSource,
  event: JobEvent,
  type: SinkType,
): Promise<Finding | undefined> {
  if (event.from === 'json') return undefined;
  const templates = templatesHere();
  const outputs: string[] = [];
  for (const kind of EVENT_KINDS) {
    const rendered = await templates.render(template, sourceOf({ ...event, kind }, type), NEVER);
    if (!rendered.ok || outputs.some((each) => each !== rendered.text)) return undefined;
    outputs.push(rendered.text);
  }
  return sameOutputs(outputs);
}

const NEVER = new AbortController().signal;

const ADDRESSES = {
  chatApiUrl: 'https://slack.com/api',
  botApiUrl: 'https://api.telegram.org',
  problem: () => undefined,
  // The sinks of the editor have no secret.
  readTls: () => ({ ok: true, tls: undefined }) as const,
};

/** The moment of the event: equal works give equal messages. */
const stopped = (now: number): Clock => ({
  now: () => now,
  monotonic: () => 0,
  random: () => 0,
  after: () => () => undefined,
});

function pictureOf(type: SinkType, bodies: readonly Body[], clock: ViewClock): Picture | undefined {
  const { preview } = SINKS[type];
  if (preview.chat === undefined) {
    const text = bodies[0] && preview.textOf(bodies[0]);
    return text === undefined ? undefined : { chat: undefined, label: preview.label, text };
  }
  const html = CHATS[preview.chat].draw(bodies, clock);
  return html === '' ? undefined : { chat: preview.chat, html };
}

const faultsOf = (rehearsal: Rehearsal): readonly string[] => {
  const { failure } = rehearsal;
  const errors = wordsOf(rehearsal, ({ severity }) => severity === 'error');
  return failure === undefined ? errors : [...errors, `nothing is sent: ${failure}`];
};

const wordsOf = ({ findings }: Rehearsal, is: (finding: Finding) => boolean): readonly string[] =>
  findings.filter(is).map(({ message }) => message);
