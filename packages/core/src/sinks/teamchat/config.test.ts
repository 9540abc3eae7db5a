import { expect, test } from 'vitest';
import { readTeamchatConfig } from './config.ts';
import type { TeamchatConfig } from './types.ts';

const HOOK = 'https://hooks.slack.test/services/T1/B1/canary';
const CHANNEL = { webhook_url: HOOK };
const BOT = { bot_token: 'xoxb-canary', channel_id: 'C0123ABC' };
const THREAD = { delivery_mode: 'thread', ...BOT };
/** With it `timezone` and `time_layout` have an effect. */
const FIXED = { ...CHANNEL, format: 'json', time_display: 'fixed' };

const read = (json: unknown) => readTeamchatConfig(json, () => undefined);
const problemsOf = (json: unknown): readonly string[] => {
  const reading = read(json);
  return reading.ok ? [] : reading.problems;
};
const configOf = (json: unknown): TeamchatConfig => {
  const reading = read(json);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.config;
};
const notesOf = (json: unknown): readonly string[] => {
  const reading = read(json);
  return reading.ok ? reading.notes : [];
};

test('a webhook_url is enough, and the defaults are those of the contract', () => {
  const { mode, ...rest } = configOf(CHANNEL);
  expect(mode.kind === 'channel' && mode.webhookUrl.reveal()).toBe(HOOK);
  expect(rest).toEqual({
    coalesceProgress: false,
    format: 'text',
    layout: 'default',
    maxTargets: 8,
    scopes: [],
    timeDisplay: 'slack_dynamic',
    timezone: 'UTC',
    timeLayout: 'Mon, 02 Jan 2006 15:04:05 MST',
    rate: { perSecond: 50 / 60, burst: 75 },
  });
  expect(notesOf(CHANNEL)).toEqual([]);
});

test('thread mode has a token and a channel', () => {
  const { mode } = configOf(THREAD);
  expect(mode.kind === 'thread' && [mode.botToken.reveal(), mode.channelId]).toEqual([
    'xoxb-canary',
    'C0123ABC',
  ]);
});

test('broadcast names events, in any case', () => {
  const { mode } = configOf({ ...THREAD, broadcast: ['Failure', ' recovery', 'Failure'] });
  expect(mode.kind === 'thread' && [...mode.broadcast]).toEqual(['Failure', 'Recovery']);
  expect(notesOf({ ...CHANNEL, broadcast: ['Failure'] })).toEqual([
    'broadcast has no effect while delivery_mode is channel: there are no threads',
  ]);
});

test.each(['#ops', 'ops', 'team-ops'])('a note says that an ID is better than the name %s', (channel_id) => {
  const [note, ...more] = notesOf({ ...THREAD, channel_id });
  expect(note).toMatch(
    /^channel_id: is not an ID but, it seems, the name of a channel; the ID \(C…\) is better/,
  );
  expect(more).toEqual([]);
});

test.each(['C0123ABC', 'G0123ABC', 'D0123ABC', 'U0123ABC'])('%s is an ID', (channel_id) => {
  expect(notesOf({ ...THREAD, channel_id })).toEqual([]);
});

test.each([
  ['a link', 'https://acme.slack.com/archives/C0123ABCD', 'holds the ID C0123ABCD; write it alone'],
  ['a message', 'https://acme.slack.com/archives/C0123ABCD/p17', 'holds the ID C0123ABCD; write it alone'],
  ['an address', 'app.slack.com/client/T0123ABCD/C0123ABCD', 'holds the ID C0123ABCD; write it alone'],
  ['a mention', '<#C0123ABCD|ops>', 'holds the ID C0123ABCD; write it alone'],
  ['an ID after #', '#C0123ABCD', 'holds the ID C0123ABCD; write it alone'],
  ['a thread', 'C0123ABCD:1767643200.000100', 'holds the ID C0123ABCD; write it alone'],
  ['another link', 'https://acme.slack.com/team', 'is a link; write the ID (C…)'],
  ['a user', '@ann', "is a user's name, which Slack does not take; write the ID of the user (U…)"],
  ['a workspace', 'T0123ABCD', 'is the ID of something else'],
  ['a number', '-1001234567890', 'is neither the ID nor the name of a channel'],
  ['two', 'ops,dev', 'is neither the ID nor the name of a channel'],
])('%s is no channel: %s', (_, channel_id, problem) => {
  const [found, ...more] = problemsOf({ ...THREAD, channel_id });
  expect(found?.startsWith(`channel_id: ${problem}`), found).toBe(true);
  expect(more).toEqual([]);
});

