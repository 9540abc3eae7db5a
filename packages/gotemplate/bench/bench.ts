/**
 * Measures execution and, if Go is installed, compares with Go in the same run, on one core. `execute` has the template and
 * the data ready. `parse + execute` begins with the text, `fromJS + execute` with plain data. Go's data is always ready, so
 * its number for `fromJS + execute` is that of `execute`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildData } from '../conformance/data.ts';
import { functions } from '../conformance/evaluate.ts';
import { PAYLOAD } from '../conformance/notification.ts';
import type { CaseData } from '../conformance/case.ts';
import { Oracle, type Question } from '../oracle/oracle.ts';
import { findReference } from '../oracle/reference.ts';
import { parse } from '../src/template.ts';
import { Time } from '../src/time/time.ts';
import { fromJS } from '../src/value/from-js.ts';
import { type Batch, compete, timed } from './measure.ts';
import { payload } from './payload.ts';

const SUBJECTS = [
  ['teamchat', 10],
  ['botchat', 10],
  ['webhook', 10],
  ['block-kit', 100],
] as const;

const COLUMNS = [36, 14, 14, 10];

function row(...cells: readonly string[]): string {
  return cells
    .map((cell, i) => (i === 0 ? cell.padEnd(COLUMNS[i] ?? 0) : cell.padStart(COLUMNS[i] ?? 0)))
    .join('');
}

const nanoseconds = (n: number | undefined): string =>
  n === undefined ? '' : Math.round(n).toLocaleString('en');

async function bench(subject: string, targets: number, oracle: Oracle | undefined): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, `templates/${subject}.tmpl`), 'utf8');
  const data: CaseData = { kind: 'notification', value: payload(targets) };
  const question: Question = { template: text, name: subject, builtin: false, data };
  const value = buildData(data);
  const template = parse(subject, text, { funcs: functions });
  await checkSame(template.execute(value), question, oracle);

  const plain = { ...payload(targets), Timestamp: Time.parseRFC3339(payload(targets).Timestamp) };
  const inGo = (parses: boolean): Batch[] =>
    oracle === undefined ? [] : [(times) => oracle.measure(question, times, parses)];
  const contests: readonly (readonly [string, Batch, boolean])[] = [
    ['execute', timed(() => template.execute(value)), false],
    ['parse + execute', timed(() => parse(subject, text, { funcs: functions }).execute(value)), true],
    ['fromJS + execute', timed(() => template.execute(fromJS(plain, PAYLOAD))), false],
  ];
  for (const [what, batch, parses] of contests) {
    const [ours = NaN, go] = await compete([batch, ...inGo(parses)]);
    const ratio = go === undefined ? '' : `${(go / ours).toFixed(2)}×`;
    console.log(row(`${subject} (${targets}) ${what}`, nanoseconds(ours), nanoseconds(go), ratio));
  }
}

/** The output must be Go's: the speed of a wrong output means nothing. */
async function checkSame(output: string, question: Question, oracle: Oracle | undefined): Promise<void> {
  const [answer] = (await oracle?.ask([question])) ?? [];
  if (answer === undefined) return;
  const expected = answer.kind === 'output' ? Buffer.from(answer.bytes).toString() : answer.error;
  if (output !== expected)
    throw new Error(`${question.name}: the output differs from Go's:\n${expected}\nours:\n${output}`);
}

const reference = findReference();
if (typeof reference === 'string') console.log(reference);
const oracle =
  typeof reference === 'string'
    ? undefined
    : new Oracle({ ...reference, environment: { ...reference.environment, GOMAXPROCS: '1' } });
console.log(
  row('template (targets)', 'ns', typeof reference === 'string' ? '' : `ns, ${reference.version}`, 'Go / us'),
);
for (const [subject, targets] of SUBJECTS) await bench(subject, targets, oracle);
await oracle?.close();
