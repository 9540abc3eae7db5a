import { isRaw } from '../resources/objects.ts';
import { HISTORY_RISKS, tried, type Degradation, type DegradationReason } from '../sinks/degradation.ts';
import { parseJson } from '../sinks/json.ts';
import type { PostRequest } from '../requests/poster.ts';
import type { Source } from '../render/context.ts';
import type { TemplateSource } from '../render/template.ts';
import type { SinkEntry } from '../resources/notification.ts';
import { botMethodIn } from '../sinks/botchat/bot-api.ts';
import { SINKS } from '../sinks/registry.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { ReadySink } from '../sinks/sink.ts';
import { findingOfDegradation, findingsOfVerdict, type Finding } from './findings.ts';
import type { RecordingSettings } from './recording.ts';

/** One request as a receiver would get it, without credentials. */
export interface ShownRequest {
  readonly method: 'POST';
  /** The path of a webhook is its credential. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as data, anything else as a text. */
  readonly body: unknown;
}

/** What became of one event at one sink. */
export interface Rehearsal {
  readonly requests: readonly ShownRequest[];
  /** What is wrong with the message, or with how it is made. */
  readonly findings: readonly Finding[];
  /** Whether the configuration leaves the event out. */
  readonly isSuppressed: boolean;
  /** Why there is no message; undefined: there is one, or the event is left out. */
  readonly failure: string | undefined;
}

/** Of one delivery: a search, a root, a reply. */
const MOST_REQUESTS = 6;

/** How a delivery ended, without retries. */
export type Delivered = Omit<Rehearsal, 'requests'>;

/** Delivers an event by the sink's own code, in as many requests as that takes. `untold`: degradations without a finding. */
export async function deliver(
  sink: ReadySink,
  { name }: Pick<SinkEntry, 'name'>,
  source: Source,
  template: TemplateSource | undefined,
  { threads, time }: Pick<RecordingSettings, 'threads' | 'time'>,
  untold: ReadonlySet<DegradationReason> = new Set(),
): Promise<Delivered> {
  if (sink.suppresses(source.event)) return { findings: [], isSuppressed: true, failure: undefined };
  time.now = Date.parse(source.event.timestamp);
  const findings: Finding[] = [];
  const delivery = {
    ...{ id: `test-${source.event.id}`, event: source.event, sinkName: name, plan: source.plan, template },
    progress: { level: 0, unclearSince: undefined },
  };
  const attempt = {
    signal: new AbortController().signal,
    slot: () => true,
    degraded(degradation: Degradation) {
      if (!untold.has(degradation.reason)) findings.push(findingOfDegradation(degradation));
    },
  };
  let outcome = await sink.deliver(delivery, attempt);
  // A thread takes a request for its root, and others. A board is updated before the event is delivered.
  for (let more = 1; more < MOST_REQUESTS && isUnfinished(outcome); more++) {
    if (outcome.kind === 'wait') {
      time.waited += outcome.forMs;
      await threads.roots.idle();
    }
    outcome = await sink.deliver(delivery, attempt);
  }
  const failure =
    'message' in outcome
      ? `${outcome.message}${outcome.kind === 'ambiguous' ? '; the message may have arrived all the same' : ''}`
      : undefined;
  return { findings, isSuppressed: false, failure };
}

const isUnfinished = ({ kind }: Outcome): boolean => kind === 'continue' || kind === 'wait';

/** The same with a transport that sends nothing: shows the requests, and what the judge of the receiver says of them. */
export async function rehearse(
  sink: ReadySink,
  entry: Pick<SinkEntry, 'name' | 'type'>,
  source: Source,
  template: TemplateSource | undefined,
  settings: RecordingSettings,
): Promise<Rehearsal> {
  const { transport, chatApiUrl } = settings;
  // There is no history here. The notes on the configuration tell a channel whose history cannot be read.
  const delivered = await deliver(sink, entry, source, template, settings, HISTORY_RISKS);
  const requests = transport.requests
    .splice(0)
    .filter(isMessage)
    .map((each) => shownRequest(each, chatApiUrl));
  const judged = requests
    .map(({ body }) => body)
    .filter(isRaw)
    .flatMap((body) =>
      findingsOfVerdict(entry.type, SINKS[entry.type].judge(body, template && { template, source })),
    );
  const findings = delivered.findings.map((each) => ({ ...each, message: tried(each.message) }));
  return { requests, ...delivered, findings: [...findings, ...judged] };
}

/** Only searches are forms. A webhook may set any type for its JSON. */
const isMessage = ({ headers }: PostRequest): boolean =>
  headers['content-type'] !== 'application/x-www-form-urlencoded';

/** Headers without credentials. All others may be set by the user, for a credential. */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'content-type', 'user-agent', 'webhook-id', 'webhook-timestamp'],
]);

const REDACTED = '[redacted]';

/** A request without credentials. */
export function shownRequest(
  { url, headers, body }: Pick<PostRequest, 'url' | 'headers' | 'body'>,
  chatApiUrl: string,
): ShownRequest {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  return {
    method: 'POST',
    url: shownUrl(url, chatApiUrl),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, PUBLIC_HEADERS.has(name) ? value : REDACTED]),
    ),
    body: bodyOf(text),
  };
}

function bodyOf(text: string): unknown {
  const json = parseJson(text);
  return json.ok ? json.value : text;
}

/** Only the methods of Slack's and Telegram's APIs are no secret. A webhook's path may look like one of them. */
export function shownUrl({ href, origin, pathname }: URL, chatApiUrl: string): string {
  if (href.startsWith(`${chatApiUrl}/`) && /\/chat\.\w+$/.test(pathname)) return `${origin}${pathname}`;
  const method = botMethodIn(pathname);
  return `${origin}/${REDACTED}${method === undefined ? '' : `/${method}`}`;
}
