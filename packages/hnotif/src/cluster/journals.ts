import { API_VERSION, journalsOf, type ResourceType } from '../resources/group.ts';
import { parseJournal, type Journal } from '../resources/journal.ts';
import type { KubeClient } from './client.ts';
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

/** The journals in the API server. */
export class JournalStore {
  readonly #client: KubeClient;
  readonly #type: ResourceType;
  readonly #apiVersion: string;
  readonly #plans: ResourceType;
  /** Of plans. */
  #kind: string | undefined;

  /** `plans` own their journals, which go with them. */
  constructor(client: KubeClient, group: string, plans: ResourceType) {
    this.#client = client;
    this.#type = journalsOf(group);
    this.#apiVersion = `${group}/${API_VERSION}`;
    this.#plans = plans;
  }

  /**
   * Writes where nobody else has written since `journal.resourceVersion`; `''` creates it. Goes past the limiter: whoever writes
   * journals bounds them. Never rejects.
   */
  async write(journal: Journal, signal: AbortSignal): Promise<Written> {
    const { namespace, name, resourceVersion } = journal;
    const options = { signal, unlimited: true };
    try {
      const object = this.#object(journal, (this.#kind ??= await this.#client.kindOf(this.#plans, signal)));
      const written =
        resourceVersion === ''
          ? identityOf(
              await this.#client.create(this.#type, namespace, object, { ...options, metadataOnly: true }),
            )
          : await this.#client.mergePatch(this.#type, namespace, name, object, options);
      return { kind: 'written', resourceVersion: written.resourceVersion };
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      const { reason, message, status } = error;
      if (REFUSALS.has(status) || isFinal(message)) return { kind: 'refused', reason, message };
      if (signal.aborted || UNKNOWN.has(status)) return { kind: 'failed', reason, message };
      return await this.#read(journal, signal, error);
    }
  }

  /** What stands there, after a write that met something else, or that nobody answered. */
  async #read(journal: Journal, signal: AbortSignal, cause: KubeError): Promise<Written> {
    const { namespace, name, resourceVersion } = journal;
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

  #object({ namespace, name, resourceVersion, owners, ...spec }: Journal, kind: string): object {
    const apiVersion = `${this.#plans.group}/${this.#plans.version}`;
    return {
      apiVersion: this.#apiVersion,
      kind: 'HibernateNotificationJournal',
      metadata: {
        namespace,
        name,
        ...(resourceVersion !== '' && { resourceVersion }),
        labels: labelsOf(spec.instance),
        ownerReferences: owners.map((owner) => ({ apiVersion, kind, ...owner })),
      },
      spec,
    };
  }
}

/** A name that is longer than a label may be is none; the spec has it all the same. */
const labelsOf = (instance: string): Record<string, string> => ({
  'app.kubernetes.io/managed-by': 'hnotif',
  ...(instance.length <= 63 && { 'app.kubernetes.io/instance': instance }),
});

/** In the words of the API server: a quota and a namespace that goes refuse with 403, a full etcd with 500. */
const isFinal = (message: string): boolean =>
  /exceeded quota|being terminated|database space exceeded/.test(message);
