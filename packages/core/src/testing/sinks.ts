import type { Clock } from '../clock.ts';
import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { TemplateRunner } from '../render/template.ts';
import { NO_CONNECTOR } from '../resources/connectors.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { SinkSettings } from '../sinks/deps.ts';
import type { Degradation } from '../sinks/degradation.ts';
import type { RateLimits } from '../sinks/rate.ts';
import type { Attempt, Delivery, ReadySink } from '../sinks/sink.ts';
import { Threads } from '../sinks/teamchat/thread/threads.ts';
import type { Poster } from '../requests/poster.ts';

/** A plan without labels whose targets have no connector data. */
export const bareView: PlanView = { labels: {}, annotations: {}, connector: () => NO_CONNECTOR };

export const aDelivery = (event: LifecycleEvent, more: Partial<Delivery> = {}): Delivery => ({
  id: 'delivery-id',
  sinkName: 'ops',
  plan: bareView,
  event,
  template: undefined,
  progress: { level: 0, unclearSince: undefined },
  ...more,
});

/** An attempt that does not end by itself, and its reports. */
export function anAttempt(
  signal: AbortSignal = new AbortController().signal,
): Attempt & { readonly degradations: Degradation[] } {
  const degradations: Degradation[] = [];
  return {
    signal,
    slot: () => true,
    degradations,
    degraded: (degradation) => degradations.push(degradation),
  };
}

export const aReadySink = (more: Pick<ReadySink, 'deliver'> & Partial<ReadySink>): ReadySink => ({
  origin: 'https://receiver.test',
  rates: [],
  ignoresTemplate: undefined,
  suppresses: () => false,
  ...more,
});

/** Throws: this test must define the output of templates. */
const noTemplates: TemplateRunner = {
  render: () => Promise.reject(new Error('no template was expected')),
  check: () => Promise.resolve(undefined),
};

/** Every token is available. */
export const freely: RateLimits = {
  take: (_, { signal }) => !signal.aborted,
  pause: () => undefined,
  giveBack: () => undefined,
};

export const sinkSettings = (
  { transport, clock }: { readonly transport: Poster; readonly clock: Clock },
  more: Partial<SinkSettings> = {},
): SinkSettings => ({
  transport,
  clock,
  version: '1.2.3',
  chatApiUrl: 'https://slack.com/api',
  botApiUrl: 'https://api.telegram.org',
  templates: noTemplates,
  rateLimits: freely,
  threads: new Threads({ clock, rateLimits: freely }),
  address: { namespace: 'team-a', notification: 'n', sink: 'ops' },
  ...more,
});
