import { expect, it } from 'vitest';
import { command } from './support/command.ts';
import { notificationObject, secretObject } from './support/objects.ts';

const WEBHOOK = { url: 'https://ci.example/x' };

/** What `validate` says about a notification with one sink. */
async function said(fields: object, config: object | string = WEBHOOK): Promise<readonly string[]> {
  const notification = notificationObject('n', { onEvents: ['Start'], sinks: ['s'] }) as {
    readonly spec: object;
  };
  const items = [
    { ...notification, spec: { ...notification.spec, ...fields } },
    secretObject('s', typeof config === 'string' ? config : JSON.stringify(config)),
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
