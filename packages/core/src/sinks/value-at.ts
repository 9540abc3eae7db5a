import { shownOf, type Source } from '../render/context.ts';
import type { TemplateSource } from '../render/template.ts';

/** Shorter values may stand in the template itself. */
const SHORTEST = 3;

/** The texts of an event that a template shows, by field. */
function* valuesOf({ event, plan, sinkName }: Source): Generator<readonly [field: string, value: string]> {
  const { target, previousPhase, errorMessage } = shownOf(event);
  yield ['.ErrorMessage', errorMessage];
  for (const each of target === undefined ? [] : [target]) {
    yield ['.TargetExecution.Message', each.message];
    yield ['.TargetExecution.Name', each.name];
  }
  for (const { message, name } of event.targets) {
    yield ['.Message', message];
    yield ['.Name', name];
    const connector = plan.connector(name);
    yield* [
      ['.Connector.Name', connector.name],
      ['.Connector.AccountID', connector.accountId],
      ['.Connector.ProjectID', connector.projectId],
      ['.Connector.Region', connector.region],
      ['.Connector.ClusterName', connector.clusterName],
    ] as const;
  }
  yield* [
    ['.Plan', `${event.namespace}/${event.plan}`],
    ['.Plan.Name', event.plan],
    ['.Plan.Namespace', event.namespace],
    ['.CycleID', event.cycle],
    ['.Operation', event.operation],
    ['.Phase', event.phase],
    ['.PreviousPhase', previousPhase],
    ['.Cluster', plan.cluster ?? ''],
    ['.SinkName', sinkName],
  ];
  const maps = [
    ['.Labels', plan.notificationLabels ?? {}],
    ['.Plan.Labels', plan.labels],
    ['.Plan.Annotations', plan.annotations],
  ] as const;
  for (const [map, texts] of maps)
    for (const [key, value] of Object.entries(texts))
      yield [/^\w+$/.test(key) ? `${map}.${key}` : `(index ${map} "${key}")`, value];
}

/** What an output was made of. */
export interface Origin {
  readonly template: TemplateSource;
  readonly source: Source;
}

/** Where the value of a field stands. */
export interface FieldPlace {
  readonly field: string;
  /** Whether there is nothing else between the quotes around it. */
  readonly isWholeText: boolean;
}

/**
 * The field whose value stands at an offset of the output. Undefined: the text of the template stands there.
 * `special`: what the value must have to be a mistake. `written`: what the template makes of a value; default: nothing.
 */
export function fieldAt(
  output: string,
  at: number,
  { template, source }: Origin,
  special: RegExp,
  written = (value: string): string => value,
): FieldPlace | undefined {
  for (const [field, value] of valuesOf(source)) {
    if (value.length < SHORTEST || !special.test(value)) continue;
    const [last = field] = /(?:\.[\w]+|".*")\)?$/.exec(field) ?? [];
    const text = written(value).toWellFormed();
    // Not in all of the output: a plan has thousands of values.
    const begin = Math.max(0, at - text.length + 1);
    const place = output.slice(begin, at + text.length).lastIndexOf(text);
    const [from, end] = [begin + place, begin + place + text.length];
    if (place >= 0 && template.text.includes(last.replace(')', '')))
      return { field, isWholeText: output[from - 1] === '"' && output[end] === '"' };
  }
  return timeAt(output, at, template.text);
}

/** The field and layout of a time that stands at an offset, if the template has one layout of it. */
function timeAt(output: string, at: number, template: string): FieldPlace | undefined {
  const layouts = new Set(template.match(/\.Timestamp\.Format (?:"[^"]*"|`[^`]*`)/g));
  const isTime = [...output.matchAll(/\d[\d:.T+ -]*\d/g)].some(
    ({ index, 0: { length } }) => index <= at && at < index + length,
  );
  const [field] = layouts;
  return field !== undefined && isTime && layouts.size === 1 ? { field, isWholeText: false } : undefined;
}
