import { expect, it } from 'vitest';
import { certificateOf } from '../src/transport/testing/certificate.ts';
import { command } from './support/command.ts';
import { notificationObject, secretObject } from '../../lab/src/objects.ts';

const WEBHOOK = { url: 'https://ci.example/x' };

/** What `validate` says about a notification with one sink. */
async function said(
  fields: object,
  config: object | string = WEBHOOK,
  files: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const notification = notificationObject('n', { onEvents: ['Start'], sinks: ['s'] }) as {
    readonly spec: object;
  };
  const items = [
    { ...notification, spec: { ...notification.spec, ...fields } },
    {
      ...secretObject('s', ''),
      stringData: { ...files, config: typeof config === 'string' ? config : JSON.stringify(config) },
    },
  ];
  const { out } = await command(['validate', '-'], JSON.stringify({ kind: 'List', apiVersion: 'v1', items }));
  return out;
}

const ALL_DAY = [
  { startTime: '00:00', endTime: '12:00' },
  { startTime: '12:00', endTime: '24:00' },
];

it.each([
  [[{ weekdays: ['monday:sunday'], times: ALL_DAY }]],
  [[{ weekdays: ['sunday:saturday'] }]],
  [
    [
      { weekdays: ['monday:friday'], location: 'Europe/Paris' },
      { weekdays: ['friday:monday'], location: 'UTC' },
    ],
  ],
])('warns of the schedule %j, which never ends', async (muteSchedule) => {
  expect(await said({ muteSchedule })).toEqual([
    expect.stringMatching(
      /warning: HibernateNotification .*: muted by spec\.muteSchedule at all times: new deliveries are dropped; /,
    ),
  ]);
});

it.each([[[{ weekdays: ['saturday:monday'] }]], [[{ times: [{ startTime: '00:00', endTime: '23:59' }] }]]])(
  'the schedule %j ends',
  async (muteSchedule) => {
    expect(await said({ muteSchedule })).toEqual([]);
  },
);

it.each(['months', 'days_of_month', 'weekday'])(
  'refuses the field %s of an interval, which would mute more without it',
  async (field) => {
    const muteSchedule = [{ weekdays: ['saturday'], times: ALL_DAY.slice(0, 1), [field]: ['1:3'] }];
    expect(await said({ muteSchedule })).toEqual([
      expect.stringMatching(
        new RegExp(
          `error: .*: spec\\.muteSchedule\\[0\\]\\.${field}: is not known and has no effect.*, so the interval would mute without this limit; remove the field or the interval`,
        ),
      ),
    ]);
  },
);

const old = certificateOf({ names: ['client'], until: '200101000000Z' });
const early = certificateOf({ names: ['client'], forClients: true, from: '480101000000Z' });
const sinks = [{ name: 's', type: 'botchat', secretRef: { name: 's' } }];

it.each<[object, object | string, Record<string, string>, RegExp]>([
  [{}, WEBHOOK, { 'ca.crt': old.cert }, /warning: .*: ca\.crt: expired at 2020-01-01T00:00:00Z; renew it/],
  [
    {},
    WEBHOOK,
    { 'tls.crt': early.cert, 'tls.key': early.key },
    /warning: .*: tls\.crt: is not valid before 2048-01-01T00:00:00Z; issue it anew, or wait/,
  ],
  [{}, WEBHOOK, { 'tls.crt': '', 'tls.key': old.key }, /error: .*: tls\.crt: is empty; a client certificate/],
  [
    {},
    WEBHOOK,
    { 'client.crt': old.cert },
    /warning: .*: client\.crt has no effect: write it under .* tls\.crt/,
  ],
  [
    { sinks },
    { token: '1:x', chat_id: '-1001234567890' },
    { 'tls.crt': old.cert },
    /warning: .*: tls\.crt has no effect: a sink of type botchat has no certificates of its own/,
  ],
  [{}, WEBHOOK.url, {}, /error: .*is not JSON: see line 1, column 1; write it like \{"url": "https:\/\/…"\}/],
])('tells about %j, %j', async (fields, config, files, message) => {
  expect(await said(fields, config, files)).toEqual([expect.stringMatching(message)]);
});
