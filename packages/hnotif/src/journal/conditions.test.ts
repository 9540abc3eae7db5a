import { pino } from 'pino';
import { expect, it } from 'vitest';
import { settle } from '../../../core/src/testing/clock.ts';
import { JournalConditions } from './conditions.ts';

const plan = (name: string, namespace = 'team-a') => ({ namespace, name, uid: name });
const trouble = { reason: 'Timeout', message: 'no answer' };
const said = 'journals cannot be written: the deliveries that wait are lost if hnotif ends: no answer';

/** Conditions, and what they have reported: namespace and message. */
function bench() {
  const told: [string, string | undefined][] = [];
  const troubles = new JournalConditions({
    log: pino({ level: 'silent' }),
    listener: {
      durabilityChanged: (namespace, now) => told.push([namespace, now?.message]),
      planReleased: () => undefined,
    },
  });
  return { told, troubles };
}

it('are reported with the message of the first plan and the number of the others, and end with the last one', async () => {
  const { told, troubles } = bench();
  for (const change of [
    () => {
      troubles.unwritten(plan('a'), trouble);
      troubles.unwritten(plan('z', 'team-b'), trouble);
    },
    () => {
      troubles.unwritten(plan('b'), trouble);
    },
    () => {
      troubles.unwritten(plan('c'), trouble);
    },
    () => {
      troubles.unwritten(plan('a'), undefined);
    },
    () => {
      troubles.gone(plan('c'));
    },
    () => {
      troubles.unwritten(plan('b'), undefined);
    },
  ]) {
    change();
    await settle();
  }
  expect(told).toEqual([
    ['team-a', said],
    ['team-b', said],
    ['team-a', `${said}; one more plan is not kept or not served either`],
    ['team-a', `${said}; 2 more plans are not kept or not served either`],
    ['team-a', `${said}; one more plan is not kept or not served either`],
    ['team-a', said],
    ['team-a', undefined],
  ]);
});

it('of many plans make one report in a turn, and none if they end in the same turn or after a close', async () => {
  const { told, troubles } = bench();
  const plans = Array.from({ length: 32 }, (_, n) => plan(`p${n}`));
  for (const each of plans) troubles.unwritten(each, trouble);
  await settle();
  expect(told).toEqual([['team-a', `${said}; 31 more plans are not kept or not served either`]]);
  for (const each of plans) troubles.unwritten(each, undefined);
  for (const each of plans) troubles.unwritten(each, trouble);
  await settle();
  for (const each of plans) troubles.unwritten(each, undefined);
  troubles.close();
  await settle();
  expect(told).toHaveLength(1);
});

it.each([
  ['Forbidden', 'exceeded quota: journals', '; raise the quota, or delete objects that you do not need'],
  ['Forbidden', 'the namespace is being terminated', ''],
  [
    'Forbidden',
    'no',
    '; grant list, watch, get, create, patch and delete on hibernatenotificationjournals, as deploy/kustomize does',
  ],
  ['Invalid', 'no', '; apply this version’s CRDs (hnotif crds)'],
  ['NotFound', 'no', '; apply this version’s CRDs (hnotif crds)'],
  ['RequestEntityTooLarge', 'no', '; subscribe to fewer events, or divide the plan'],
  ['JournalTooLarge', 'no', '; subscribe to fewer events, or divide the plan'],
  ['InternalError', 'no', ''],
])('for the reason %s (%s) have the remedy "%s"', async (reason, message, remedy) => {
  const { told, troubles } = bench();
  troubles.unwritten(plan('a'), { reason, message });
  await settle();
  expect(told).toEqual([
    [
      'team-a',
      `journals cannot be written: the deliveries that wait are lost if hnotif ends: ${message}${remedy}`,
    ],
  ]);
});
