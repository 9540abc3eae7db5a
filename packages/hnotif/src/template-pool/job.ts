/** The messages between the pool and its workers: plain data. The pool sends arrays of jobs: what they share is copied once. */
import type { LifecycleEvent } from '@hnotif/core/lifecycle';
import { NO_CONNECTOR, type Connector, type SinkType } from '@hnotif/core/resources';
import type { Source, Rendered, TemplateSource } from '@hnotif/core/render';

export interface Job {
  /** The template's id, so that the worker need not hash its text. */
  readonly id: string;
  readonly template: TemplateSource;
  /** The event to render; undefined: the template is only parsed. */
  readonly source: PlainSource | undefined;
}

/** A source without functions: the connectors have been looked up. */
interface PlainSource {
  readonly event: LifecycleEvent;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly notificationLabels: Readonly<Record<string, string>>;
  readonly cluster: string;
  /** By the target's name. */
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly sinkName: string;
  readonly sinkType: SinkType;
}

/** The answer to a job, and how many milliseconds its thread worked. */
export interface Answer {
  readonly rendered: Rendered;
  readonly ms: number;
}

/**
 * A worker's progress with a batch of jobs. `compiling`: it parses a template, which it does not know yet. `executing`: the template of the
 * first job, or one that was compiled, is parsed and has its data. `done`: the answers to the first jobs, to one at least; the others were
 * not begun, because the turn was over.
 */
export type Message =
  | { readonly stage: 'compiling' }
  | { readonly stage: 'executing' }
  | { readonly stage: 'done'; readonly answers: readonly Answer[] };

export function toPlain({ event, plan, sinkName, sinkType }: Source): PlainSource {
  const connectors = new Map(event.targets.map(({ name }) => [name, plan.connector(name)]));
  const changed = event.targetExecution?.name;
  if (changed !== undefined && !connectors.has(changed)) connectors.set(changed, plan.connector(changed));
  return {
    event,
    labels: plan.labels,
    annotations: plan.annotations,
    notificationLabels: plan.notificationLabels ?? {},
    cluster: plan.cluster ?? '',
    connectors,
    sinkName,
    sinkType,
  };
}

export const fromPlain = ({
  event,
  labels,
  annotations,
  notificationLabels,
  cluster,
  connectors,
  sinkName,
  sinkType,
}: PlainSource): Source => ({
  event,
  plan: {
    ...{ labels, annotations, notificationLabels, cluster },
    connector: (name) => connectors.get(name) ?? NO_CONNECTOR,
  },
  sinkName,
  sinkType,
});
