import { isDeepStrictEqual } from 'node:util';
import { sleep, WOKEN, type Clock } from '@hnotif/core/clock';
import { Share } from '@hnotif/core/fair';
import type { ContentReader } from '../cluster/content-reader.ts';
import type { Reflector } from '../cluster/reflector.ts';
import type { Destination } from '../dispatch/delivery.ts';
import type { SinkResolution } from '../dispatch/dispatcher.ts';
import {
  type Notification,
  type SinkEntry,
  suspensionAt,
  type Suspension,
  linkFaults,
  type Plan,
  sinkKey,
  type SinkAddress,
} from '@hnotif/core/resources';
import { type Degradation, filesOf, notesAt, type ReadySink, type SinkDeps, SINKS } from '@hnotif/core/sinks';
import type { SinkCheck, SinkChecker } from '../status/readiness-checks.ts';
import type { ConnectorRights } from './connectors.ts';
import type { GracePeriods } from './grace-periods.ts';
import { CONFIG_KEY, parseSink, type KnownSink, type SinkRead, type SinkSource } from './sink-parser.ts';
import { templateFaultOf } from './template-rehearsal.ts';
import { Templates, type Template } from './templates.ts';

interface SinksOptions {
  readonly clock: Clock;
  /** The API server's time (milliseconds since the epoch), by which suspensions end. */
  readonly serverNow: () => number;
  readonly secrets: ContentReader<'secrets'>;
  readonly templates: ContentReader<'configmaps'>;
  readonly deps: SinkDeps;
  readonly notifications: Pick<Reflector<Notification>, 'get'>;
  readonly connectors: Pick<ConnectorRights, 'view'>;
  readonly gracePeriods: Pick<GracePeriods, 'has'>;
  /** A configuration is used for this time before its secret is read again (milliseconds). */
  readonly ttlMs: number;
  readonly listener: SinksListener;
}

export interface SinksListener {
  /** The configuration of a sink, readable or not, or its template has changed. */
  renewed(to: SinkAddress): void;
}

/** After refused messages a secret is read at most once in this time (milliseconds). */
const REREAD_MS = 1_000;

/** A delivery waits this long for a deleted sink in its grace period (milliseconds). */
const RETURN_MS = 1_000;

/** Bytes of all configurations that are kept. Namespaces share them: one alone gets half. */
const MAX_SIZE = 16 << 20;

/** A known configuration is used when the API server does not answer within this time (milliseconds). */
const PATIENCE_MS = 2_000;

/** What was read of a sink. It is kept while its notification lists the sink. */
interface SinkMemory {
  /** The version of the configuration that was read last, valid or not. */
  version: string | undefined;
  /** Undefined: it could not be read, or its namespace is over its share. Then it is read for each delivery. */
  known: KnownSink | undefined;
}

/** Makes sinks that can send: reads their secrets (cached for seconds) and parses their configurations (once per version of a secret). */
export class SinkResolver implements SinkChecker {
  readonly #options: SinksOptions;
  readonly #templates: Templates;
  /** By the key of the sink. */
  readonly #sinks = new Map<string, SinkMemory>();
  readonly #share = new Share(MAX_SIZE);

  constructor(options: SinksOptions) {
    this.#options = options;
    this.#templates = new Templates(options.templates);
  }

  /** Synchronous if the sink was read some seconds ago. Never rejects. */
  resolve({ to, plan }: Pick<Destination, 'to' | 'plan'>): SinkResolution | Promise<SinkResolution> {
    const { clock, connectors, gracePeriods, notifications, serverNow, ttlMs } = this.#options;
    const notification = notifications.get(to.namespace, to.notification);
    const suspension = notification && suspensionAt(notification, serverNow());
    if (suspension !== undefined) return suspended(suspension, serverNow());
    const entry = entryOf(notification, to);
    if (entry === undefined)
      return gracePeriods.has(to)
        ? { kind: 'unready', outcome: { kind: 'wait', forMs: RETURN_MS } }
        : { kind: 'unsubscribed' };
    const ready = ({ sink, template }: KnownSink): SinkResolution => {
      const found = template?.kind === 'found' ? template.source : undefined;
      const current = notifications.get(to.namespace, to.notification);
      const links =
        !SINKS[entry.type].showsLinks || found !== undefined
          ? undefined
          : linkNotice(plan.current, current?.annotations);
      const degradation = template?.kind === 'fault' ? template.degradation : links;
      const view = connectors.view(plan.current, to, current);
      const secret = entry.secretRef.name;
      return { kind: 'ready', sink, plan: view, template: found, degradation, secret };
    };
    const known = this.#find(to, entry);
    if (known !== undefined && clock.monotonic() - known.readAt < ttlMs) return ready(known);
    const read = known === undefined ? this.#read(to, entry) : this.#renew(to, known);
    return read.then((result): SinkResolution =>
      result.ok ? ready(result.known) : { kind: 'unready', outcome: result.outcome },
    );
  }

