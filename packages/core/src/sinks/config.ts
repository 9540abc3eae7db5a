/** Helpers for the configurations of all sinks. */
import { nearest } from '@hnotif/gotemplate';
import * as z from 'zod';
import { kindOf } from '../resources/kind-of.ts';

export { kindOf };

export type ConfigReading<T> =
  /** `notes` name accepted fields without effect, for the condition's message. */
  | { readonly ok: true; readonly config: T; readonly notes: readonly string[] }
  /** One text per problem: the field, what is wrong, what to do; never a value. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** An error message: the field, the kind of its value (never the value), and the remedy. */
export const must = (field: string, what: string, remedy: string) => (issue: { readonly input?: unknown }) =>
  issue.input === undefined
    ? `${field}: is missing; ${remedy}`
    : `${field}: must be ${what}, found ${kindOf(issue.input)}; ${remedy}`;

export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
export const folded = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim().toLowerCase() : value;
/** An empty text counts as absent: charts write it for a value that is not set. */
export const orAbsent = (value: unknown): unknown => (value === '' ? undefined : value);

/** One of several words, in any case. */
export const choice = <const T extends readonly string[]>(field: string, values: T, standard: T[number]) =>
  z.preprocess(
    (value) => orAbsent(folded(value)),
    z
      .enum(values, {
        error: (issue) =>
          typeof issue.input === 'string'
            ? `${field}: is none of ${values.join(', ')}; write one of them or leave it out for ${standard}`
            : must(field, 'a string', `write one of ${values.join(', ')} or leave it out`)(issue),
      })
      .default(standard),
  );

/** An entry of a list: one of several words, as `read` takes it from the value. */
export const entry = <const T extends readonly string[]>(
  field: string,
  values: T,
  read: (value: unknown) => unknown,
) =>
  z.preprocess(
    read,
    z.enum(values, {
      error: ({ path, input }) =>
        `${field}: entry ${Number(path?.at(-1)) + 1} ${
          typeof input === 'string'
            ? `is none of ${values.join(', ')}`
            : `must be a string, found ${kindOf(input)}`
        }; correct or remove it`,
    }),
  );

/** Whether a field of a configuration has a value. */
export const isSet = (json: unknown, field: string): boolean =>
  orAbsent((json as Readonly<Record<string, unknown>>)[field]) !== undefined;

/**
 * Whether waiting progress of a target is replaced by newer progress. Default: false, every event is sent. Useful if a rate limit makes
 * messages late; without a backlog it changes nothing.
 */
export const coalesceProgress = z
  .boolean({ error: must('coalesce_progress', 'true or false', 'write it without quotes or leave it out') })
  .default(false);

/** Unknown fields to name: a secret has room for a hundred thousand. */
const MOST_NAMED = 10;

const CHECKED = 'certificates are always checked; hnotif trusts those of --ca-file, too';
/** Fields of other programs, whose effect has another place here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['template', 'templateRef of the sink in the notification names the template'],
  ['mute_time_intervals', 'write spec.muteSchedule in the notification'],
  ['active_time_intervals', 'write spec.muteSchedule in the notification, with the other times'],
  ['insecure_skip_verify', CHECKED],
  ['username', 'the receiver shows the name of the app or bot'],
]);

/**
 * A note for each unknown field, with the field that was probably meant. A name that does not look like a field may be a misplaced
 * value: it is counted, not shown. `reasons`: why fields that others have are none here.
 */
function unknownIn(
  json: unknown,
  known: object,
  { within = '', reasons = {} }: { within?: string; reasons?: Readonly<Record<string, string>> } = {},
): string[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  const unknown = Object.keys(json).filter((name) => !Object.hasOwn(known, name));
  const free = Object.keys(known).filter((name) => !Object.hasOwn(json, name));
  const names = unknown.filter((name) => /^[a-z][a-z_-]{0,39}$/i.test(name)).slice(0, MOST_NAMED);
  const others = unknown.length - names.length;
  const of = within === '' ? '' : ` of ${within.slice(0, -1)}`;
  return [
    ...names.map((name) => {
      const reason = Object.hasOwn(reasons, name) ? reasons[name] : within === '' && ELSEWHERE.get(name);
      if (reason) return `field ${within}${name} is not known and has no effect: ${reason}`;
      const meant = meantBy(name, free);
      return `field ${within}${name} is not known and has no effect${
        meant === undefined ? '' : `; did you mean ${within}${meant}?`
      }`;
    }),
    ...(others === 1 ? [`1 more field${of} is not known and has no effect`] : []),
    ...(others > 1 ? [`${others} more fields${of} are not known and have no effect`] : []),
  ];
}

/** By similar letters, else by a common word: `url` for `webhook_url`. */
function meantBy(name: string, fields: readonly string[]): string | undefined {
  const words = (text: string): string[] => text.toLowerCase().split(/[_-]/);
  const shares = (field: string): boolean =>
    words(field).includes(name.toLowerCase()) || words(name).includes(field);
  return nearest(name, fields) ?? fields.find(shares);
}

/** Notes for all unknown fields, also within `rate_limit`. `reasons`: why fields that others have are none here. */
export function unknownFields(
  json: unknown,
  known: object,
  reasons?: Readonly<Record<string, string>>,
): string[] {
  const { rate_limit: limit } = Object(json) as { readonly rate_limit?: unknown };
  const rates = Object.hasOwn(known, 'rate_limit')
    ? unknownIn(limit, { rate: 0, unit: 0, burst: 0 }, { within: 'rate_limit.' })
    : [];
  return [...unknownIn(json, known, { ...(reasons && { reasons }) }), ...rates];
}

const SECONDS = { second: 1, minute: 60 } as const;

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** The `rate_limit` of a chat sink. Absent fields have their defaults. */
export const rateLimit = (defaults: {
  readonly rate: number;
  readonly unit: keyof typeof SECONDS;
  readonly burst: number;
}) =>
  z
    .object(
      {
        rate: z
          .number({ error: must('rate_limit.rate', 'a number', 'write it without quotes or leave it out') })
          .positive({ error: 'rate_limit.rate: must be above 0; leave it out for the default' })
          .default(defaults.rate),
        // Charts write an empty text for an absent value.
        unit: z.preprocess(
          (value) => (typeof value === 'string' ? value.trim().toLowerCase() || undefined : value),
          z
            .enum(['second', 'minute'], {
              error: (issue) =>
                typeof issue.input === 'string'
                  ? 'rate_limit.unit: is neither second nor minute; write one of them or leave it out'
                  : must(
                      'rate_limit.unit',
                      '"second" or "minute"',
                      'write one of them or leave it out',
                    )(issue),
            })
            .default(defaults.unit),
        ),
        burst: z
          .number({
            error: must('rate_limit.burst', 'a whole number', 'write it without quotes or leave it out'),
          })
          .int({ error: 'rate_limit.burst: must be a whole number; round it' })
          .min(1, { error: 'rate_limit.burst: must be at least 1; leave it out for the default' })
          .default(defaults.burst),
      },
      { error: must('rate_limit', 'an object', 'write {"rate": …, "unit": …, "burst": …} or leave it out') },
    )
    .prefault({})
    .transform(({ rate, unit, burst }): RateLimit => ({ perSecond: rate / SECONDS[unit], burst }));
