import type { SinkAddress } from '../packages/hnotif/src/resources/sink-address.ts';
import type { ReadySink } from '../packages/hnotif/src/sinks/sink.ts';
import { systemClock } from '../packages/hnotif/src/clock.ts';
import { planView } from '../packages/hnotif/src/controller/view.ts';
import type { Settlement, Submission } from '../packages/hnotif/src/dispatch/delivery.ts';
import { CONTROLLER_DEFAULTS } from '../packages/hnotif/src/controller/options.ts';
import { Buckets } from '../packages/hnotif/src/dispatch/buckets.ts';
import { TemplatePool } from '../packages/hnotif/src/render/pool.ts';
import { Threads } from '../packages/hnotif/src/sinks/teamchat/thread/threads.ts';
import { Dispatcher } from '../packages/hnotif/src/dispatch/dispatcher.ts';
import type { CloudProvider, ConnectorLookup } from '../packages/hnotif/src/resources/connectors.ts';
import { deliveryId } from '../packages/hnotif/src/lifecycle/ids.ts';
import { readSink } from '../packages/hnotif/src/sinks/registry.ts';
import { payloadOf } from '../packages/hnotif/src/sinks/webhook/message.ts';
import { Transport } from '../packages/hnotif/src/transport/client.ts';
import type { RawMessage } from './raw-client.ts';

/** The way from `submit()` to the receiver as the service wires it, all sinks having one address. */
export interface Service {
  submit(submission: Submission): boolean;
  /** Ends it: what waits is dropped. */
  stop(): Promise<void>;
}

const PROVIDER: CloudProvider = {
  namespace: 'team-a',
  name: 'production',
  uid: 'b8c1c1de-5a57-4c36-9a0e-6f1f4f0f5d11',
  resourceVersion: '1',
  type: 'aws',
  accountId: '123456789012',
  projectId: '',
  region: 'eu-central-1',
};
const CONNECTORS: ConnectorLookup = { cloudProvider: () => PROVIDER, k8sCluster: () => undefined };

/** What the service sends for a submission, without its signature. */
export function messageOf({ to, event, plan }: Submission): RawMessage {
  const id = deliveryId(event.id, to.namespace, to.notification, to.sink);
  const view = planView(plan.current, CONNECTORS);
  return {
    headers: {
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': 'hnotif/0.0.0',
      'webhook-id': id,
    },
    body: JSON.stringify(payloadOf({ event, sinkName: to.sink, plan: view })),
  };
}

/** `settled` hears of each delivery's end; a fault of the service's own is thrown as uncaught. */
export function startService(
  url: string,
  settled: (settlement: Settlement) => void,
  /** The template of the notifications that have one, which are then rendered. */
  templateOf: (to: SinkAddress) => string | undefined = () => undefined,
): Service {
  const clock = systemClock;
  const transport = new Transport({ allowInsecureHttp: true, clock });
  const permits = new Buckets(clock);
  const templates = new TemplatePool({ clock });
  const sinkOf = (config: object): ReadySink => {
    const reading = readSink('webhook', JSON.stringify({ url, ...config }), {
      ...CONTROLLER_DEFAULTS,
      transport,
      clock,
      version: '0.0.0',
      templates,
      permits,
      threads: new Threads({ clock, permits }),
      address: { namespace: 'team-a', notification: 'night-watch', sink: 'audit' },
    });
    if (!reading.ok) throw new Error(reading.problems.join('; '));
    return reading.sink;
  };
  const raw = sinkOf({});
  const rendered = sinkOf({ enable_renderer: true });
  const dispatcher = new Dispatcher({
    clock,
    permits,
    resolve: ({ plan, to }) => {
      const text = templateOf(to);
      return {
        kind: 'ready',
        sink: text === undefined ? raw : rendered,
        plan: planView(plan.current, CONNECTORS),
        template: text === undefined ? undefined : { name: 'bench', text },
        notice: undefined,
      };
    },
    listener: {
      settled,
      attempted: () => {},
      noticed: () => {},
      putOff: () => {},
      paused: () => {},
      released: () => {},
      fault: (error) => {
        setImmediate(() => {
          throw error;
        });
      },
    },
  });
  return {
    submit: (submission) => dispatcher.submit(submission),
    async stop() {
      await dispatcher.drain(0);
      await Promise.all([transport.close(), templates.close()]);
    },
  };
}
