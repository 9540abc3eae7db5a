import type { WebhookRecord } from '@hnotif/receivers';
import type { Tenant } from './tenant.ts';

/** The resources of its namespace that a team may list. */
const SEEN = ['hibernatenotifications', 'hibernatenotificationjournals', 'events'];

/** The bytes of texts of another tenant. Each occurrence counts. */
export const bytesOf = (canaries: readonly string[], text: string): number =>
  canaries.reduce((sum, canary) => sum + (text.split(canary).length - 1) * Buffer.byteLength(canary), 0);

/** …in the requests to the receiver of a team, and in the objects of its own namespace. */
export async function leakedTo(
  tenant: Tenant,
  records: readonly WebhookRecord[],
  canaries: readonly string[],
): Promise<number> {
  const objects = await Promise.all(SEEN.map((plural) => tenant.list(plural)));
  const received = records.map(({ rawBody, headers }) => `${rawBody.toString()}${JSON.stringify(headers)}`);
  return [...received, JSON.stringify(objects)].reduce((sum, text) => sum + bytesOf(canaries, text), 0);
}
