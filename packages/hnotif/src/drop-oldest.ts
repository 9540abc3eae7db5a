interface Cache<Key> {
  readonly size: number;
  keys(): Iterable<Key>;
  delete(key: Key): unknown;
}

/** Removes the oldest items of a cache until it has at most `most`. */
export function dropOldest<Key>(cache: Cache<Key>, most: number): void {
  for (const oldest of cache.keys()) {
    if (cache.size <= most) return;
    cache.delete(oldest);
  }
}
