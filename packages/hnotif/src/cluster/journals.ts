import { API_VERSION, journalsOf, type ResourceType } from '../resources/group.ts';
import { parseJournal, type Journal, type JournalWrite } from '../resources/journal.ts';
import type { CallOptions, KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { identityOf } from './objects.ts';

/** What became of a write. */
export type Written =
  | { readonly kind: 'written'; readonly resourceVersion: string }
  /** Another write came between, or nobody knows whether ours has: this stands there now (undefined: nothing)… */
  | {
      readonly kind: 'there';
      readonly journal: Journal | undefined;
      /** …and this was the answer, where it told of no other write. */
      readonly fault?: Fault | undefined;
    }
  /** It will be refused again, until somebody mends it. */
  | ({ readonly kind: 'refused' } & Fault)
  /** It may be tried again. */
  | ({ readonly kind: 'failed' } & Fault);

interface Fault {
  readonly reason: string;
  readonly message: string;
}

/** Refusals that the same write would meet again: an admission rule, a schema, a size. */
const REFUSALS: ReadonlySet<number> = new Set([400, 405, 413, 415, 422]);
/** Refusals that may pass: an API server that has just been started knows neither tokens nor roles until it has read them. */
const UNKNOWN: ReadonlySet<number> = new Set([401, 403]);

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
   * Writes if nothing else has been written since `resourceVersion`; `''` creates the object. Goes past the limiter: the journals bound
   * their writes themselves. Never rejects.
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

  /** Deletes an object if nothing else has been written to it; `''`: it may not be there at all. `written`: it is gone. Never rejects. */
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
      const { resourceVersion } = await write({ signal, unlimited: true });
      return { kind: 'written', resourceVersion };
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      const { reason, message, status } = error;
      if (REFUSALS.has(status) || isFinal(message)) return { kind: 'refused', reason, message };
      if (signal.aborted || UNKNOWN.has(status)) return { kind: 'failed', reason, message };
      return await this.#read(object, signal, error);
    }
  }

  /** What stands there, after a write that met something else, or that nobody answered. */
  async #read(object: JournalIdentity, signal: AbortSignal, cause: KubeError): Promise<Written> {
    const { namespace, name, resourceVersion } = object;
    const fault = { reason: cause.reason, message: cause.message };
    try {
      const raw = await this.#client.get(this.#type, namespace, name, { signal, unlimited: true });
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
      // Nothing can be taken out of what is not there yet.
      spec: resourceVersion === '' ? withoutNulls(spec) : spec,
    };
  }
}

const withoutNulls = (value: object): object =>
  Object.fromEntries(
    Object.entries(value as Record<string, unknown>)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [
        key,
        typeof each === 'object' && each !== null && !Array.isArray(each) ? withoutNulls(each) : each,
      ]),
  );

/** A name that is longer than a label may be is none; the spec has it all the same. */
const labelsOf = (instance: string): Record<string, string> => ({
  'app.kubernetes.io/managed-by': 'hnotif',
  ...(instance.length <= 63 && { 'app.kubernetes.io/instance': instance }),
});

/** In the words of the API server: a quota and a namespace that goes refuse with 403, a full etcd with 500. */
const isFinal = (message: string): boolean =>
  /exceeded quota|being terminated|database space exceeded/.test(message);
