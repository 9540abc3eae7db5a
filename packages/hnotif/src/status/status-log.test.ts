import { pino } from 'pino';
import { expect, test } from 'vitest';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import { StatusLog } from './status-log.ts';

test('of instances that someone makes up, a hundred are logged', () => {
  const lines: string[] = [];
  const log = new StatusLog(pino({}, { write: (line: string) => lines.push(line) }));
  for (let each = 0; each < 1_000; each++) log.otherInstance(aNotification(), `made-up-${each}`);
  log.otherInstance(aNotification(), 'made-up-7');
  expect(lines).toHaveLength(100);
});
