import { expect, test } from 'vitest';
import { outcomeOfFailure } from './outcome-table.ts';

test('a message is redacted by its own credentials, whatever was redacted before', () => {
  const saying = (message: string, secrets: readonly string[]): unknown =>
    outcomeOfFailure({ kind: 'failed', reason: 'Unreachable', sent: false, message }, secrets);
  saying('refused\ncanary-secret', []);
  expect(saying('refused', ['canary-secret'])).toMatchObject({ message: 'refused' });
});
