import { layoutFault } from '@hnotif/gotemplate';
import * as z from 'zod';
import { EVENT_KINDS } from '../../resources/kinds.ts';
import { Secret } from '../../redaction/secret.ts';
import { addressNotes } from '../address-notes.ts';
import {
  choice,
  coalesceProgress,
  type ConfigReading,
  entry,
  folded,
  isSet,
  must,
  orAbsent,
  rateLimit,
  trimmed,
  unknownFields,
} from '../config.ts';
import { urlProblems } from '../url-problems.ts';
import { valueWrapping } from '../wrapping.ts';
import { BOARD_CONFIG, boardSettings, idleBoardFields } from '../board/config.ts';
import { channelIdNotes, channelIdProblem } from './channel-id.ts';
import { idleFields, STANDARD_LAYOUT } from './idle-fields.ts';
import { hasElement, isZone } from './presets/time.ts';
import { LAYOUTS, SCOPES, type Scope, TIME_DISPLAYS, type TeamchatConfig } from './types.ts';

const MODES = ['channel', 'thread', 'board'] as const;
const FORMATS = ['text', 'json'] as const;
const MOST_TARGETS = 100;
const LONGEST_LAYOUT = 200;
/** A token has some 60 characters, a channel's ID some 11. */
const LONGEST_WORD = 1_000;

/** A text in which blanks around it can only be a mistake. Empty, as charts write what is not set, it counts as absent. */
const word = (field: string, remedy: string) =>
  z
    .preprocess(trimmed, z.string({ error: must(field, 'a string', remedy) }))
    .transform((text) => (text === '' ? undefined : text))
    .optional();

const broadcastKind = entry(
  'broadcast',
  EVENT_KINDS,
  (value) => EVENT_KINDS.find((kind) => folded(kind) === folded(value)) ?? value,
);

const scope = entry('additional_scopes', SCOPES, (value) =>
  folded(value) === 'env' ? 'environment' : folded(value),
);

export const TEAMCHAT_CONFIG = z.object({
  webhook_url: word('webhook_url', 'give the URL of the incoming webhook'),
  bot_token: word('bot_token', 'give the bot token of the app'),
  channel_id: word('channel_id', 'give the ID of the channel in quotes'),
  format: choice('format', FORMATS, 'text'),
  block_layout: choice('block_layout', LAYOUTS, 'default'),
  max_targets: z
    .number({ error: must('max_targets', 'a whole number', 'write it without quotes or leave it out') })
    .refine((count) => Number.isInteger(count) && count >= 1 && count <= MOST_TARGETS, {
      error: `max_targets: must be a whole number from 1 to ${MOST_TARGETS}; leave it out for 8`,
    })
    .default(8),
  additional_scopes: z
    .array(scope, {
      error: must('additional_scopes', 'a list', `write ["region"] or other names of ${SCOPES.join(', ')}`),
    })
    .transform((scopes): Scope[] => [...new Set(scopes)])
    .default([]),
  time_display: choice('time_display', TIME_DISPLAYS, 'slack_dynamic'),
  timezone: z.preprocess(
    (value) => orAbsent(trimmed(value)),
    z
      .string({ error: must('timezone', 'a string', 'write a name such as "Europe/Berlin"') })
      .refine(isZone, {
        error:
          'timezone: is not a time zone of the IANA database; write a name such as Europe/Berlin (the case counts), or Etc/GMT-2 for UTC+2 (its sign is reversed), or leave it out for UTC',
      })
      .default('UTC'),
  ),
  time_layout: z.preprocess(
    orAbsent,
    z
      .string({ error: must('time_layout', 'a string', 'write a layout such as "02 Jan 15:04 MST"') })
      .superRefine((layout, context) => {
        for (const message of layoutProblems(layout)) context.addIssue({ code: 'custom', message });
      })
      .default(STANDARD_LAYOUT),
  ),
  delivery_mode: choice('delivery_mode', MODES, 'channel'),
  broadcast: z
    .array(broadcastKind, {
      error: must('broadcast', 'a list', 'write ["Failure"] or other events, or leave it out'),
    })
    .default([]),
  ...BOARD_CONFIG,
  rate_limit: rateLimit({ rate: 50, unit: 'minute', burst: 75 }),
  coalesce_progress: coalesceProgress,
});