test('an address that is probably a mistake is told', () => {
  expect(notesOf({ webhook_url: 'https://discord.com/api/webhooks/1/canary' })).toEqual([
    'webhook_url: is an address of Discord, which does not show the messages of a teamchat sink; put /slack at its end',
  ]);
});

test('credentials are not printed', () => {
  expect(JSON.stringify([read(CHANNEL), read(THREAD)])).not.toMatch(/canary/);
});

test('spaces around values are ignored, and so is the case of enumerated values', () => {
  const config = configOf({
    webhook_url: ` ${HOOK}\n`,
    format: ' JSON ',
    block_layout: 'Compact',
    time_display: 'FIXED',
    delivery_mode: 'Channel\n',
    timezone: ' Europe/Berlin ',
    additional_scopes: [' Region ', 'ENV'],
    rate_limit: { unit: ' Second ' },
  });
  expect(config).toMatchObject({
    format: 'json',
    layout: 'compact',
    timeDisplay: 'fixed',
    timezone: 'Europe/Berlin',
    scopes: ['region', 'environment'],
    rate: { perSecond: 50 },
  });
  const { mode } = configOf({ delivery_mode: 'thread', bot_token: ' xoxb-1\n', channel_id: '\tC1 ' });
  expect(mode.kind === 'thread' && mode.botToken.reveal() + mode.channelId).toBe('xoxb-1C1');
});

test('env means environment, and each scope counts once, at its first position', () => {
  const scopes = ['env', 'connector', 'environment', 'account', 'connector', 'cluster'];
  expect(configOf({ ...CHANNEL, additional_scopes: scopes }).scopes).toEqual([
    'environment',
    'connector',
    'account',
    'cluster',
  ]);
});

test.each([
  [{ burst: 20 }, { perSecond: 50 / 60, burst: 20 }],
  [{ rate: 25 }, { perSecond: 25 / 60, burst: 75 }],
  [{ unit: 'second' }, { perSecond: 50, burst: 75 }],
])('rate_limit %j has defaults for the other fields', (rate_limit, rate) => {
  expect(configOf({ ...CHANNEL, rate_limit }).rate).toEqual(rate);
});

test('the values of the limits themselves are allowed', () => {
  for (const max_targets of [1, 100])
    expect(configOf({ ...CHANNEL, max_targets }).maxTargets).toBe(max_targets);
  expect(configOf({ ...CHANNEL, rate_limit: { rate: 0.5, burst: 1 } }).rate).toEqual({
    perSecond: 0.5 / 60,
    burst: 1,
  });
  const layout = '2006'.padEnd(200, '.');
  expect(configOf({ ...CHANNEL, time_layout: layout }).timeLayout).toBe(layout);
});

test('values that a chart writes for unset fields count as unset', () => {
  expect(problemsOf({ ...CHANNEL, bot_token: '', channel_id: ' ' })).toEqual([]);
  expect(problemsOf({ ...THREAD, webhook_url: '' })).toEqual([]);
  const unset = {
    format: '',
    block_layout: ' ',
    time_display: '',
    timezone: '',
    time_layout: '',
    delivery_mode: '',
  };
  const rate_limit = { unit: '' };
  expect(problemsOf({ ...CHANNEL, ...unset, rate_limit })).toEqual([]);
});

