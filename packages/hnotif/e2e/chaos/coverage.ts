import { inflateRawSync } from 'node:zlib';
import type { KubeObject } from '../support/kube.ts';

interface Journal extends KubeObject {
  readonly spec: { readonly plans?: Readonly<Record<string, { readonly observed?: unknown }>> };
}

/** Where an entry says which version of its plan was observed last. */
const OBSERVED = /"rv":"(\d+)"/;
/** How a text begins that is deflated since it is long. */
const DEFLATED = 'deflate-raw+base64:';

function versionIn(observed: string): string | undefined {
  const isDeflated = observed.startsWith(DEFLATED);
  const base64 = observed.slice(DEFLATED.length);
  const text = isDeflated ? inflateRawSync(Buffer.from(base64, 'base64')).toString() : observed;
  return OBSERVED.exec(text)?.[1];
}

/**
 * Which states of plans are kept, by what stands in journals: a state that a journal names was seen, and its events are in a journal.
 */
export class Coverage {
  /** By plan. */
  readonly #newest = new Map<string, unknown>();
  readonly #waiting = new Map<string, () => void>();
  readonly #keptAt = new Map<string, number>();

  /** A journal as it stands now. */
  journal(object: KubeObject): void {
    const { plans = {} } = (object as Journal).spec;
    for (const [uid, { observed }] of Object.entries(plans)) {
      if (typeof observed !== 'string' || this.#newest.get(uid) === observed) continue;
      this.#newest.set(uid, observed);
      const rv = versionIn(observed);
      if (rv === undefined || this.#keptAt.has(rv)) continue;
      this.#keptAt.set(rv, Date.now());
      this.#waiting.get(rv)?.();
      this.#waiting.delete(rv);
    }
  }

  /** When a journal first had the state of this version (milliseconds since the epoch); undefined: none had it. */
  keptAt(version: string): number | undefined {
    return this.#keptAt.get(version);
  }

  /** Resolves when a journal has the state of this version, or the signal aborts. */
  kept(version: string, signal: AbortSignal): Promise<void> {
    if (this.#keptAt.has(version) || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.set(version, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

/** Calls `told` with each object of a collection that is made or changes, until the signal aborts. */
export async function follow(
  url: string,
  told: (object: KubeObject) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) await followOnce(url, told, signal).catch(() => undefined);
}

/** One watch, from what there is. */
async function followOnce(
  url: string,
  told: (object: KubeObject) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(`${url}?watch=true`, { signal });
  if (response.body === null) return;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: KubeObject };
      if (type === 'ADDED' || type === 'MODIFIED') told(object);
    }
  }
}
