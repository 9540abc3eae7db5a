import { expect, it } from 'vitest';
import { DEFAULT_API_GROUP } from '@hnotif/core/resources';
import { identityProblems, isNotification } from './identity.ts';
import { readManifests } from './manifests.ts';
import { Objects } from './objects.ts';

const NOTIFICATION = `apiVersion: hibernation.dev/v1alpha1
kind: HibernateNotification
metadata: { name: night, namespace: shop }
`;

const read = (text: string) => readManifests('night.yaml', text).manifests;

function problems(text: string, apiGroup = DEFAULT_API_GROUP): readonly string[] {
  const manifests = read(text);
  return identityProblems(manifests, new Objects(manifests, 'default'), apiGroup).map(
    ({ line, severity, message }) => `${line}: ${severity}: ${message}`,
  );
}

const WITH = (from: string, to: string): string => NOTIFICATION.replace(from, to);

it('a notification of our group has no problem', () => {
  expect(problems(NOTIFICATION)).toEqual([]);
  expect(read(NOTIFICATION).map((each) => isNotification(each, DEFAULT_API_GROUP))).toEqual([true]);
});

it.each([
  [
    '/v1alpha1',
    '/v1',
    '1: error: apiVersion: the API server does not serve this version: write hibernation.dev/v1alpha1',
  ],
  ['hibernation.dev/', '', '1: error: apiVersion: it names no group: write hibernation.dev/v1alpha1'],
  [
    'hibernation.dev',
    'hibernate.dev',
    '1: warning: apiVersion: the group hibernate.dev is not hibernation.dev, so the notification was not checked; did you mean hibernation.dev? --api-group=hibernate.dev checks it',
  ],
  [
    'Hibernate',
    'hibernate',
    '2: error: kind: hibernateNotification is not known; did you mean HibernateNotification?',
  ],
  [
    'HibernateNotification',
    'HibernateNotifcation',
    '2: warning: kind: HibernateNotifcation is not known, so the object was not checked; did you mean HibernateNotification?',
  ],
  [
    'shop',
    'A_B',
    '3: error: metadata.namespace: must be lower case letters, digits and -, with a letter or digit first and last, at most 63 characters',
  ],
  [
    'name: night',
    'name: My_night',
    '3: error: metadata.name: must be lower case letters, digits, - and ., with a letter or digit first and last, at most 253 characters',
  ],
])('%s as %s is told with the remedy', (from, to, message) => {
  expect(problems(WITH(from, to))).toEqual([message]);
});

it.each([
  ['another operator', 'hibernation.dev', 'hibernator.ardikabs.com'],
  ['a group that is not like ours', 'hibernation.dev', 'alerts.example.com'],
  ['another kind of ours', 'HibernateNotification', 'HibernatePlan'],
  ['a kind of another word', 'HibernateNotification', 'Schedule'],
])('%s is left alone', (_, from, to) => {
  expect(problems(WITH(from, to))).toEqual([]);
  expect(read(WITH(from, to)).map((each) => isNotification(each, DEFAULT_API_GROUP))).toEqual([false]);
});

it('the default group is told where another one is asked for', () => {
  expect(problems(NOTIFICATION, 'sleep.example.com')).toEqual([
    expect.stringMatching(
      /^1: warning: .* is not sleep\.example\.com, .*--api-group=hibernation\.dev checks it$/,
    ),
  ]);
});

it('the same object twice is a warning at the second one', () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: ops }\n';
  const again = secret.replace('ops', 'ops, namespace: default');
  const other = secret.replace('ops', 'ops, namespace: shop');
  expect(problems([NOTIFICATION, secret, other, again, NOTIFICATION].join('---\n'))).toEqual([
    '13: warning: the same object is at night.yaml:5 already: the last one counts; keep one of them',
    '17: warning: the same object is at night.yaml:1 already: the last one counts; keep one of them',
  ]);
});