test.each<[string, object, string]>([
  ['nothing', {}, 'webhook_url: is missing, delivery_mode channel needs it; '],
  ['a blank webhook_url', { webhook_url: '  ' }, 'webhook_url: is missing, delivery_mode channel needs it; '],
  ['a relative webhook_url', { webhook_url: '/canary' }, 'webhook_url: is not an absolute URL; '],
  [
    'a placeholder',
    { webhook_url: '${SLACK_URL}' },
    'webhook_url: holds a placeholder, which nothing has replaced; ',
  ],
  [
    'a template',
    { webhook_url: '{{ .Values.url }}' },
    'webhook_url: holds a template ({{ … }}), which is not replaced in an address; write the address without it',
  ],
  ['webhook_url null', { webhook_url: null }, 'webhook_url: must be a string, found null; '],
  [
    'a token beside webhook_url',
    { ...CHANNEL, bot_token: 'xoxb-canary' },
    'webhook_url: excludes bot_token; remove bot_token, or ',
  ],
  [
    'a channel beside webhook_url',
    { ...CHANNEL, channel_id: 'C0CANARY' },
    'webhook_url: excludes channel_id; remove channel_id (the address in webhook_url decides the channel), or set',
  ],
  ['both beside webhook_url', { ...CHANNEL, ...BOT }, 'webhook_url: excludes bot_token and channel_id; '],
  [
    'webhook_url in thread mode',
    { ...CHANNEL, ...THREAD },
    'webhook_url: excludes bot_token and channel_id; remove webhook_url',
  ],
  ['no token', { ...THREAD, bot_token: undefined }, 'bot_token: is missing, delivery_mode thread needs it; '],
  [
    'no channel',
    { ...THREAD, channel_id: undefined },
    'channel_id: is missing, delivery_mode thread needs it; ',
  ],
  [
    'a broadcast that is no list',
    { ...THREAD, broadcast: 'Failure' },
    'broadcast: must be a list, found a string; write ["Failure"]',
  ],
  [
    'a broadcast of an unknown event',
    { ...THREAD, broadcast: ['Failure', 'canary'] },
    'broadcast: entry 2 is none of Start, ',
  ],
  [
    'a broadcast of another type',
    { ...THREAD, broadcast: [12345678] },
    'broadcast: entry 1 must be a string, found a number; ',
  ],
  ['a password', { webhook_url: 'https://canary:x@host/' }, 'webhook_url: holds a user name or password; '],
  ['a token for a channel', { ...THREAD, channel_id: 'xoxb-canary' }, 'channel_id: is a token; '],
  ['a channel for a token', { ...THREAD, bot_token: 'C0CANARY12' }, "bot_token: is a channel's ID; "],
  ['an app-level token', { ...THREAD, bot_token: 'xapp-canary' }, 'bot_token: is an app-level token'],
  [
    'a token of another type',
    { ...THREAD, bot_token: ['canary'] },
    'bot_token: must be a string, found a list; ',
  ],
  [
    'a channel of another type',
    { ...THREAD, channel_id: 12345678 },
    'channel_id: must be a string, found a number; ',
  ],
  ['a blank in the token', { ...THREAD, bot_token: 'xoxb canary' }, 'bot_token: holds blanks or characters '],
  [
    'a line break in the token',
    { ...THREAD, bot_token: 'xoxb\r\nX-A: canary' },
    'bot_token: holds blanks or ',
  ],
  [
    'a token that is a text',
    { ...THREAD, bot_token: 'canary'.repeat(200) },
    'bot_token: is longer than 1000 ',
  ],
  [
    'a mode of another type',
    { ...CHANNEL, delivery_mode: true },
    'delivery_mode: must be a string, found a boolean; ',
  ],
  [
    'a scope of another type',
    { ...CHANNEL, additional_scopes: [12345678] },
    'additional_scopes: entry 1 must be a string, found a number; ',
  ],
  ['another format', { ...CHANNEL, format: 'canary' }, 'format: is none of text, json; '],
  [
    'another layout',
    { ...CHANNEL, block_layout: 'canary' },
    'block_layout: is none of default, compact, auto; ',
  ],
  ['null as layout', { ...CHANNEL, block_layout: null }, 'block_layout: must be a string, found null; '],
  [
    'another display',
    { ...CHANNEL, time_display: 'canary' },
    'time_display: is none of slack_dynamic, fixed, utc; ',
  ],
  [
    'another mode',
    { ...CHANNEL, delivery_mode: 'canary' },
    'delivery_mode: is none of channel, thread, board; ',
  ],
  [
    'another scope',
    { ...CHANNEL, additional_scopes: ['region', 'canary'] },
    'additional_scopes: entry 2 is none of environment, region, project, provider, connector, account, cluster',
  ],
  [
    'scopes that are no list',
    { ...CHANNEL, additional_scopes: 'canary' },
    'additional_scopes: must be a list, found a string',
  ],
  ...[0, 101, 2.5, -1].map((max_targets): [string, object, string] => [
    `${max_targets} targets`,
    { ...CHANNEL, max_targets },
    'max_targets: must be a whole number from 1 to 100; ',
  ]),
  [
    'targets of another type',
    { ...CHANNEL, max_targets: '8' },
    'max_targets: must be a whole number, found a string; ',
  ],
  ['a zone of another type', { ...FIXED, timezone: 2 }, 'timezone: must be a string, found a number; '],
  ...['Mars/Olympus', '+02:00'].map((timezone): [string, object, string] => [
    `the zone ${timezone}`,
    { ...FIXED, timezone },
    'timezone: ',
  ]),
  ...['YYYY-MM-DD HH:mm', '%Y-%m-%d'].map((time_layout): [string, object, string] => [
    `the layout ${time_layout}`,
    { ...FIXED, time_layout },
    'time_layout: ',
  ]),
  [
    'a rate limit that is no object',
    { ...CHANNEL, rate_limit: 50 },
    'rate_limit: must be an object, found a number',
  ],
  [
    'another unit',
    { ...CHANNEL, rate_limit: { unit: 'hour' } },
    'rate_limit.unit: is neither second nor minute',
  ],
  ['a long layout', { ...CHANNEL, time_layout: '2006'.repeat(51) }, 'time_layout: is longer than 200 '],
])('%s is one fault that names field and remedy, never the value', (_what, json, start) => {
  const problems = problemsOf(json);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.startsWith(start), problems[0]).toBe(true);
  expect(problems[0]).not.toMatch(/canary|12345678/i);
});

