import type { Clock } from '../clock.ts';
import type { SecretReader, SecretReading } from '../cluster/secrets.ts';
import type { SinkAddress, Submission } from '../dispatch/delivery.ts';
import type { Resolution } from '../dispatch/dispatcher.ts';
import type { Notification, SinkEntry } from '../resources/notification.ts';
import type { Plan } from '../resources/plan.ts';
import type { Outcome } from '../sinks/outcome.ts';
import { isServed, readSink, type SinkDeps } from '../sinks/registry.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { ReadySink } from '../sinks/sink.ts';
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
  /** Monotonic milliseconds. */
  readAt: number;
}

type Read = { readonly ok: true; readonly known: Known } | { readonly ok: false; readonly outcome: Unready };
type Unready = Extract<Outcome, { kind: 'transient' | 'rejected-configuration' }>;

/** A receiver that refuses every message must not cost a look at its secret each: one in this time (milliseconds). */
const REREAD_MS = 1_000;

/** Why a secret could not be read, as a reason word. All may pass: a secret that is being replaced is missing for a moment. */
const SECRET_REASONS: Readonly<Record<Exclude<SecretReading['kind'], 'found'>, string>> = {
  missing: 'SecretMissing',
  'no-key': 'SecretKeyMissing',
  forbidden: 'SecretForbidden',
  unavailable: 'SecretUnavailable',
};

/**
 * From a sink's name to a sink that can send: reads its secret (cached for seconds), parses its configuration
 * (once per version of the secret) and says in words what is wrong with it.
 */
export class Sinks {
  readonly #options: SinksOptions;
  /** By notification, then by sink. */
  readonly #known = new Map<string, Map<string, Known>>();

  constructor(options: SinksOptions) {
    this.#options = options;
  }

  /** Synchronous while the sink was read seconds ago. Never rejects. */
  resolve({ to, plan }: Submission): Resolution | Promise<Resolution> {
    const { clock, ttlMs, view } = this.#options;
    const entry = this.#entry(to);
    if (entry === undefined) return { kind: 'unsubscribed' };
    const known = this.#find(to, entry);
    if (known !== undefined && clock.monotonic() - known.readAt < ttlMs)
      return { kind: 'ready', sink: known.sink, plan: view(plan.current) };
    return this.#read(to, entry).then((read) =>
      read.ok
        ? { kind: 'ready', sink: read.known.sink, plan: view(plan.current) }
        : { kind: 'unready', outcome: read.outcome },
    );
  }

  /** Whether a sink could send, for the notification's `Ready` condition. Never rejects. */
  async check(to: SinkAddress): Promise<SinkCheck> {
    const entry = this.#entry(to);
    if (entry === undefined) return { ok: false, reason: 'Deleted', message: 'the sink is no longer listed' };
    const read = await this.#read(to, entry);
    if (!read.ok) return { ok: false, reason: read.outcome.reason, message: read.outcome.message };
    const { notes } = read.known;
    if (entry.templateRef === undefined) return { ok: true, notes };
    return {
      ok: true,
      notes: [...notes, 'templateRef has no effect: templates are not served by this version'],
    };
  }

  /** The receiver refused the credential or the address: the secret is read again soon. */
  rejected(to: SinkAddress): void {
    const { clock, secrets } = this.#options;
    const known = this.#known.get(notificationOf(to))?.get(to.sink);
    if (known === undefined || clock.monotonic() - known.readAt < REREAD_MS) return;
    known.readAt = -Infinity;
    secrets.invalidate(to.namespace, known.entry.secretRef.name);
  }

  /** A notification was changed or deleted (`sinks` empty): forgets the sinks that it no longer lists. */
  keep({ namespace, name }: Pick<Notification, 'namespace' | 'name'>, sinks: readonly SinkEntry[]): void {
    const key = `${namespace}/${name}`;
    const known = this.#known.get(key);
    for (const sink of known?.keys() ?? [])
      if (!sinks.some((entry) => entry.name === sink)) known?.delete(sink);
    if (known?.size === 0) this.#known.delete(key);
  }

  #entry({ namespace, notification, sink }: SinkAddress): SinkEntry | undefined {
    return this.#options.notification(namespace, notification)?.sinks.find((entry) => entry.name === sink);
  }

  #find(to: SinkAddress, { type, secretRef }: SinkEntry): Known | undefined {
    const known = this.#known.get(notificationOf(to))?.get(to.sink);
    return known?.entry.type === type && known.entry.secretRef.name === secretRef.name ? known : undefined;
  }

  async #read(to: SinkAddress, entry: SinkEntry): Promise<Read> {
    const { clock, secrets, deps } = this.#options;
    if (!isServed(entry.type))
      return unready(
        'rejected-configuration',
        'SinkTypeNotServed',
        `sink type ${entry.type} is not served by this version; use webhook, or a later version`,
      );
    const secret = await secrets.read(to.namespace, entry.secretRef.name);
    if (secret.kind !== 'found') return unready('transient', SECRET_REASONS[secret.kind], secret.message);
    const readAt = clock.monotonic();
    const before = this.#find(to, entry);
    if (before?.resourceVersion === secret.resourceVersion) {
      before.readAt = readAt;
      return { ok: true, known: before };
    }
    const read = readSink(entry.type, secret.value, deps);
    if (!read.ok) {
      const where = `secret ${entry.secretRef.name}, key config`;
      return unready('rejected-configuration', 'ConfigInvalid', `${where}: ${read.problems.join('; ')}`);
    }
    const { sink, notes } = read;
    const known: Known = { entry, resourceVersion: secret.resourceVersion, sink, notes, readAt };
    if (this.#entry(to) !== undefined) this.#remember(to, known);
    return { ok: true, known };
  }

  #remember(to: SinkAddress, known: Known): void {
    const key = notificationOf(to);
    const sinks = this.#known.get(key) ?? new Map<string, Known>();
    this.#known.set(key, sinks.set(to.sink, known));
  }
}

const notificationOf = ({ namespace, notification }: SinkAddress): string => `${namespace}/${notification}`;

const unready = (kind: Unready['kind'], reason: string, message: string): Read => ({
  ok: false,
  outcome: { kind, reason, message },
});
