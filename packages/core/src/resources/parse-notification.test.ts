import { describe, expect, it } from 'vitest';
import { ParseError } from './fields.ts';
import { SINK_TYPES } from './kinds.ts';
import { parseNotification } from './parse-notification.ts';

const metadata = { namespace: 'team-a', name: 'ops', uid: 'u1', resourceVersion: '7', generation: 2 };
const sink = { name: 'hook', type: 'webhook', secretRef: { name: 'hook' } };
const spec = { selector: { matchLabels: { team: 'a' } }, onEvents: ['Start', 'Failure'], sinks: [sink] };

const problemsOf = (changed: object): readonly string[] => {
  try {
    parseNotification({ metadata, spec: { ...spec, ...changed } });
  } catch (error) {
    if (error instanceof ParseError) return error.problems;
    throw error;
  }
  return [];
};

describe('parseNotification', () => {
  it('reads all of it', () => {
    const templated = { ...sink, name: 'chat', type: 'teamchat', templateRef: { name: 'texts' } };
    const status = {
      matched: 3,
      observedGeneration: 2,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          lastTransitionTime: '2026-01-01T00:00:00Z',
          observedGeneration: 2,
          reason: 'SinksReady',
          message: 'fine',
        },
      ],
      sinks: [{ name: 'hook', consecutiveFailures: 1, lastFailure: '2026-01-01T00:00:00Z', reason: 'Gone' }],
    };
    const matchExpressions = [
      { key: 'env', operator: 'In', values: ['dev', 'qa'] },
      { key: 'mute', operator: 'DoesNotExist' },
    ];
    const selector = { matchLabels: { team: 'a' }, matchExpressions };
    expect(
      parseNotification({ metadata, spec: { ...spec, selector, sinks: [sink, templated] }, status }),
    ).toEqual({
      ...metadata,
      selector: {
        matchLabels: { team: 'a' },
        matchExpressions: [matchExpressions[0], { key: 'mute', operator: 'DoesNotExist', values: [] }],
      },
      onEvents: ['Start', 'Failure'],
      sinks: [
        { ...sink, templateRef: undefined },
        { ...templated, templateRef: { name: 'texts', key: 'template.gotpl' } },
      ],
      status,
    });
  });

  it('keeps the annotations that links are made of, and no others', () => {
    const annotations = { 'hibernation.dev/runbook-url': 'https://wiki.test/night', note: 'x'.repeat(1000) };
    expect(parseNotification({ metadata: { ...metadata, annotations }, spec }).annotations).toEqual({
      'hibernation.dev/runbook-url': 'https://wiki.test/night',
    });
  });

  it('takes an empty matchLabels, but not a missing one', () => {
    expect(problemsOf({ selector: { matchLabels: {} } })).toEqual([]);
    expect(problemsOf({ selector: {} })).toEqual([
      'spec.selector.matchLabels: is missing; set it to a map of labels ({} selects every plan of the namespace)',
    ]);
  });

  it('reads a kind that is listed twice once', () => {
    const { onEvents } = parseNotification({ metadata, spec: { ...spec, onEvents: ['Start', 'Start'] } });
    expect(onEvents).toEqual(['Start']);
  });

  it.each([
    [
      { onEvents: [] },
      'spec.onEvents: is empty; set it to at least one of Start, Success, Failure, Recovery, PhaseChange, ExecutionProgress',
    ],
    [
      { onEvents: ['Start', 'Started'] },
      'spec.onEvents[1]: expected one of Start, Success, Failure, Recovery, PhaseChange, ExecutionProgress, found the string "Started"',
    ],
    [{ onEvents: 'Start' }, 'spec.onEvents: expected a list, found the string "Start"'],
    [
      { sinks: [{ ...sink, type: 'pager' }] },
      `spec.sinks[0].type: expected one of ${SINK_TYPES.join(', ')}, found the string "pager"`,
    ],
    [{ sinks: [] }, 'spec.sinks: is empty; set it to at least one sink'],
    [
      { sinks: [{ ...sink, name: '' }] },
      'spec.sinks[0].name: is empty; set it to a name that no other sink of the notification has',
    ],
    [
      { sinks: [sink, sink] },
      'spec.sinks[1].name: expected a name that no other sink of the notification has, found the string "hook"',
    ],
    [
      { sinks: [{ name: 'hook', type: 'webhook' }] },
      'spec.sinks[0].secretRef.name: is missing; set it to the name of a secret of the namespace',
    ],
    [
      { sinks: [{ ...sink, templateRef: {} }] },
      'spec.sinks[0].templateRef.name: is missing; set it to the name of a config map of the namespace',
    ],
    [
      { selector: { matchLabels: { 'example.com/level': 3 } } },
      "spec.selector.matchLabels.'example.com/level': expected a string, found the number 3",
    ],
    [
      { selector: { matchLabels: {}, matchExpressions: [{ key: 'a', operator: 'in' }] } },
      'spec.selector.matchExpressions[0].operator: expected one of In, NotIn, Exists, DoesNotExist, found the string "in"',
    ],
    [
      { selector: { matchLabels: {}, matchExpressions: [{ operator: 'Exists' }] } },
      'spec.selector.matchExpressions[0].key: is missing; set it to the key of a label',
    ],
    [
      { sinks: [{ ...sink, type: undefined }] },
      `spec.sinks[0].type: is missing; set it to one of ${SINK_TYPES.join(', ')}`,
    ],
    [
      { selector: { matchLabels: {}, matchExpressions: [{ key: 'a', operator: 'NotIn', values: [] }] } },
      'spec.selector.matchExpressions[0].values: is empty; set it to at least one value for NotIn',
    ],
    [
      { selector: { matchLabels: {}, matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] } },
      'spec.selector.matchExpressions[0].values: expected no values for Exists, found a list',
    ],
  ])('refuses %j and says what to do', (changed, problem) => {
    expect(problemsOf(changed)).toEqual([problem]);
  });

  it('names the object and all of its problems', () => {
    expect(() => parseNotification({ metadata, spec: { ...spec, onEvents: 1, sinks: 2 } })).toThrow(
      'HibernateNotification team-a/ops cannot be read: spec.onEvents: expected a list, found the number 1; ' +
        'spec.sinks: expected a list, found the number 2',
    );
  });

  it('is not stopped by an invalid status', () => {
    const status = { matched: 'many', conditions: [{ type: 'Ready', status: 'Perhaps' }], sinks: 4 };
    expect(parseNotification({ metadata, spec, status }).status).toMatchObject({
      conditions: [{ type: 'Ready', status: 'Unknown' }],
    });
  });
});