function layoutProblems(layout: string): string[] {
  if (layout.length > LONGEST_LAYOUT)
    return [`time_layout: is longer than ${LONGEST_LAYOUT} characters; shorten it`];
  return hasElement(layout)
    ? []
    : [
        'time_layout: has no part of a time, so all times look the same; write the reference time Mon Jan 2 15:04:05 MST 2006 in the format that you want, such as "02 Jan 15:04 MST"',
      ];
}

/** A text of which no part can be a credential that was put into the wrong field. */
const IS_LAYOUT = /^(?:[\d\s:.,/_+-]|Jan(?:uary)?|Mon(?:day)?|MST|[Pp][Mm]|T|Z)*$/;

/** A layout that shows times, and not as its author thinks. Its text is not shown. */
function layoutNotes({ timeLayout }: TeamchatConfig): string[] {
  const fault = layoutFault(timeLayout);
  if (fault === undefined) return [];
  const { suggestion = '' } = fault;
  const example = suggestion !== '' && IS_LAYOUT.test(suggestion) ? `, such as "${suggestion}"` : '';
  return [
    `time_layout: is not a layout of Go, so it shows times in a wrong way; write the reference time Mon Jan 2 15:04:05 MST 2006${example}`,
  ];
}

/**
 * Reads the parsed JSON of a teamchat sink's secret. `refuses` says why nothing may be sent to a URL (the transport knows),
 * or undefined. Fields that are not known, or have no effect beside the others, are accepted and named in the notes.
 */
export function readTeamchatConfig(
  json: unknown,
  refuses: (url: URL) => string | undefined,
): ConfigReading<TeamchatConfig> {
  const parsed = TEAMCHAT_CONFIG.safeParse(json);
  const problems = parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
  const given = textsOf(json);
  const mode = choice('delivery_mode', MODES, 'channel').safeParse(given.delivery_mode).data;
  if (given.isObject && mode !== undefined) problems.push(...modeProblems(mode, given));
  if (given.webhook_url !== '') problems.push(...urlProblems('webhook_url', given.webhook_url, refuses));
  problems.push(
    ...wordProblems('bot_token', given.bot_token),
    ...wordProblems('channel_id', given.channel_id),
  );
  const unknown = unknownFields(
    json,
    TEAMCHAT_CONFIG.shape,
    given.webhook_url === '' ? undefined : { channel: BOUND_TO_CHANNEL },
  );
  if (!parsed.success || problems.length > 0) return { ok: false, problems: [...problems, ...unknown] };
  const { data } = parsed;
  const config: TeamchatConfig = {
    mode:
      data.delivery_mode === 'channel'
        ? { kind: 'channel', webhookUrl: new Secret(new URL(given.webhook_url).href) }
        : {
            ...(data.delivery_mode === 'thread'
              ? { kind: 'thread' }
              : {
                  kind: 'board',
                  ...boardSettings(data),
                }),
            botToken: new Secret(given.bot_token),
            channelId: given.channel_id,
            broadcast: new Set(data.broadcast),
          },
    format: data.format,
    layout: data.block_layout,
    maxTargets: data.max_targets,
    scopes: data.additional_scopes,
    timeDisplay: data.time_display,
    timezone: data.timezone,
    timeLayout: data.time_layout,
    rate: data.rate_limit,
    coalesceProgress: data.coalesce_progress,
  };
  return {
    ok: true,
    config,
    notes: [
      ...unknown,
      ...(data.delivery_mode !== 'channel'
        ? channelIdNotes(given.channel_id)
        : addressNotes('webhook_url', given.webhook_url, isSet(json, 'format') ? data.format : 'unset')),
      ...layoutNotes(config),
      ...(data.delivery_mode === 'board' ? [] : idleBoardFields(json)),
      ...idleFields(config, data.broadcast.length > 0),
    ],
  };
}

