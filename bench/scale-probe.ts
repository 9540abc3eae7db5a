/**
 * Loaded into a service that is measured (`node --import`): answers its parent with what its memory is, after a full
 * collection when asked for one. See `scale/process.ts`.
 */

/** Bytes, as Node tells them. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly external: number;
}

process.on('message', ({ collect }: { readonly collect: boolean }) => {
  if (collect) void globalThis.gc?.();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  process.send?.({ rss, heapUsed, heapTotal, external } satisfies Memory);
});
// A parent that has failed leaves nothing behind; the channel to one that lives does not keep us alive.
process.on('disconnect', () => process.exit());
process.channel?.unref();
