import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from './fields.ts';
import { parsePlan } from './parse-plan.ts';

const metadata = { namespace: 'team-a', name: 'night', uid: 'u1', resourceVersion: '7' };

const full = {
  apiVersion: 'hibernation.dev/v1alpha1',
  kind: 'HibernatePlan',
  metadata: {
    ...metadata,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { team: 'a' },
    annotations: { note: 'x', 'kubectl.kubernetes.io/last-applied-configuration': '{"big":true}' },
    managedFields: [{ manager: 'kubectl' }],
  },
  spec: {
    behavior: { retries: 0 },
    targets: [
      { name: 'db', type: 'rds', connectorRef: { kind: 'CloudProvider', name: 'aws' } },
      { name: 'nodes', type: 'eks', connectorRef: { kind: 'K8SCluster', name: 'blue', namespace: 'shared' } },
    ],
  },
  status: {
    phase: 'Error',
    currentCycleID: 'c1',
    currentOperation: 'shutdown',
    retryCount: 2,
    lastRetryTime: '2026-01-05T20:10:00Z',
    lastTransitionTime: '2026-01-05T20:05:00Z',
    errorMessage: 'db failed',
    executions: [
      {
        target: 'db',
        executor: 'rds',
        state: 'Failed',
        message: 'no',
        attempts: 3,
        startedAt: '2026-01-05T20:00:00Z',
        finishedAt: '2026-01-05T20:04:00Z',
        jobRef: 'jobs/db',
      },
    ],
    executionHistory: [
      {
        cycleId: 'c0',
        shutdownExecution: {
          operation: 'shutdown',
          startTime: '2026-01-04T20:00:00Z',
          endTime: '2026-01-04T20:30:00Z',
          success: true,
          targetResults: [{ target: 'rds/db', state: 'Completed', attempts: 1 }],
        },
        wakeupExecution: { startTime: '2026-01-05T06:00:00Z', success: false, errorMessage: 'late' },
      },
    ],
  },
};

const statusOf = (status: unknown) => parsePlan({ metadata, status }).status;

