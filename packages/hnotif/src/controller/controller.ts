import type { Logger } from 'pino';
import { systemClock } from '@hnotif/core/clock';
import type { Leadership } from '../cluster/leadership.ts';
import type { Checks } from '../observe/health.ts';
import { createMetrics } from '../observe/metrics.ts';
import { wantsTraces } from '../observe/traces/wanted.ts';
import { VERSION } from '@hnotif/core/version';
import { openApi } from './api.ts';
import { leadershipOf } from './leadership-of.ts';
import { LastWrites } from './last-writes.ts';
import type { ControllerOptions } from './options.ts';
import { openTransport } from './receivers.ts';
import type { Totals } from './delivery-reporter.ts';
import type { ServiceDeps } from './parts.ts';
import { startServers, type Servers } from './servers.ts';
import { Service } from './service.ts';
import { OptionError, StartError } from './start-error.ts';

export { OptionError, StartError };

type Deps = Omit<ServiceDeps, 'leadership' | 'term' | 'fenced'> & { readonly leadership: Leadership };

const NOTHING: Totals = { delivered: 0, failed: 0, dropped: 0, suppressed: 0 };

/**
 * Starts a controller, for `hnotif run` and `hnotif dev`. It stands by until it leads. Resolves when the servers listen, without waiting
 * for the cluster. Rejects with a `StartError` for an error that only the user can correct. `linesLost`: log lines that could not be
 * written.
 */
export async function startController(
  options: ControllerOptions,
  log: Logger,
  linesLost: () => number = () => 0,
): Promise<Controller> {
  const clock = options.clock ?? systemClock;
  const metrics = createMetrics(VERSION);
  // Loaded only if it is wanted.
  const traces = wantsTraces(options.env)
    ? (await import('./open-traces.ts')).openTraces(options.env, { clock, log, metrics })
    : undefined;
  const transport = openTransport(options, { clock, log, mayPost: () => leadership.isLeader() });
  const api = await openApi(options, clock, metrics);
  const { client } = api;
  const leadership = await leadershipOf(options, api, log);
  let running = undefined as Controller | undefined;
  const checks = (): Checks => ({ leader: () => leadership.state(), ...running?.checks });
  const servers = await startServers(options, { metrics, checks, client, clock, log }).catch(
    async (error: unknown) => {
      await Promise.all([transport.close(), client.close()]);
      throw error;
    },
  );
  metrics.onScrape(() => {
    metrics.leader.set(leadership.isLeader() ? 1 : 0);
    metrics.logLinesLost.reset();
    metrics.logLinesLost.inc(linesLost());
  });
  log.info(
    { version: VERSION, cluster: client.source, metrics: servers.metricsUrl, health: servers.healthUrl },
    'started',
  );
  const deps = { options, clock, log, metrics, client, traces, transport, leadership };
  running = new Controller(deps, servers);
  leadership.start();
  return running;
}

/** A running controller. */
export class Controller {
  /** `http://host:port` of the server with `/metrics`. */
  readonly metricsUrl: string;
  /** `http://host:port` of the server with `/healthz` and `/readyz`. */
  readonly healthUrl: string;
  /** Resolves when it leads, and notifications, journals and plans have been listed. Never rejects: it waits for the cluster and the Lease. */
  readonly synced: Promise<void>;
  /** Resolves with the reason when leadership is lost. All work has ended; call `stop`. */
  readonly leadershipLost: Promise<string>;
  readonly #deps: Deps;
  readonly #servers: Servers;
  /** Aborts when a journal shows that another process leads. */
  readonly #fence = new AbortController();
  /** Undefined: it has not led. */
  #service: Service | undefined;
  #isDeposed = false;
  #lost: (reason: string) => void = () => undefined;
  #stopped: Promise<void> | undefined;

  constructor(deps: Deps, servers: Servers) {
    this.#deps = deps;
    const { leadership } = deps;
    this.#servers = servers;
    ({ metricsUrl: this.metricsUrl, healthUrl: this.healthUrl } = servers);
    this.leadershipLost = new Promise((resolve) => (this.#lost = resolve));
    leadership.lost.addEventListener('abort', () => {
      this.#depose(`the Lease is lost: ${(leadership.lost.reason as Error).message}`);
    });
    this.synced = leadership.leading.then((term) => this.#lead(term));
  }

  /** Of the service, for `/readyz`. */
  get checks(): Checks | undefined {
    return this.#isDeposed ? undefined : this.#service?.checks;
  }

  /** Resolves when this version of a plan was seen, and its events were kept and handed to the dispatcher. */
  async seen(namespace: string, plan: string, resourceVersion: string): Promise<void> {
    await this.synced;
    await this.#service?.seen(namespace, plan, resourceVersion);
  }

  /** How deliveries have ended. */
  totals(): Totals {
    return this.#service?.totals ?? NOTHING;
  }

  /** Deliveries that wait in journals. After a stop the next process sends them. */
  pending(): number {
    return this.#service?.pending ?? 0;
  }

  /** Takes no more changes, sends waiting deliveries until the drain time-out or until `hurry` aborts, closes. */
  stop(hurry?: AbortSignal): Promise<void> {
    return (this.#stopped ??= this.#stop(hurry));
  }

  #lead(term: number): Promise<void> | undefined {
    if (this.#stopped !== undefined || this.#isDeposed) return undefined;
    this.#service = new Service({
      ...this.#deps,
      term,
      fenced: async ({ namespace, name }) => {
        const check = await this.#deps.leadership.check();
        if (check === 'moved') {
          this.#fence.abort();
          this.#depose(
            `journal ${namespace}/${name} names a later term: another process leads, or writes journals without a Lease`,
          );
        }
        return check;
      },
    });
    return this.#service.synced;
  }

  #depose(reason: string): void {
    if (this.#stopped !== undefined || this.#isDeposed) return;
    this.#isDeposed = true;
    this.#deps.log.error({ reason }, 'lost leadership; exiting');
    void (this.#service?.abort() ?? Promise.resolve()).then(() => {
      this.#lost(reason);
    });
  }

  async #stop(hurry?: AbortSignal): Promise<void> {
    const { clock, client, leadership, log, traces, transport } = this.#deps;
    // When another process leads already, the stop must hurry.
    const signals = [leadership.lost, this.#fence.signal, ...(hurry === undefined ? [] : [hurry])];
    const last = new LastWrites(clock);
    if (!this.#isDeposed) await this.#service?.stop(AbortSignal.any(signals), last);
    // Last, so that the next process begins after all writes.
    await last.wait('lease', hurry, (enough) => leadership.release(enough));
    if (traces !== undefined) await last.wait('traces', hurry, (enough) => traces.close(enough));
    await Promise.all([this.#servers, transport, client].map((each) => each.close()));
    log.info({ ...this.totals(), left: this.pending() }, 'stopped');
  }
}
