import { join } from 'node:path';

const test = join(import.meta.dirname, '../test');

/** The case files of this package. Findings of the fuzzer are added to the last one. */
export const OWN_FILES: readonly string[] = [
  join(test, 'conformance/gotemplate.json'),
  join(test, 'conformance/sprig.json'),
  join(test, 'conformance/notification.json'),
  join(test, 'conformance/parts.json'),
  join(test, 'regressions.json'),
];
