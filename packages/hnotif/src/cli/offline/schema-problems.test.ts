import { expect, it } from 'vitest';
import { notificationCrd } from '../../../../core/src/resources/crds/notification.ts';
import type { Schema } from '@hnotif/core/resources';
import { PATTERN_WORDS } from './pattern-words.ts';
import { schemaProblems } from './schema-problems.ts';

const SCHEMA = notificationCrd('hibernation.dev').spec.versions[0]?.schema.openAPIV3Schema ?? {
  type: 'object',
};

const sink = { name: 'ops', type: 'webhook', secretRef: { name: 'ops' } };
const good = { selector: { matchLabels: {} }, onEvents: ['Start'], sinks: [sink] };

const problems = (object: object): readonly string[] =>
  schemaProblems(SCHEMA, object).map(({ path, message }) => `${path.join('.')}: ${message}`);

it('what fits has no problems', () => {
  expect(problems({ spec: good })).toEqual([]);
});

it.each([
  [{ selector: 'canary' }, 'spec.selector: must be an object, found a string'],
  [
    { labels: [] },
    'spec.labels: must be an object, found a list; write each entry as key: value on a line of its own',
  ],
  [{ selector: [] }, 'spec.selector: must be an object, found a list'],
  [{ sinks: {} }, 'spec.sinks: must be a list, found an object; write a list, each entry after a -'],
  [{ suspend: 'canary' }, 'spec.suspend: must be true or false, found a string; write it without quotes'],
  [{ suspendReason: 5 }, 'spec.suspendReason: must be a string, found a number; write it in quotes'],
  [
    { selector: { matchLabels: { team: true } } },
    'spec.selector.matchLabels.team: must be a string, found a boolean; write it in quotes',
  ],
  [{ suspendReason: ['x'] }, 'spec.suspendReason: must be a string, found a list'],
])('%#: a value of another kind: the kind that was found, never the value', (change, message) => {
  expect(problems({ spec: { ...good, ...change } })).toEqual([message]);
});

it.each([
  [
    { sinks: [{ ...sink, name: 'Canary_1' }] },
    'spec.sinks.0.name: must be lower case letters, digits and -, with a letter or digit first and last',
  ],
  [
    { sinks: [{ ...sink, secretRef: { name: 'Canary' } }] },
    'spec.sinks.0.secretRef.name: must be lower case letters, digits, - and ., with a letter or digit first and last',
  ],
  [
    { selector: { matchLabels: { team: 'not a value!' } } },
    'spec.selector.matchLabels.team: must be letters, digits, -, _ and ., with a letter or digit first and last',
  ],
])('%#: a text of another form: the form in words', (change, message) => {
  expect(problems({ spec: { ...good, ...change } })).toEqual([message]);
});

it.each([
  [{}, 'spec: is missing; set it to an object with selector, onEvents, sinks'],
  [
    { spec: { ...good, onEvents: null } },
    'spec.onEvents: is missing; set it to a list, each entry one of Start, Success, Failure, Recovery, PhaseChange, ExecutionProgress',
  ],
  [
    { spec: { ...good, sinks: undefined } },
    'spec.sinks: is missing; set it to a list, each entry an object with name, type, secretRef',
  ],
  [{ spec: { ...good, selector: {} } }, 'spec.selector.matchLabels: is missing; set it to an object'],
  [
    { spec: { ...good, sinks: [{ ...sink, secretRef: {} }] } },
    'spec.sinks.0.secretRef.name: is missing; set it to a string',
  ],
])('%#: a field that is missing: what to set it to', (object, message) => {
  expect(problems(object)).toEqual([message]);
});

it('every pattern of the definition has words', () => {
  const patterns = new Set<string>();
  const visit = (schema: Schema | undefined): void => {
    if (schema?.pattern !== undefined) patterns.add(schema.pattern);
    Object.values(schema?.properties ?? {}).forEach(visit);
    [schema?.items, schema?.additionalProperties].filter((each) => each !== undefined).forEach(visit);
  };
  visit(SCHEMA.properties?.spec);
  expect(patterns.size).toBeGreaterThan(3);
  for (const pattern of patterns) expect(PATTERN_WORDS.get(pattern), pattern).toBeDefined();
});

it('a misspelt field that must be there is one problem', () => {
  expect(problems({ sepc: good })).toEqual(['sepc: is not known; did you mean spec?']);
  const { secretRef, ...rest } = sink;
  expect(problems({ spec: { ...good, sinks: [{ ...rest, secretReff: secretRef }] } })).toEqual([
    'spec.sinks.0.secretReff: is not known; did you mean secretRef?',
  ]);
});
