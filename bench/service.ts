import { systemClock } from '@hnotif/core/clock';
import { CONTROLLER_DEFAULTS } from '../packages/hnotif/src/controller/options.ts';
import { planView } from '../packages/hnotif/src/controller/connectors.ts';
import type { Settlement } from '../packages/hnotif/src/dispatch/delivery.ts';
import { Dispatcher, type SinkResolution } from '../packages/hnotif/src/dispatch/dispatcher.ts';
import { RateLimiter, readSink, type SinkMemory, Threads } from '@hnotif/core/sinks';
import { TemplatePool } from '../packages/hnotif/src/template-pool/pool.ts';
import { type CloudProvider, type ConnectorLookup, sinkKey, type SinkAddress } from '@hnotif/core/resources';
import { Transport } from '../packages/hnotif/src/transport/client.ts';
import type { Reply } from '@hnotif/core/requests';
import { WEBHOOK, type Kind } from './kinds.ts';
import type { RawMessage } from './raw-client.ts';
import { handover, type Handover } from './submission.ts';

/** The path from the dispatcher to the receiver, connected as in the service. */
export interface Service extends Handover {
  readonly dispatcher: Dispatcher;
  /** Ends it. Waiting deliveries are dropped. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** The receiver of all sinks. */
  readonly origin: string;
  /** The type of each sink. Default: a raw webhook. */
  readonly kindOf?: (to: SinkAddress) => Kind;
  /** Called with the settlements of deliveries. */
  readonly settled: (settlement: Settlement) => void;
  /** Collects all requests that are sent. */
  readonly record?: RawMessage[];
  readonly memory?: SinkMemory;
  /** Runs custom templates, also after `stop`: a worker thread of a cluster has been warm for long. Default: a new pool. */
  readonly templates?: TemplatePool;
}

type Ready = Pick<Extract<SinkResolution, { kind: 'ready' }>, 'sink' | 'template'>;

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

/** A transport that records its requests. */
class Recorder extends Transport {
  readonly #messages: RawMessage[];

  constructor(messages: RawMessage[]) {
    super({ allowInsecureHttp: true });
    this.#messages = messages;
  }

  override post(request: Parameters<Transport['post']>[0]): Promise<Reply> {
    const { url, headers, body } = request;
    this.#messages.push({ path: url.pathname + url.search, headers, body: body.toString() });
    return super.post(request);
  }
}

/** An error in the service's own code becomes an uncaught exception. */
export function startService(options: ServiceOptions): Service {
  const { origin, kindOf, settled, record, memory } = options;
  const clock = systemClock;
  const transport =
    record === undefined ? new Transport({ allowInsecureHttp: true, clock }) : new Recorder(record);
  const permits = new RateLimiter(clock);
  const templates = options.templates ?? new TemplatePool({ clock });
  const threads = new Threads({ clock, rateLimits: permits, memory });
  const deps = {
    ...CONTROLLER_DEFAULTS,
    ...{ chatApiUrl: `${origin}/api`, botApiUrl: origin, version: '0.0.0' },
    ...{ transport, clock, templates, rateLimits: permits, threads },
  };
  const sinks = new Map<string, Ready>();
  const made = (to: SinkAddress): Ready => {
    const { type, config, template } = kindOf?.(to) ?? WEBHOOK;
    const reading = readSink(type, JSON.stringify(config(origin, to)), { ...deps, address: to });
    if (!reading.ok) throw new Error(reading.problems.join('; '));
    const source =
      template === undefined ? undefined : { name: 'bench', namespace: to.namespace, text: template };
    return { sink: reading.sink, template: source };
  };
  const sinkOf = (to: SinkAddress): Ready => {
    const key = sinkKey(to);
    const ready = sinks.get(key) ?? made(to);
    sinks.set(key, ready);
    return ready;
  };
  const dispatcher = new Dispatcher({
    clock,
    rateLimits: permits,
    resolve: ({ plan, to }) => ({
      kind: 'ready',
      ...sinkOf(to),
      plan: planView(plan.current, CONNECTORS),
      degradation: undefined,
    }),
    listener: {
      settled,
      attempted: () => {},
      degraded: () => {},
      sendFailed: () => {},
      waits: () => {},
      resumed: () => {},
      circuitClosed: () => {},
      fault: (error) => {
        setImmediate(() => {
          throw error;
        });
      },
    },
  });
  return {
    dispatcher,
    ...handover(dispatcher),
    async stop() {
      await dispatcher.drain(0);
      dispatcher.dropRest();
      threads.close();
      permits.close();
      await transport.close();
      if (templates !== options.templates) await templates.close();
    },
  };
}
