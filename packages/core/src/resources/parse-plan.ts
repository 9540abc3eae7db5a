import type { Fields } from './fields.ts';
import { annotationsOf, fieldsOf } from './metadata.ts';
import { internRef } from './shared-ref.ts';
import { intern } from './shared-text.ts';
import {
  DEFAULT_RETRIES,
  type ConnectorRef,
  type Execution,
  type HistoryCycle,
  type HistoryOperation,
  type Plan,
  type PlanTarget,
  type TargetResult,
} from './plan.ts';

/**
 * Parses a plan. Lenient: a field of a wrong type counts as absent and is named in `problems`. Throws a `ParseError` only if it is not an
 * object or has no `metadata.name`.
 */
export function parsePlan(raw: unknown): Plan {
  const { root, metadata, identity } = fieldsOf('plan', raw);
  const spec = root.object('spec');
  const status = root.object('status');
  const targets = spec.objects('targets').flatMap((target) => readTarget(target, identity.namespace));
  const types = new Map(targets.map((target) => [target.name, target.type]));
  const { namespace, name, uid, resourceVersion } = identity;
  // Without a spread: V8 would give each plan a hidden class of its own.
  return {
    namespace,
    name,
    uid,
    resourceVersion,
    creationTimestamp: metadata.text('creationTimestamp'),
    labels: metadata.textMap('labels'),
    annotations: annotationsOf(metadata),
    targets,
    retries: spec.object('behavior').count('retries') ?? DEFAULT_RETRIES,
    status: {
      phase: status.word('phase'),
      cycleId: status.word('currentCycleID'),
      operation: status.word('currentOperation'),
      retryCount: status.count('retryCount'),
      lastRetryTime: status.optionalText('lastRetryTime'),
      lastTransitionTime: status.word('lastTransitionTime'),
      errorMessage: status.text('errorMessage'),
      executions: readExecutions(status, types),
      history: readHistory(status, types),
    },
    problems: root.problems,
  };
}

function readTarget(target: Fields, namespace: string): PlanTarget[] {
  const name = intern(target.requiredText('name'));
  if (name === '') return [];
  return [{ name, type: target.word('type'), connectorRef: readConnectorRef(target, namespace) }];
}

function readConnectorRef(target: Fields, namespace: string): ConnectorRef | undefined {
  const ref = target.optionalObject('connectorRef');
  if (ref === undefined) return undefined;
  return internRef(ref.word('kind'), ref.word('name'), ref.word('namespace') || namespace);
}

function readExecutions(status: Fields, types: ReadonlyMap<string, string>): Execution[] {
  let message = '';
  return status.objects('executions').flatMap((row) => {
    const result = readResult(row, types);
    if (result === undefined) return [];
    // Most rows have the message of the row before. Share it.
    if (result.message !== message) message = result.message;
    return [
      {
        target: result.target,
        executor: result.executor,
        state: result.state,
        message,
        startedAt: row.word('startedAt'),
        finishedAt: row.word('finishedAt'),
        jobRef: row.text('jobRef'),
      },
    ];
  });
}

/** Rows without a target are skipped. */
function readResult(row: Fields, types: ReadonlyMap<string, string>): TargetResult | undefined {
  const text = row.requiredText('target');
  if (text === '') return undefined;
  const executor = row.word('executor');
  const target = intern(targetName(text, executor, types));
  return {
    target,
    executor: executor || (types.get(target) ?? ''),
    state: row.word('state'),
    message: row.text('message'),
  };
}

/** Operators write a target as its name or as `type/name`. Both mean the name. */
function targetName(text: string, executor: string, types: ReadonlyMap<string, string>): string {
  const slash = text.indexOf('/');
  if (slash < 0 || types.has(text)) return text;
  const [type, name] = [text.slice(0, slash), text.slice(slash + 1)];
  return type === (executor || types.get(name)) ? name : text;
}

/** The history would be the largest part of a plan: rows that are equal to those of the operation before are shared. */
function readHistory(status: Fields, types: ReadonlyMap<string, string>): HistoryCycle[] {
  let before: readonly TargetResult[] = [];
  const read = (summary: Fields | undefined, operation: string): HistoryOperation[] => {
    if (summary === undefined) return [];
    before = readResults(summary, types, before);
    return [
      {
        operation: summary.word('operation') || operation,
        startTime: summary.text('startTime'),
        endTime: summary.text('endTime'),
        success: summary.flag('success'),
        errorMessage: summary.text('errorMessage'),
        targetResults: before,
      },
    ];
  };
  return status.objects('executionHistory').map((cycle) => ({
    cycleId: cycle.word('cycleId'),
    operations: [
      ...read(cycle.optionalObject('shutdownExecution'), 'shutdown'),
      ...read(cycle.optionalObject('wakeupExecution'), 'wakeup'),
    ],
  }));
}

function readResults(
  summary: Fields,
  types: ReadonlyMap<string, string>,
  before: readonly TargetResult[],
): readonly TargetResult[] {
  const results: TargetResult[] = [];
  for (const row of summary.objects('targetResults')) {
    const result = readResult(row, types);
    if (result === undefined) continue;
    const same = before[results.length];
    results.push(same !== undefined && isSame(same, result) ? same : result);
  }
  const isAsBefore = results.length === before.length && results.every((row, index) => row === before[index]);
  return isAsBefore ? before : results;
}

const isSame = (a: TargetResult, b: TargetResult): boolean =>
  a.target === b.target && a.executor === b.executor && a.state === b.state && a.message === b.message;