describe('parsePlan', () => {
  it('reads what the operator writes, by the operator’s names', () => {
    expect(parsePlan(full)).toEqual({
      ...metadata,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { team: 'a' },
      annotations: { note: 'x' },
      targets: [
        {
          name: 'db',
          type: 'rds',
          connectorRef: { kind: 'CloudProvider', name: 'aws', namespace: 'team-a' },
        },
        {
          name: 'nodes',
          type: 'eks',
          connectorRef: { kind: 'K8SCluster', name: 'blue', namespace: 'shared' },
        },
      ],
      retries: 0,
      status: {
        phase: 'Error',
        cycleId: 'c1',
        operation: 'shutdown',
        retryCount: 2,
        lastRetryTime: '2026-01-05T20:10:00Z',
        lastTransitionTime: '2026-01-05T20:05:00Z',
        errorMessage: 'db failed',
        executions: [
          {
            target: 'db',
            executor: 'rds',
            state: 'Failed',
            message: 'no',
            startedAt: '2026-01-05T20:00:00Z',
            finishedAt: '2026-01-05T20:04:00Z',
            jobRef: 'jobs/db',
          },
        ],
        history: [
          {
            cycleId: 'c0',
            operations: [
              {
                operation: 'shutdown',
                startTime: '2026-01-04T20:00:00Z',
                endTime: '2026-01-04T20:30:00Z',
                success: true,
                errorMessage: '',
                targetResults: [{ target: 'db', executor: 'rds', state: 'Completed', message: '' }],
              },
              {
                operation: 'wakeup',
                startTime: '2026-01-05T06:00:00Z',
                endTime: '',
                success: false,
                errorMessage: 'late',
                targetResults: [],
              },
            ],
          },
        ],
      },
      problems: [],
    });
  });

  it('reads a plan that has nothing but a name', () => {
    expect(parsePlan({ metadata: { name: 'bare' } })).toEqual({
      namespace: '',
      name: 'bare',
      uid: '',
      resourceVersion: '',
      creationTimestamp: '',
      labels: {},
      annotations: {},
      targets: [],
      retries: 3,
      status: {
        phase: '',
        cycleId: '',
        operation: '',
        retryCount: undefined,
        lastRetryTime: undefined,
        lastTransitionTime: '',
        errorMessage: '',
        executions: [],
        history: [],
      },
      problems: [],
    });
  });

  it('takes null for absent', () => {
    expect(
      parsePlan({ metadata, spec: null, status: { lastRetryTime: null, executions: null } }),
    ).toMatchObject({ status: { lastRetryTime: undefined, executions: [] }, problems: [] });
  });

  it('names each field of a wrong type, and reads the rest', () => {
    const plan = parsePlan({
      metadata: { ...metadata, labels: { team: 'a', level: 3 } },
      spec: { behavior: { retries: -1 }, targets: [{ name: 'db', type: 5 }, 'nodes'] },
      status: { phase: 'Error', retryCount: 1.5, executions: [{ target: 'db', state: ['Failed'] }, {}] },
    });
    expect([...plan.problems].sort()).toEqual(
      [
        'spec.targets[0].type: expected a string, found the number 5',
        'spec.targets[1]: expected an object, found the string "nodes"',
        'metadata.labels.level: expected a string, found the number 3',
        'spec.behavior.retries: expected a whole number of at least 0, found the number -1',
        'status.retryCount: expected a whole number of at least 0, found the number 1.5',
        'status.executions[0].state: expected a string, found a list',
        'status.executions[1].target: is missing; set it to a string',
      ].sort(),
    );
    expect(plan).toMatchObject({
      labels: { team: 'a' },
      retries: 3,
      targets: [{ name: 'db', type: '', connectorRef: undefined }],
      status: { phase: 'Error', retryCount: undefined, executions: [{ target: 'db', state: '' }] },
    });
  });

  it('names twenty fields that it cannot read, and counts the others', () => {
    const executions = Array.from({ length: 45_000 }, () => ({ target: '', state: 'Pending' }));
    const { problems } = parsePlan({ metadata, status: { executions } });
    expect(problems).toHaveLength(21);
    expect(problems[19]).toBe('status.executions[19].target: is empty; set it to a string');
    expect(problems[20]).toBe('and 44980 more');
  });

  it('throws only for what is no object or has no name', () => {
    for (const raw of [undefined, null, 1, 'plan', [], {}, { metadata: {} }, { metadata: { name: '' } }])
      expect(() => parsePlan(raw)).toThrow(ParseError);
    expect(() => parsePlan({ metadata: {} })).toThrow(
      'plan cannot be read: metadata.name: is missing; set it to the name of the object',
    );
    expect(() => parsePlan({ metadata: { name: 7 } })).toThrow(
      'plan cannot be read: metadata.name: expected a string, found the number 7',
    );
  });

  it('never throws on an object with a name, whatever else it holds', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (spec, status, labels) => {
        parsePlan({ metadata: { name: 'x', labels }, spec, status });
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('reads a target that is written type/name as the name', () => {
    const { status } = parsePlan({
      ...full,
      status: {
        executions: [
          { target: 'rds/db', executor: 'rds', state: 'Running' },
          { target: 'eks/nodes', state: 'Running' },
          { target: 'ec2/db', state: 'Running' },
        ],
      },
    });
    expect(status.executions.map(({ target, executor }) => `${target}|${executor}`)).toEqual([
      'db|rds',
      'nodes|eks',
      'ec2/db|',
    ]);
  });

  it('keeps what the nights of a plan have in common once, and apart what they have not', () => {
    const night = (cycleId: string, ...states: string[]) => ({
      cycleId,
      shutdownExecution: { targetResults: states.map((state, row) => ({ target: `db-${row}`, state })) },
    });
    const { history } = statusOf({
      executionHistory: [
        night('c0', 'Completed', 'Completed'),
        night('c1', 'Completed', 'Completed'),
        night('c2', 'Completed', 'Failed'),
        night('c3', 'Completed'),
      ],
    });
    const results = history.map(({ operations }) => operations[0]?.targetResults ?? []);
    expect(results.map((rows) => rows.map(({ target, state }) => `${target} ${state}`))).toEqual([
      ['db-0 Completed', 'db-1 Completed'],
      ['db-0 Completed', 'db-1 Completed'],
      ['db-0 Completed', 'db-1 Failed'],
      ['db-0 Completed'],
    ]);
    expect(results[1]).toBe(results[0]);
    expect(results[2]?.[0]).toBe(results[0]?.[0]);
  });

  it('keeps equal references to connectors once', () => {
    const plan = (namespace: string) =>
      parsePlan({
        metadata: { ...metadata, namespace },
        spec: {
          targets: [{ name: 'db', type: 'rds', connectorRef: { kind: 'CloudProvider', name: 'aws' } }],
        },
      });
    const [a, again, b] = [plan('a'), plan('a'), plan('b')].map(({ targets }) => targets[0]?.connectorRef);
    expect(again).toBe(a);
    expect([a?.namespace, b?.namespace]).toEqual(['a', 'b']);
  });

  it('keeps apart a count of 0 and none', () => {
    expect(statusOf({ retryCount: 0 }).retryCount).toBe(0);
    expect(statusOf({}).retryCount).toBeUndefined();
  });
});
