import type { Fields } from './fields.ts';
import { annotationsOf, fieldsOf } from './metadata.ts';
import { sharedText } from './shared-text.ts';
import {
  DEFAULT_RETRIES,
  type ConnectorRef,
  type Execution,
  type HistoryCycle,
  type HistoryOperation,
  type Plan,
  type PlanTarget,
} from './plan.ts';

/**
 * Reads a plan. Lenient: a field of a wrong type reads as absent and is named in `problems`. Throws a `ParseError`
 * only for what is no object or has no `metadata.name`.
 */
export function parsePlan(raw: unknown): Plan {
  const { root, metadata, identity } = fieldsOf('plan', raw);
  const spec = root.object('spec');
  const status = root.object('status');
  const targets = spec.objects('targets').flatMap((target) => readTarget(target, identity.namespace));
  const types = new Map(targets.map((target) => [target.name, target.type]));
  return {
    ...identity,
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
      executions: readExecutions(status, 'executions', types),
      history: status.objects('executionHistory').map((cycle) => readCycle(cycle, types)),
    },
    problems: root.problems,
  };
}

function readTarget(target: Fields, namespace: string): PlanTarget[] {
  const name = sharedText(target.requiredText('name'));
  if (name === '') return [];
  return [{ name, type: target.word('type'), connectorRef: readConnectorRef(target, namespace) }];
}

function readConnectorRef(target: Fields, namespace: string): ConnectorRef | undefined {
  const ref = target.optionalObject('connectorRef');
  if (ref === undefined) return undefined;
  return { kind: ref.word('kind'), name: ref.word('name'), namespace: ref.word('namespace') || namespace };
}

/** A row without a target says nothing about any: it is left out. */
function readExecutions(from: Fields, key: string, types: ReadonlyMap<string, string>): Execution[] {
  const executions: Execution[] = [];
  for (const row of from.objects(key)) {
    const text = row.requiredText('target');
    if (text === '') continue;
    const executor = row.word('executor');
    const target = sharedText(targetName(text, executor, types));
    executions.push({
      target,
      executor: executor || (types.get(target) ?? ''),
      state: row.word('state'),
      message: row.text('message'),
      startedAt: row.word('startedAt'),
      finishedAt: row.word('finishedAt'),
      jobRef: row.text('jobRef'),
    });
  }
  return executions;
}

/** Operators have written a target as its name, and as `type/name`: both read as the name. */
function targetName(text: string, executor: string, types: ReadonlyMap<string, string>): string {
  const slash = text.indexOf('/');
  if (slash < 0 || types.has(text)) return text;
  const [type, name] = [text.slice(0, slash), text.slice(slash + 1)];
  return type === (executor || types.get(name)) ? name : text;
}

function readCycle(cycle: Fields, types: ReadonlyMap<string, string>): HistoryCycle {
  const shutdown = cycle.optionalObject('shutdownExecution');
  const wakeup = cycle.optionalObject('wakeupExecution');
  const operations: HistoryOperation[] = [];
  if (shutdown !== undefined) operations.push(readOperation(shutdown, 'shutdown', types));
  if (wakeup !== undefined) operations.push(readOperation(wakeup, 'wakeup', types));
  return { cycleId: cycle.word('cycleId'), operations };
}

function readOperation(
  summary: Fields,
  operation: string,
  types: ReadonlyMap<string, string>,
): HistoryOperation {
  return {
    operation: summary.word('operation') || operation,
    startTime: summary.text('startTime'),
    endTime: summary.text('endTime'),
    success: summary.flag('success'),
    errorMessage: summary.text('errorMessage'),
    targetResults: readExecutions(summary, 'targetResults', types),
  };
}
