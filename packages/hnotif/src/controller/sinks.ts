import type { Clock } from '../clock.ts';
import type { SecretReader } from '../cluster/secrets.ts';
import type { SinkAddress, Submission } from '../dispatch/delivery.ts';
import type { Resolution } from '../dispatch/dispatcher.ts';
import type { Notification, SinkEntry } from '../resources/notification.ts';
import type { Plan } from '../resources/plan.ts';
import type { Outcome } from '../sinks/outcome.ts';
import { readSink, type SinkDeps } from '../sinks/registry.ts';
import type { PlanView, ReadySink } from '../sinks/sink.ts';
import type { SinkCheck } from './status.ts';

export interface SinksOptions {
  readonly clock: Clock;
  readonly secrets: SecretReader;
  readonly deps: SinkDeps;
  readonly notification: (namespace: string, name: string) => Notification | undefined;
  readonly view: (plan: Plan) => PlanView;
  /** How long a sink that was read is used without a look at its secret (milliseconds). */
  readonly ttlMs: number;
}

/** A sink as it was read last. */
interface Known {
  readonly entry: SinkEntry;
  readonly resourceVersion: string;
  readonly sink: ReadySink;
  readonly notes: readonly string[];
  until: number;
}

type Read = { readonly ok: true; readonly known: Known } | { readonly ok: false; readonly outcome: Unready };
type Unready = Extract<Outcome, { kind: 'transient' | 'rejected-configuration' }>;

/**
 * From a sink's name to a sink that can send: reads its secret (cached for seconds), parses its configuration
 * (once per version of the secret) and says in words what is wrong with it.
 */
export class Sinks {
  readonly #options: SinksOptions;
  readonly #known = new Map<string, Known>();

  constructor(options: SinksOptions) {
    this.#options = options;
  }

  /** Synchronous while the sink was read seconds ago. Never rejects. */
  resolve({ to, plan }: Submission): Resolution | Promise<Resolution> {
    const entry = this.#entry(to);
    if (entry === undefined) return { kind: 'unsubscribed' };
    const known = this.#known.get(keyOf(to));
    if (
      known !== undefined &&
      known.until > this.#options.clock.monotonic() &&
      sameConfig(known.entry, entry)
    )
      return { kind: 'ready', sink: known.sink, plan: this.#options.view(plan.current) };
    return this.#read(to, entry).then((read) =>
      read.ok
        ? { kind: 'ready', sink: read.known.sink, plan: this.#options.view(plan.current) }
        : { kind: 'unready', outcome: read.outcome },
    );
  }

  /** Whether a sink could send, for the notification's `Ready` condition. Never rejects. */
  async check(to: SinkAddress): Promise<SinkCheck> {
    const entry = this.#entry(to);
    if (entry === undefined) return { ok: false, reason: 'Deleted', message: 'the sink is no longer listed' };
    const read = await this.#read(to, entry);
    if (read.ok) return { ok: true, notes: read.known.notes };
    return { ok: false, reason: read.outcome.reason, message: read.outcome.message };
  }

  /** The receiver refused the credential: the secret is read again before the next delivery. */
  rejected(to: SinkAddress): void {
    const entry = this.#entry(to);
    if (entry !== undefined) this.#options.secrets.invalidate(to.namespace, entry.secretRef.name);
    this.#known.delete(keyOf(to));
  }

  /** Forgets the sinks of a deleted notification. */
  forget({ namespace, name, sinks }: Notification): void {
    for (const { name: sink } of sinks) this.#known.delete(keyOf({ namespace, notification: name, sink }));
  }

  #entry({ namespace, notification, sink }: SinkAddress): SinkEntry | undefined {
    return this.#options.notification(namespace, notification)?.sinks.find((entry) => entry.name === sink);
  }

  async #read(to: SinkAddress, entry: SinkEntry): Promise<Read> {
    const { clock, secrets, deps, ttlMs } = this.#options;
    const secret = await secrets.read(to.namespace, entry.secretRef.name);
    switch (secret.kind) {
      case 'found':
        break;
      case 'missing':
        return unready('rejected-configuration', 'SecretMissing', secret.message);
      case 'no-key':
        return unready('rejected-configuration', 'SecretKeyMissing', secret.message);
      case 'forbidden':
        return unready('transient', 'SecretForbidden', secret.message);
      case 'unavailable':
        return unready('transient', 'SecretUnavailable', secret.message);
    }
    const until = clock.monotonic() + ttlMs;
    const before = this.#known.get(keyOf(to));
    if (before?.resourceVersion === secret.resourceVersion && sameConfig(before.entry, entry)) {
      before.until = until;
      return { ok: true, known: before };
    }
    const read = readSink(entry.type, secret.value, deps);
    if (!read.ok) {
      const where = `secret ${entry.secretRef.name}, key config`;
      return unready('rejected-configuration', 'ConfigInvalid', `${where}: ${read.problems.join('; ')}`);
    }
    const { sink, notes } = read;
    const known: Known = { entry, resourceVersion: secret.resourceVersion, sink, notes, until };
    this.#known.set(keyOf(to), known);
    return { ok: true, known };
  }
}

const keyOf = ({ namespace, notification, sink }: SinkAddress): string =>
  `${namespace}/${notification}/${sink}`;

const sameConfig = (a: SinkEntry, b: SinkEntry): boolean =>
  a === b || (a.type === b.type && a.secretRef.name === b.secretRef.name);

const unready = (kind: Unready['kind'], reason: string, message: string): Read => ({
  ok: false,
  outcome: { kind, reason, message },
});
