import {
  API_VERSION,
  journalsOf,
  type ResourceType,
  parseJournal,
  type Journal,
  type JournalWrite,
  identityOf,
} from '@hnotif/core/resources';
import type { CallOptions } from './api-requests.ts';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';

/** The result of a write. */
export type Written =
  | { readonly kind: 'written'; readonly resourceVersion: string }
  /** A conflict, or a write without an answer: this is stored now (undefined: nothing)… */
  | {
      readonly kind: 'there';
      readonly journal: Journal | undefined;
      /** …and this was the failure, if it was not a conflict. */
      readonly fault?: Fault | undefined;
    }
  /** It would be refused again. */
  | ({ readonly kind: 'refused' } & Fault)
  /** It may be tried again. */
  | ({ readonly kind: 'failed' } & Fault);

interface Fault {
  readonly reason: string;
  readonly message: string;
}

/** Statuses that the same write would get again: an admission rule, a schema, a size. */
const REFUSALS: ReadonlySet<number> = new Set([400, 405, 413, 415, 422]);
/** Statuses that may pass, of a write that was not made: an API server that has just started has not loaded tokens and roles, or is busy. */
const PASSING: ReadonlySet<number> = new Set([401, 403, 429]);

/** Which object, and which version of it. */
export type JournalIdentity = Pick<Journal, 'namespace' | 'name' | 'resourceVersion'>;

/** The journals in the API server. */
export class JournalStore {
  readonly #client: KubeClient;
  readonly #type: ResourceType;
  readonly #apiVersion: string;

  constructor(client: KubeClient, group: string) {
    this.#client = client;
    this.#type = journalsOf(group);
    this.#apiVersion = `${group}/${API_VERSION}`;
  }

  /**
   * Writes if the object still has `resourceVersion`; `''` creates it. Bypasses the rate limit: the journals bound their writes themselves.
   * Never rejects.
   */
  write(journal: JournalWrite, signal: AbortSignal): Promise<Written> {
    const { namespace, name, resourceVersion } = journal;
    return this.#try(journal, signal, async (options) => {
      if (resourceVersion !== '')
        return this.#client.mergePatch(this.#type, namespace, name, this.#object(journal), options);
      const content = this.#object(journal);
      return identityOf(
        await this.#client.create(this.#type, namespace, content, { ...options, metadataOnly: true }),
      );
    });
  }

  /** Deletes an object if it still has this version; with `''` if it exists. `written`: it is gone. Never rejects. */
  async remove(object: JournalIdentity, signal: AbortSignal): Promise<Written> {
    const { namespace, name, resourceVersion } = object;
    return this.#try(object, signal, async (options) => {
      try {
        const version =
          resourceVersion === ''
            ? identityOf(await this.#client.get(this.#type, namespace, name, options)).resourceVersion
            : resourceVersion;
        await this.#client.delete(this.#type, namespace, name, version, options);
      } catch (error) {
        if (!(error instanceof KubeError) || error.status !== 404) throw error;
      }
      return { resourceVersion: '' };
    });
  }

  async #try(
    object: JournalIdentity,
    signal: AbortSignal,
    write: (options: CallOptions) => Promise<{ readonly resourceVersion: string }>,
  ): Promise<Written> {
    try {
      const { resourceVersion } = await write(urgent(signal));
      return { kind: 'written', resourceVersion };
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      const { reason, message, status } = error;
      if (REFUSALS.has(status) || isFinal(message)) return { kind: 'refused', reason, message };
      if (signal.aborted || PASSING.has(status)) return { kind: 'failed', reason, message };
      return await this.#read(object, signal, error);
    }
  }

  /** Reads the object after a conflict, or after a write without an answer. */
  async #read(object: JournalIdentity, signal: AbortSignal, cause: KubeError): Promise<Written> {
    const { namespace, name, resourceVersion } = object;
    const fault = { reason: cause.reason, message: cause.message };
    try {
      const raw = await this.#client.get(this.#type, namespace, name, urgent(signal));
      return { kind: 'there', journal: parseJournal(raw), fault: cause.status === 409 ? undefined : fault };
    } catch (error) {
      const isGone = error instanceof KubeError && error.status === 404;
      if (isGone)
        return resourceVersion === '' ? { kind: 'failed', ...fault } : { kind: 'there', journal: undefined };
      const { message } = error instanceof Error ? error : cause;
      return { kind: 'failed', reason: cause.reason, message };
    }
  }

  #object({ namespace, name, resourceVersion, ...spec }: JournalWrite): object {
    const labels = labelsOf(spec.instance);
    return {
      apiVersion: this.#apiVersion,
      kind: 'HibernateNotificationJournal',
      metadata: { namespace, name, labels, ...(resourceVersion !== '' && { resourceVersion }) },
      // A new object has nothing to remove.
      spec: resourceVersion === '' ? withoutNulls(spec) : spec,
    };
  }
}

/** A journal that cannot be written must be known soon: see `Durability`. It waits by itself. */
const urgent = (signal: AbortSignal): CallOptions => ({ signal, unlimited: true, waits: false });

const withoutNulls = (value: object): object =>
  Object.fromEntries(
    Object.entries(value as Record<string, unknown>)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [
        key,
        typeof each === 'object' && each !== null && !Array.isArray(each) ? withoutNulls(each) : each,
      ]),
  );

/** A name that is too long for a label is left out. The spec has it. */
const labelsOf = (instance: string): Record<string, string> => ({
  'app.kubernetes.io/managed-by': 'hnotif',
  ...(instance.length <= 63 && { 'app.kubernetes.io/instance': instance }),
});

/** By the API server's message: a quota and a terminating namespace answer 403, a full etcd 500. */
const isFinal = (message: string): boolean =>
  /exceeded quota|being terminated|database space exceeded/.test(message);