  /** Reads the secret of a known sink again. Returns the known configuration if that takes too long. */
  #renew(to: SinkAddress, known: KnownSink): Promise<SinkRead> {
    if (known.renewal !== undefined) return known.renewal;
    const answered = new AbortController();
    const read = this.#read(to, known.entry).finally(() => {
      if (known.renewal === renewal) known.renewal = undefined;
      answered.abort(WOKEN);
    });
    const renewal = sleep(this.#options.clock, PATIENCE_MS, answered.signal).then(
      (): SinkRead | Promise<SinkRead> => (answered.signal.aborted ? read : { ok: true, known }),
    );
    known.renewal = renewal;
    return renewal;
  }

  async check(to: SinkAddress): Promise<SinkCheck> {
    const entry = this.#entry(to);
    if (entry === undefined) return { ok: false, reason: 'Deleted', message: 'the sink is no longer listed' };
    const read = await this.#read(to, entry);
    if (!read.ok) {
      const { outcome, reason, message } = read;
      return { ok: false, reason, message, unavailable: outcome.kind === 'wait' };
    }
    const { sink, template } = read.known;
    const { onEvents = [] } = this.#options.notifications.get(to.namespace, to.notification) ?? {};
    const notes = [
      ...notesAt(read.known, this.#options.clock.now(), onEvents),
      ...(this.#knownOf(to) === undefined ? [this.#noRoom(to)] : []),
    ];
    const { ignoresTemplate } = sink;
    if (entry.templateRef !== undefined && ignoresTemplate !== undefined)
      return {
        ok: true,
        notes: [...notes, `templateRef has no effect: ${ignoresTemplate}`],
        faults: [],
        templateIgnored: ignoresTemplate,
      };
    const fault = await this.#templateFault(template, sink, entry, to);
    return { ok: true, notes, faults: fault === undefined ? [] : [fault] };
  }

  /** Why a template will fail, as far as a check can find it. */
  async #templateFault(
    template: Template | undefined,
    sink: ReadySink,
    entry: SinkEntry,
    to: SinkAddress,
  ): Promise<Degradation | undefined> {
    if (template === undefined) return undefined;
    if (template.kind === 'fault') return template.degradation;
    const { deps, notifications } = this.#options;
    const subscription = notifications.get(to.namespace, to.notification) ?? { onEvents: [] };
    return (
      (await deps.templates.check(template.source)) ??
      (await templateFaultOf(sink, entry, template.source, subscription))
    );
  }

  /** The receiver refused the credential or the address. The next delivery reads the secret again. */
  rejected(to: SinkAddress): void {
    const { clock, secrets } = this.#options;
    const known = this.#knownOf(to);
    if (known === undefined || clock.monotonic() - known.readAt < REREAD_MS) return;
    known.readAt = -Infinity;
    known.renewal = undefined;
    secrets.invalidate(to.namespace, known.entry.secretRef.name);
  }

  version(to: SinkAddress): string | undefined {
    return this.#sinks.get(sinkKey(to))?.version;
  }

  /** Its notification no longer lists the sink. */
  forget(to: SinkAddress): void {
    const memory = this.#sinks.get(sinkKey(to));
    if (memory !== undefined) this.#drop(to, memory);
    this.#sinks.delete(sinkKey(to));
  }

  #entry(to: SinkAddress): SinkEntry | undefined {
    return entryOf(this.#options.notifications.get(to.namespace, to.notification), to);
  }

  #find(to: SinkAddress, entry: SinkEntry): KnownSink | undefined {
    const known = this.#knownOf(to);
    // Usually it is the same object, which is quick to compare.
    return known?.entry === entry || isDeepStrictEqual(known?.entry, entry) ? known : undefined;
  }

  /** Reads a sink. Reports a changed configuration to the listener. */
  async #read(to: SinkAddress, entry: SinkEntry): Promise<SinkRead> {
    const { secrets, listener } = this.#options;
    const secret = await secrets.read(to.namespace, entry.secretRef.name, CONFIG_KEY, filesOf(entry.type));
    const before = this.#find(to, entry);
    // While the API server is away, the known configuration is used.
    if (secret.kind === 'unavailable' && before !== undefined) return { ok: true, known: before };
    const isNew = this.#isNew(to, entry, secret);
    const read = await parseSink(
      { to, entry, secret, before },
      { ...this.#options, templates: this.#templates },
    );
    if (read.ok && this.#entry(to) !== undefined) this.#keep(to, read.known);
    const texts = read.ok && before !== undefined ? [before.template, read.known.template].map(textOf) : [];
    if (isNew || texts[0] !== texts[1]) listener.renewed(to);
    return read;
  }

  /** Whether the configuration has changed since it was read last, by this process or an earlier one. */
  #isNew(to: SinkAddress, { type, secretRef }: SinkEntry, secret: SinkSource['secret']): boolean {
    if (secret.kind === 'unavailable' || this.#entry(to) === undefined) return false;
    const version = secret.kind === 'found' ? secret.resourceVersion : secret.kind;
    const now = `${type}/${secretRef.name}/${version}`;
    const memory = this.#memoryOf(to);
    const before = memory.version ?? this.#refusedBefore(to);
    memory.version = now;
    return before !== undefined && before !== now;
  }

  /** The configuration that a receiver refused in an earlier process. */
  #refusedBefore({ namespace, notification, sink }: SinkAddress): string | undefined {
    const rows = this.#options.notifications.get(namespace, notification)?.status.sinks;
    return rows?.find(({ name }) => name === sink)?.refused;
  }

  #knownOf(to: SinkAddress): KnownSink | undefined {
    return this.#sinks.get(sinkKey(to))?.known;
  }

  #keep(to: SinkAddress, known: KnownSink): void {
    // First, so that an equal text stays shared.
    const template = this.#templates.hold(known.template);
    const memory = this.#memoryOf(to);
    const grown = known.size - this.#drop(to, memory);
    if (grown <= 0 || this.#share.admits(to.namespace, known.size)) {
      known.template = template;
      this.#share.take(to.namespace, known.size);
      memory.known = known;
    } else this.#templates.release(template);
  }

  /** Returns the size that it had. */
  #drop({ namespace }: SinkAddress, memory: SinkMemory): number {
    const { size, template } = memory.known ?? { size: 0 };
    memory.known = undefined;
    this.#templates.release(template);
    this.#share.give(namespace, size);
    return size;
  }

  #memoryOf(to: SinkAddress): SinkMemory {
    const memory = this.#sinks.get(sinkKey(to)) ?? { version: undefined, known: undefined };
    this.#sinks.set(sinkKey(to), memory);
    return memory;
  }

  #noRoom({ namespace }: SinkAddress): string {
    const held = this.#share.held(namespace).toLocaleString('en');
    return `the configurations of its namespace have ${held} bytes, and there is no room for more: this one is read again for each delivery; shorten them`;
  }
}