interface Given {
  readonly isObject: boolean;
  readonly delivery_mode: unknown;
  /** Each `''` if it is absent or not a text: the schema reports that. */
  readonly webhook_url: string;
  readonly bot_token: string;
  readonly channel_id: string;
  /** Fields of a wrong type: the schema reports them, so they are not reported as missing. */
  readonly mistyped: ReadonlySet<string>;
}

/** Fields that depend on each other, read without the schema: a problem in one must not hide one in another. */
function textsOf(json: unknown): Given {
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  const fields: Readonly<Record<string, unknown>> = isObject ? { ...json } : {};
  const mistyped = new Set<string>();
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value === 'string') return value.trim();
    if (value !== undefined) mistyped.add(name);
    return '';
  };
  return {
    isObject,
    delivery_mode: fields.delivery_mode,
    webhook_url: text('webhook_url'),
    bot_token: text('bot_token'),
    channel_id: text('channel_id'),
    mistyped,
  };
}

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: a message cannot choose another channel. */
const BOUND_TO_CHANNEL = 'the address in webhook_url decides the channel';

/** The contract: channel needs `webhook_url`, thread `bot_token` and `channel_id`; the one excludes the others. */
function modeProblems(mode: (typeof MODES)[number], given: Given): string[] {
  const bot = (['bot_token', 'channel_id'] as const).filter((name) => given[name] !== '');
  if (given.webhook_url !== '' && bot.length > 0)
    return [
      `webhook_url: excludes ${bot.join(' and ')}; ${
        mode === 'channel'
          ? `remove ${bot.join(' and ')}${bot.includes('channel_id') ? ` (${BOUND_TO_CHANNEL})` : ''}, or set delivery_mode to thread and remove webhook_url`
          : `remove webhook_url, which delivery_mode ${mode} does not use`
      }`,
      ...(mode === 'channel' ? [] : missing(mode, given)),
    ];
  return missing(mode, given);
}

function missing(mode: (typeof MODES)[number], given: Given): string[] {
  const required =
    mode === 'channel'
      ? ([['webhook_url', 'the URL of the incoming webhook', 'set delivery_mode to thread']] as const)
      : ([
          ['bot_token', 'the bot token of the app (xoxb-…)', 'set delivery_mode to channel'],
          ['channel_id', 'the ID of the channel (C…)', 'set delivery_mode to channel'],
        ] as const);
  const usesOther = mode === 'channel' ? given.bot_token + given.channel_id !== '' : given.webhook_url !== '';
  return required
    .filter(([name]) => given[name] === '' && !given.mistyped.has(name))
    .map(
      ([name, what, otherwise]) =>
        `${name}: is missing, delivery_mode ${mode} needs it; give ${what}${usesOther ? `, or ${otherwise}` : ''}`,
    );
}

/** A token goes into a header, an ID into the API's arguments. Slack documents no more of their forms. */
function wordProblems(field: 'bot_token' | 'channel_id', text: string): string[] {
  if (text.length > LONGEST_WORD)
    return [`${field}: is longer than ${LONGEST_WORD} characters; check what is there`];
  if (/[^\x21-\x7e]/.test(text))
    return [`${field}: holds blanks or characters that no ${field} has; copy it again`];
  const wrapped = valueWrapping(text, (inner) =>
    (field === 'bot_token' ? /^xox/ : /^[CGD][A-Z0-9]+$/).test(inner),
  );
  if (wrapped !== undefined) return [`${field}: ${wrapped}`];
  if (field === 'bot_token' && /^[CGD][A-Z0-9]{8,}$/.test(text))
    return ["bot_token: is a channel's ID; put it into channel_id, and the token (xoxb-…) here"];
  if (field === 'bot_token' && text.startsWith('xapp-'))
    return [
      'bot_token: is an app-level token, which posts no messages; give the bot token, which begins with xoxb-',
    ];
  const problem = field === 'channel_id' ? channelIdProblem(text) : undefined;
  return problem === undefined ? [] : [`channel_id: ${problem}`];
}
