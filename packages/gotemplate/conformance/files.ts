import { join } from 'node:path';

const test = join(import.meta.dirname, '../test');

/** The files of cases that this package holds. The last grows with what fuzzing finds. */
export const OWN_FILES: readonly string[] = [
  join(test, 'conformance/gotemplate.json'),
  join(test, 'conformance/sprig.json'),
  join(test, 'conformance/notification.json'),
  join(test, 'regressions.json'),
];
