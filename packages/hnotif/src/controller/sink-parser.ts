import type { Clock } from '@hnotif/core/clock';
import type { SinkAddress, SinkEntry } from '@hnotif/core/resources';
import {
  filesOf,
  type Outcome,
  type ReadySink,
  readSink,
  type SecretFiles,
  type SinkDeps,
  type SinkReading,
} from '@hnotif/core/sinks';
import type { ContentReading } from '../cluster/content-reader.ts';
import type { Template, Templates } from './templates.ts';

/** A sink that was read. */
export interface KnownSink {
  readonly entry: SinkEntry;
  readonly resourceVersion: string;
  /** The bytes of its configuration, with the other keys that it uses. */
  readonly size: number;
  readonly sink: ReadySink;
  readonly notes: readonly string[];
  template: Template | undefined;
  /** Monotonic milliseconds. */
  readAt: number;
  /** The running read of its secret. Thousands of deliveries share it. */
  renewal?: Promise<SinkRead> | undefined;
}

export type SinkRead = { readonly ok: true; readonly known: KnownSink } | UnreadySink;

/** Why a sink cannot send: `reason` and `message` for the condition, `outcome` for a delivery. */
interface UnreadySink {
  readonly ok: false;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly message: string;
}

export interface SinkSource {
  readonly to: SinkAddress;
  readonly entry: SinkEntry;
  readonly secret: ContentReading<Uint8Array>;
  /** The last result for the same entry of the notification; undefined: there is none. */
  readonly before: KnownSink | undefined;
}

interface ParserDeps {
  readonly clock: Clock;
  readonly deps: SinkDeps;
  readonly templates: Pick<Templates, 'read'>;
}

/** The key of a secret under which a sink's configuration stands. */
export const CONFIG_KEY = 'config';

/** A delivery waits this long for an API server that is away (milliseconds). This is not a retry. */
const UNAVAILABLE_MS = 5_000;

/** Reasons of secrets that could not be read. All may be temporary: a secret that is being replaced is missing for a moment. */
const SECRET_REASONS = {
  missing: 'SecretMissing',
  'no-key': 'SecretKeyMissing',
  forbidden: 'SecretForbidden',
};

/** The configuration of a sink with its template. A configuration is parsed once for each version of its secret. Never rejects. */
export async function parseSink(
  { to, entry, secret, before }: SinkSource,
  { clock, deps, templates }: ParserDeps,
): Promise<SinkRead> {
  if (secret.kind === 'unavailable') return unavailable('SecretUnavailable', secret.message);
  if (secret.kind === 'too-large') return unready('rejected-configuration', 'ConfigInvalid', secret.message);
  if (secret.kind !== 'found') return unready('transient', SECRET_REASONS[secret.kind], secret.message);
  const readAt = clock.monotonic();
  const { secretRef, templateRef, type } = entry;
  const { resourceVersion, value, beside, keys } = secret;
  const reading: SinkReading =
    before?.resourceVersion === resourceVersion
      ? { ok: true, sink: before.sink, notes: before.notes }
      : readSink(type, value, { ...deps, address: to }, textsOf(beside), keys);
  if (!reading.ok) {
    const isOfFile = filesOf(type).some((key) => reading.problems[0]?.startsWith(`${key}: `));
    const where = `secret ${secretRef.name}${isOfFile ? '' : `, key ${CONFIG_KEY}`}`;
    return unready('rejected-configuration', 'ConfigInvalid', `${where}: ${reading.problems.join('; ')}`);
  }
  const { sink, notes } = reading;
  const template =
    templateRef === undefined || sink.ignoresTemplate !== undefined
      ? undefined
      : await templates.read(to.namespace, templateRef, before?.template);
  if (template?.kind === 'unavailable') return unavailable('TemplateUnavailable', template.message);
  const size = [value, ...Object.values(beside)].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { ok: true, known: { entry, resourceVersion, size, sink, notes, template, readAt } };
}

const textsOf = (files: Readonly<Record<string, Uint8Array>>): SecretFiles =>
  Object.fromEntries(Object.entries(files).map(([key, bytes]) => [key, Buffer.from(bytes).toString()]));

const unready = (
  kind: 'transient' | 'rejected-configuration',
  reason: string,
  message: string,
): UnreadySink => ({
  ...{ ok: false, outcome: { kind, reason, message } },
  ...{ reason, message },
});

/** A delivery that waits for the API server makes no attempts. Only its age ends it. */
const unavailable = (reason: string, message: string): UnreadySink => ({
  ...{ ok: false, outcome: { kind: 'wait', forMs: UNAVAILABLE_MS } },
  ...{ reason, message },
});