test('if the fields of the other mode are there, setting that mode is a remedy, too', () => {
  expect(problemsOf(BOT)).toEqual([
    expect.stringMatching(/^webhook_url: is missing.*, or set delivery_mode to thread$/),
  ]);
  const orChannel = expect.stringMatching(/is missing.*, or set delivery_mode to channel$/) as string;
  expect(problemsOf({ ...CHANNEL, delivery_mode: 'thread' })).toEqual([orChannel, orChannel]);
  expect(problemsOf({}).join()).not.toContain('set delivery_mode');
});

test('all faults are reported together', () => {
  const problems = problemsOf({
    delivery_mode: 'thread',
    bot_token: 'a b',
    format: 'x',
    max_targets: 0,
    additional_scopes: ['x', 1],
    timezone: 'x',
    time_layout: 'x',
    rate_limit: { rate: -1, burst: 0.5 },
  });
  expect(problems.map((problem) => problem.split(':', 1)[0]).sort()).toEqual([
    'additional_scopes',
    'additional_scopes',
    'bot_token',
    'channel_id',
    'format',
    'max_targets',
    'rate_limit.burst',
    'rate_limit.rate',
    'time_layout',
    'timezone',
  ]);
});

test('the error of a webhook_url that must not receive requests is that of the transport', () => {
  const refused = readTeamchatConfig({ webhook_url: 'http://host/' }, (url) => `no ${url.protocol}`);
  expect(refused).toEqual({ ok: false, problems: ['webhook_url: no http:'] });
});

test('unknown fields are reported', () => {
  expect(notesOf({ ...CHANNEL, chanel: 'x', rate_limit: { per: 'minute' } })).toEqual([
    'field chanel is not known and has no effect',
    'field rate_limit.per is not known and has no effect',
  ]);
});

test('a layout with the digits of another time is reported', () => {
  expect(notesOf({ ...FIXED, time_layout: '31.12.2024 15:05' })).toEqual([
    'time_layout: is not a layout of Go, so it shows times in a wrong way; write the reference time Mon Jan 2 15:04:05 MST 2006, such as "02.01.2006 15:04"',
  ]);
});

test('settings that have no effect, although the user probably expects one, are reported', () => {
  expect(notesOf({ ...CHANNEL, block_layout: 'auto', max_targets: 20 })).toEqual([
    'block_layout, max_targets have no effect while format is text',
  ]);
  expect(notesOf({ ...CHANNEL, additional_scopes: ['region'] })).toEqual([
    'additional_scopes has no effect while format is text',
  ]);
  expect(notesOf({ ...CHANNEL, format: 'json', timezone: 'Asia/Jakarta' })).toEqual([
    'timezone has no effect unless time_display is fixed',
  ]);
  expect(notesOf({ ...CHANNEL, format: 'json', time_layout: '15:04' })).toEqual([
    'time_layout has no effect unless time_display is fixed or utc',
  ]);
  expect(notesOf({ ...THREAD, time_display: 'utc', time_layout: '15:04' })).toEqual([]);
  expect(
    notesOf({ ...CHANNEL, time_display: 'fixed', timezone: 'Asia/Jakarta', time_layout: '15:04' }),
  ).toEqual(['time_display, timezone, time_layout have no effect while format is text']);
  expect(notesOf({ ...CHANNEL, format: 'text', block_layout: 'default', max_targets: 8 })).toEqual([]);
  expect(notesOf({ ...THREAD, max_targets: 20 })).toEqual([]);
});
