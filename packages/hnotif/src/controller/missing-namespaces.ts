import type { Logger } from 'pino';
import type { KubeClient } from '../cluster/client.ts';
import { isMissing } from '../cluster/namespace-check.ts';
import type { Checks } from '../observe/health.ts';
import type { NamespaceScope } from '@hnotif/core/resources';
import type { Watches } from './watches.ts';

interface MissingNamespacesOptions {
  readonly client: Pick<KubeClient, 'create'>;
  readonly log: Logger;
  readonly watches: Pick<Watches, 'isEmpty'>;
}

/**
 * The namespaces of `--watch-namespaces` that do not exist. Where rights are for the whole cluster, they can be listed and are empty: a
 * typing error would not be noticed.
 */
export class MissingNamespaces {
  readonly #options: MissingNamespacesOptions;
  readonly #found = new Set<string>();
  readonly #stop = new AbortController();

  constructor(options: MissingNamespacesOptions) {
    this.#options = options;
  }

  /** For `/readyz`. It stays green: a namespace may be created later. */
  get checks(): Checks {
    const { watches } = this.#options;
    const names = [...this.#found].filter((name) => watches.isEmpty(name));
    return names.length === 0
      ? {}
      : { namespaces: () => ({ ok: true, words: `${names.join(', ')} did not exist at the start` }) };
  }

  /** A scope has been listed. */
  listed(scope: NamespaceScope): void {
    if (scope !== undefined && this.#options.watches.isEmpty(scope)) void this.#ask(scope);
  }

  close(): void {
    this.#stop.abort();
  }

  async #ask(namespace: string): Promise<void> {
    const { client, log } = this.#options;
    if (!(await isMissing(client, namespace, this.#stop.signal))) return;
    this.#found.add(namespace);
    log.warn(
      { namespace },
      'a namespace to watch does not exist: correct --watch-namespaces, or create it; then it is served',
    );
  }
}
