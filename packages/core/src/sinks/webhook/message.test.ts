import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LifecycleEvent, TargetState } from '../../lifecycle/event.ts';
import { EVENT_KINDS } from '../../resources/kinds.ts';
import type { EventKind } from '../../resources/kinds.ts';
import type { Connector } from '../../resources/connectors.ts';
import { renderBuiltin } from '../../render/builtin.ts';
import { exampleSource } from '../../render/example.ts';
import { expectGolden } from '../../testing/golden.ts';
import { aDelivery } from '../../testing/sinks.ts';
import type { Delivery } from '../sink.ts';
import { payloadOf } from './message.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../../../../schemas/webhook-payload.schema.json', import.meta.url), 'utf8'),
) as object;
const valid = new Ajv2020({ strict: true, strictRequired: false, allErrors: true }).compile(schema);

const text = fc.string({ unit: 'binary', maxLength: 12 });
const target: fc.Arbitrary<TargetState> = fc.record({
  name: text,
  executor: text,
  state: fc.oneof(fc.constantFrom('Pending', 'Running', 'Completed', 'Failed', 'Aborted'), text),
  message: text,
});
const connector: fc.Arbitrary<Connector> = fc.record({
  kind: fc.constantFrom('CloudProvider', 'K8SCluster', ''),
  name: text,
  provider: text,
  accountId: text,
  projectId: text,
  region: text,
  clusterName: text,
});
/** An event with all fields set: the payload must leave out the fields that this kind of event must not have. */
const eventOf = (kind: fc.Arbitrary<EventKind>): fc.Arbitrary<LifecycleEvent> =>
  fc.record({
    id: text,
    seq: fc.nat(),
    kind,
    planUid: text,
    namespace: text,
    plan: text,
    run: fc.nat(),
    cycle: text,
    operation: fc.oneof(fc.constantFrom('shutdown', 'wakeup', ''), text),
    phase: text,
    previousPhase: text,
    timestamp: fc
      .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    targets: fc.array(target, { maxLength: 5 }),
    targetExecution: target,
    errorMessage: text,
    retryCount: fc.nat({ max: 2147483647 }),
  });
const deliveryOf = (kind: fc.Arbitrary<EventKind>): fc.Arbitrary<Delivery> =>
  fc
    .record({ event: eventOf(kind), id: text, sinkName: text, labels: fc.dictionary(text, text), connector })
    .map(({ event, id, sinkName, labels, connector }) =>
      aDelivery(event, {
        id,
        sinkName,
        plan: { labels, annotations: labels, connector: (name) => ({ ...connector, name }) },
      }),
    );

const example = (kind: EventKind, change: Partial<LifecycleEvent> = {}): Delivery => {
  const failed: TargetState = { name: 'db', executor: 'rds', state: 'Failed', message: 'quota' };
  const event: LifecycleEvent = {
    id: 'e',
    seq: 1,
    kind,
    planUid: 'u',
    namespace: 'team',
    plan: 'nightly',
    run: 1,
    cycle: 'c1',
    operation: 'shutdown',
    phase: 'Error',
    previousPhase: 'Hibernating',
    timestamp: '2026-01-05T20:00:00.000Z',
    targets: [failed],
    targetExecution: failed,
    errorMessage: 'one target failed',
    retryCount: 0,
    ...change,
  };
  return aDelivery(event, {
    plan: {
      labels: { env: 'dev' },
      annotations: { owner: 'us' },
      connector: (name) => ({
        kind: 'CloudProvider',
        name: `c-${name}`,
        provider: 'aws',
        accountId: '123456789012',
        projectId: '',
        region: 'eu-central-1',
        clusterName: '',
      }),
    },
  });
};

const sent = (delivery: Delivery): { context: Record<string, unknown> } =>
  JSON.parse(JSON.stringify(payloadOf(delivery))) as { context: Record<string, unknown> };

test('every payload satisfies the published schema', () => {
  fc.assert(
    fc.property(deliveryOf(fc.constantFrom(...EVENT_KINDS)), (delivery) => {
      expect(valid(sent(delivery)), JSON.stringify(valid.errors)).toBe(true);
    }),
    { seed: 20260105, numRuns: 500 },
  );
});

test('the schema refuses a payload that lacks a field, has one too many, or one of another type', () => {
  const context = fc
    .constantFrom(...EVENT_KINDS)
    .chain((kind) => deliveryOf(fc.constant(kind)).map((delivery) => sent(delivery).context));
  fc.assert(
    fc.property(context, fc.nat(), (whole, pick) => {
      const names = Object.keys(whole);
      const name = names[pick % names.length] ?? '';
      const { [name]: _gone, ...rest } = whole;
      expect(valid({ context: rest }), `without ${name}`).toBe(false);
      expect(valid({ context: { ...whole, [name]: null } }), `${name}: null`).toBe(false);
      expect(valid({ context: { ...whole, surplus: '' } })).toBe(false);
      expect(valid({ context: whole, surplus: '' })).toBe(false);
    }),
    { seed: 20260105, numRuns: 300 },
  );
});

test.each([
  ['Start', ['targets', 'targetExecution', 'errorMessage', 'retryCount']],
  ['Success', ['targetExecution', 'errorMessage', 'retryCount']],
  ['Failure', ['targetExecution']],
  ['Recovery', ['targets', 'targetExecution']],
  ['PhaseChange', ['targets', 'targetExecution', 'errorMessage', 'retryCount']],
  ['ExecutionProgress', ['previousPhase', 'targets', 'errorMessage', 'retryCount']],
] as const)('%s does not have %j, and the schema refuses each of them there', (kind, absent) => {
  const { context } = sent(example(kind));
  const all: Record<string, unknown> = {
    ...sent(example('Failure')).context,
    ...sent(example('ExecutionProgress')).context,
  };
  const dependent = ['previousPhase', 'targets', 'targetExecution', 'errorMessage', 'retryCount'];
  expect(dependent.filter((name) => !(name in context)).sort()).toEqual([...absent].sort());
  for (const name of absent) expect(valid({ context: { ...context, [name]: all[name] } })).toBe(false);
});

test('Start has an empty previousPhase even if the step had one', () => {
  expect(sent(example('Start', { previousPhase: 'Active' })).context.previousPhase).toBe('');
  expect(valid({ context: { ...sent(example('Start')).context, previousPhase: 'Active' } })).toBe(false);
});

test.each([
  ['shutdown', 'Hibernate'],
  ['wakeup', 'WakeUp'],
  ['drain', 'drain'],
  ['', ''],
])('the operation "%s" is written "%s"', (operation, written) => {
  expect(sent(example('Start', { operation })).context.operation).toBe(written);
});

test('the payloads of an example equal the golden file, with the built-in line', async () => {
  const payloads = ['shutdown', 'wakeup'].flatMap((operation) =>
    EVENT_KINDS.map((kind) => {
      const source = exampleSource(kind, 'webhook', operation);
      return { ...payloadOf(source), rendered: renderBuiltin('webhook', source, 4_000) };
    }),
  );
  const file = new URL('./golden/payloads.json', import.meta.url);
  await expectGolden(file, `${JSON.stringify(payloads, undefined, 2)}\n`);
});
