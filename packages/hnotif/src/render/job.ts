/** What the pool asks of its workers and what it hears from them: plain data, which crosses between threads. */
import type { LifecycleEvent } from '../lifecycle/event.ts';
import { NO_CONNECTOR, type Connector } from '../resources/connectors.ts';
import type { SinkType } from '../resources/kinds.ts';
import type { Source } from './context.ts';
import type { Rendered, TemplateSource } from './template.ts';

export interface Job {
  /** Of the template, as `idOf` gives it: the worker need not hash the text of each job again. */
  readonly id: string;
  readonly template: TemplateSource;
  /** What it is rendered for; undefined: it is parsed alone. */
  readonly source: PlainSource | undefined;
}

/** A source without functions: the connectors have been looked up. */
export interface PlainSource {
  readonly event: LifecycleEvent;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** By the target's name. */
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly sinkName: string;
  readonly sinkType: SinkType;
}

/** What a worker says as it goes along. `compiling` comes first, `executing` once the template is parsed and has its data. */
export type Message =
  | { readonly stage: 'compiling' }
  | { readonly stage: 'executing' }
  /** `ms` is how long the job took. */
  | { readonly stage: 'done'; readonly rendered: Rendered; readonly ms: number };

export function toPlain({ event, plan, sinkName, sinkType }: Source): PlainSource {
  const connectors = new Map(event.targets.map(({ name }) => [name, plan.connector(name)]));
  const changed = event.targetExecution?.name;
  if (changed !== undefined && !connectors.has(changed)) connectors.set(changed, plan.connector(changed));
  return {
    event,
    labels: plan.labels,
    annotations: plan.annotations,
    connectors,
    sinkName,
    sinkType,
  };
}

export const fromPlain = ({
  event,
  labels,
  annotations,
  connectors,
  sinkName,
  sinkType,
}: PlainSource): Source => ({
  event,
  plan: { labels, annotations, connector: (name) => connectors.get(name) ?? NO_CONNECTOR },
  sinkName,
  sinkType,
});
