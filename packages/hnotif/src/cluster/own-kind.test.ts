import { expect, it } from 'vitest';
import { notificationsOf } from '@hnotif/core/resources';
import type { KubeError } from './error.ts';
import { isUnanswered } from './error.ts';
import { checkOwnKind } from './own-kind.ts';

it('the notifications of another operator are an answer that cannot be used, and no outage', async () => {
  const client = { discover: () => Promise.resolve({ resources: [{ name: 'hibernatenotifications' }] }) };
  const failure = await checkOwnKind(
    client,
    notificationsOf('night.example.com'),
    new AbortController().signal,
  ).catch((error: unknown) => error as KubeError);
  expect(failure).toMatchObject({ status: 200, reason: 'ForeignKind' });
  expect(isUnanswered(failure as KubeError)).toBe(false);
});
