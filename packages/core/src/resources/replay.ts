import * as z from 'zod';
import { EVENT_ID } from './event-id.ts';
import { kindOf } from './kind-of.ts';

/**
 * The annotation of a notification that asks for a replay, as `reconcile.fluxcd.io/requestedAt` asks Flux. Whoever may change a
 * notification may ask. It does not depend on the API group of an installation, as the annotations of links do not.
 */
export const REPLAY_ANNOTATION = 'hibernation.dev/replay';

/** The longest request (characters). */
export const LONGEST_REQUEST = 1024;

/** The error of a field, without its value. */
const must =
  (what: string) =>
  ({ input }: { readonly input?: unknown }): string => {
    if (input === undefined) return 'is missing';
    return `must be ${what}${typeof input === 'string' ? '' : `, found ${kindOf(input)}`}`;
  };

/** A text. One rule, so that a wrong one is one problem. */
const textOf = (what: string, isValid: (text: string) => boolean) =>
  z.string({ error: must(what) }).refine(isValid, { error: must(what) });

const IS_TIME = z.iso.datetime({ offset: true });
const time = textOf(
  'an RFC 3339 time such as 2026-01-05T20:00:00Z',
  (text) => IS_TIME.safeParse(text).success,
);

/** A name of an object. It is shown in statuses, Events and the log. */
const name = (longest: number) =>
  textOf(
    'the name of an object',
    (text) => text.length <= longest && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text),
  );

const flag = z.boolean({ error: must('true or false, without quotes') }).default(false);

/** The JSON in the annotation. A request is carried out once: another text is another request. */
const REQUEST = z.strictObject(
  {
    /** When it was asked for (RFC 3339): it makes equal requests different. */
    at: time,
    /** A plan of the notification's namespace. */
    plan: name(253),
    /** Default: all sinks of the notification. */
    sink: name(63).optional(),
    /** Only this delivery, also if it arrived; or only this event. Default: all events. */
    id: textOf('the id of a delivery or an event', (text) => EVENT_ID.test(text)).optional(),
    /** Also what has arrived; else only what has failed or was dropped. */
    all: flag,
    /** Only deliveries that ended since then (RFC 3339). Default: all that the journal knows. */
    since: time.optional(),
    /** Only answer what would be sent. */
    dryRun: flag,
  },
  {
    error: ({ code, input }) =>
      code === 'unrecognized_keys' ? undefined : `it must be an object, found ${kindOf(input)}`,
  },
);

export type ReplayRequest = z.output<typeof REQUEST>;

/** Parses the annotation; a text: what is wrong with it, and the remedy. The value may be long, and is not shown. */
export function parseReplay(text: string): ReplayRequest | string {
  if (text.length > LONGEST_REQUEST) return refusal(`it has more than ${LONGEST_REQUEST} characters`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refusal('it is not JSON');
  }
  const read = REQUEST.safeParse(json);
  if (read.success) return read.data;
  const { issues } = read.error;
  const whole = issues.find(({ path, code }) => path.length === 0 && code !== 'unrecognized_keys');
  if (whole !== undefined) return refusal(whole.message);
  const problems = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? unknownFields(issue.keys)
      : [`${issue.path.join('.')}: ${issue.message}`],
  );
  return refusal(problems.join('; '), problems.length === 1 ? 'this field' : 'these fields');
}

const refusal = (problem: string, what = 'it'): string =>
  `annotation ${REPLAY_ANNOTATION} is not valid: ${problem}; correct ${what}, or remove the annotation and ask with hnotif replay`;

/** Only plain names are shown, and not many. */
const unknownFields = (names: readonly string[]): readonly string[] =>
  names.length <= 3 && names.every((each) => /^[a-z]{1,32}$/i.test(each))
    ? names.map((each) => `${each}: is not known`)
    : [`${names.length === 1 ? 'a field is' : `${names.length} fields are`} not known`];

/** What became of a request as a whole. The status and the documentation use this table. */
export const REPLAY_REASONS = {
  Replayed: 'The deliveries in the table were looked at; its rows say what became of each.',
  DryRun: 'The same, without sending: the rows say what would be sent.',
  NothingToReplay:
    'The journal of the plan has no such delivery. It keeps those of the last nights, and the newest losses longest: hnotif trace shows them.',
  Muted:
    'The notification is muted, so nothing is sent. Unmute it (hnotif unmute), or wait for the end of its muteSchedule, then ask again.',
  UnknownPlan: 'There is no such plan in the namespace: see hnotif get plans.',
  NotMatched: 'The selector of the notification does not match the plan: see hnotif why.',
  UnknownSink: 'The notification does not list the sink: see hnotif describe.',
  MalformedRequest:
    'The annotation cannot be read: correct the fields that the message names, or remove it and ask with hnotif replay.',
  Internal: 'A fault of hnotif itself; the log has the stack.',
} as const;

export type ReplayReason = keyof typeof REPLAY_REASONS;

/** What becomes of deliveries that were asked for. */
export const REPLAY_RESULTS = {
  Sent: 'It was accepted again under the same id, and is sent like every other delivery: hnotif why shows it.',
  WouldBeSent: 'It can be sent again. It was not: the request was a dry run.',
  Waits: 'It waits already: hnotif why says for what.',
  NotDerivable:
    'The status of the plan no longer shows this event, so its message cannot be made again. Look at the plan: hnotif trace.',
  NotListed: 'The notification does not list the sink any more: add it again, then ask again.',
} as const;

export type ReplayResult = keyof typeof REPLAY_RESULTS;

/** Deliveries that ended together, and what becomes of them. */
export interface ReplayRow {
  readonly sink: string;
  /** The kinds of the events, such as `Start, Success`. */
  readonly events: string;
  readonly count: number;
  /** When and how they had ended: RFC 3339, and `failed TooLong`. */
  readonly endedAt: string;
  readonly was: string;
  readonly result: ReplayResult;
}

/** The rows that a status has at most. A journal has up to 84 lines for each plan; more rows are left out. */
export const MOST_REPLAY_ROWS = 60;

/** The leader's answer. */
export interface ReplayStatus {
  /** The annotation that was carried out; cut, if it was too long. */
  readonly request: string;
  /** RFC 3339. */
  readonly at: string;
  readonly reason: ReplayReason;
  /** For people: the remedy. */
  readonly message: string;
  /** How many deliveries are sent again. */
  readonly sent: number;
  readonly deliveries?: readonly ReplayRow[];
}
