import { pino } from 'pino';
import { expect, it } from 'vitest';
import { JournalConditions } from './conditions.ts';

it('are reported with the message of the first plan and the number of the others, and end with the last one', () => {
  const told: [string, string | undefined][] = [];
  const troubles = new JournalConditions({
    log: pino({ level: 'silent' }),
    listener: {
      durabilityChanged: (namespace, trouble) => told.push([namespace, trouble?.message]),
      planReleased: () => undefined,
    },
  });
  const plan = (name: string) => ({ namespace: 'team-a', name, uid: name });
  const trouble = { reason: 'Timeout', message: 'no answer' };
  const said = 'journals cannot be written: the deliveries that wait are lost if hnotif ends: no answer';
  troubles.unwritten(plan('a'), trouble);
  troubles.unwritten({ ...plan('z'), namespace: 'team-b' }, trouble);
  troubles.unwritten(plan('b'), trouble);
  troubles.unwritten(plan('c'), trouble);
  troubles.unwritten(plan('a'), undefined);
  troubles.gone(plan('c'));
  troubles.unwritten(plan('b'), undefined);
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
])('for the reason %s (%s) have the remedy "%s"', (reason, message, remedy) => {
  const told: (string | undefined)[] = [];
  const changed = (_: string, trouble: { readonly message: string } | undefined): void => {
    told.push(trouble?.message);
  };
  const troubles = new JournalConditions({
    log: pino({ level: 'silent' }),
    listener: { durabilityChanged: changed, planReleased: () => undefined },
  });
  troubles.unwritten({ namespace: 'team-a', name: 'a', uid: 'a' }, { reason, message });
  expect(told).toEqual([
    `journals cannot be written: the deliveries that wait are lost if hnotif ends: ${message}${remedy}`,
  ]);
});
