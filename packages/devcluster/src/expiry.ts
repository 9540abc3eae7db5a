import { EVENTS } from './builtins.ts';
import type { Cluster } from './cluster.ts';

/** A real server's `--event-ttl`. */
const TTL_MS = 3_600_000;
const EVERY_MS = 60_000;
/** The most events that are stored. The oldest are removed first. A real server has a database instead. */
const MAX_EVENTS = 10_000;

/**
 * Deletes events an hour after their last write, so they do not pile up.
 *
 * @returns a function that stops it
 */
export function expireEvents({ store, now }: Cluster): () => void {
  /** Keys in the order of their last write. */
  const written = new Map<string, number>();
  store.subscribe(({ resource, key, type }) => {
    if (resource !== EVENTS.id) return;
    written.delete(key);
    if (type !== 'DELETED') written.set(key, now());
  });
  const sweep = (): void => {
    for (const [key, at] of [...written]) {
      if (now() - at < TTL_MS && written.size <= MAX_EVENTS) break;
      store.remove(EVENTS.id, key);
    }
  };
  const timer = setInterval(sweep, EVERY_MS).unref();
  return () => {
    clearInterval(timer);
  };
}