/** A suspension without an end, or with one that is far away, is looked at again after this time (milliseconds). */
const LOOK_AGAIN_MS = 3_600_000;

/** `now`: of the API server (milliseconds since the epoch). */
const suspended = ({ tellsAfter, until = Infinity }: Suspension, now: number): SinkResolution =>
  tellsAfter === true
    ? { kind: 'suspended', sendsEndsInMs: Math.min(until - now, LOOK_AGAIN_MS) }
    : { kind: 'suspended' };

const entryOf = (
  notification: Notification | undefined,
  { sink }: Pick<SinkAddress, 'sink'>,
): SinkEntry | undefined => notification?.sinks.find((entry) => entry.name === sink);

/** Annotations that should be links of a built-in message, but are not valid. */
function linkNotice(plan: Plan, notification: Notification['annotations'] = {}): Degradation | undefined {
  const faults = [
    ...linkFaults(plan.annotations).map((fault) => `plan ${plan.name}: ${fault}`),
    ...linkFaults(notification).map((fault) => `the notification's ${fault}`),
  ];
  if (faults.length === 0) return undefined;
  return { reason: 'LinkInvalid', message: `${faults.join('; ')}: messages are sent without that link` };
}

const textOf = (template: Template | undefined): string | undefined =>
  template?.kind === 'found' ? template.source.text : undefined;
