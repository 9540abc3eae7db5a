import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Case, parseCases } from '../conformance/case.ts';
import { OWN_FILES } from '../conformance/files.ts';
import { describeFailure, runCase } from '../conformance/run.ts';

describe.each(OWN_FILES.map((path) => ({ file: basename(path), path })))(
  'same as Go: $file',
  ({ file, path }) => {
    const { cases } = parseCases(file, readFileSync(path, 'utf8'));
    if (cases.length === 0) it.skip('has no cases');
    for (const [group, members] of byGroup(cases))
      it(group, () => {
        const failures = members.flatMap((test) => {
          const failure = runCase(test);
          return failure === undefined ? [] : [describeFailure(test, failure)];
        });
        expect(failures.join('\n')).toBe('');
      });
  },
);

function byGroup(cases: readonly Case[]): Map<string, Case[]> {
  const groups = new Map<string, Case[]>();
  for (const test of cases) {
    const members = groups.get(test.group);
    if (members === undefined) groups.set(test.group, [test]);
    else members.push(test);
  }
  return groups;
}
