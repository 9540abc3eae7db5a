import { hash } from 'node:crypto';
import * as z from 'zod';
import { ROOT_STATUSES, type RootStatus } from '../../roots/root-status.ts';

/**
 * Slack's message metadata, by which a message is found again. Any app and member of the workspace may read them, so they contain only
 * hashes and a status. https://docs.slack.dev/messaging/message-metadata/
 */
export interface Metadata {
  readonly event_type: 'hnotif_root' | 'hnotif_event';
  readonly event_payload: Readonly<Record<string, string>>;
}

/** The metadata of a message of hnotif. */
export interface Marker {
  /** `root:` and the hash of its key, or `event:` and the delivery's id. */
  readonly id: string;
  /** The status of a root. */
  readonly status: RootStatus | undefined;
}

export const rootId = (key: string): string => hash('sha256', key, 'base64url');

export const markRoot = (id: string, status: RootStatus): Metadata => ({
  event_type: 'hnotif_root',
  event_payload: { root: id, status },
});

export const markEvent = (deliveryId: string): Metadata => ({
  event_type: 'hnotif_event',
  event_payload: { delivery: deliveryId },
});

export const rootMarker = (id: string): string => `root:${id}`;
export const eventMarker = (deliveryId: string): string => `event:${deliveryId}`;

const shape = z.union([
  z.object({
    event_type: z.literal('hnotif_root'),
    event_payload: z.object({ root: z.string(), status: z.enum(ROOT_STATUSES).optional().catch(undefined) }),
  }),
  z.object({ event_type: z.literal('hnotif_event'), event_payload: z.object({ delivery: z.string() }) }),
]);

/** Reads the metadata of any message; undefined: it is not hnotif's. */
export function markerOf(metadata: unknown): Marker | undefined {
  const { data } = shape.safeParse(metadata);
  if (data === undefined) return undefined;
  return data.event_type === 'hnotif_root'
    ? { id: rootMarker(data.event_payload.root), status: data.event_payload.status }
    : { id: eventMarker(data.event_payload.delivery), status: undefined };
}
