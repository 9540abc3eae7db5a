import type { WebhookRecord } from '@hnotif/receivers';
import type { Tenant } from './tenant.ts';

/** What of its namespace a team may list with kubectl. */
const SEEN = ['hibernatenotifications', 'hibernatenotificationjournals', 'events'];

/** Bytes of texts that are another's, wherever they stand; each occurrence counts. */
export const bytesOf = (canaries: readonly string[], text: string): number =>
  canaries.reduce((sum, canary) => sum + (text.split(canary).length - 1) * Buffer.byteLength(canary), 0);

/** …in all that a team has got at its receiver, and sees in its own namespace. */
export async function leakedTo(
  tenant: Tenant,
  records: readonly WebhookRecord[],
  canaries: readonly string[],
): Promise<number> {
  const objects = await Promise.all(SEEN.map((plural) => tenant.list(plural)));
  const received = records.map(({ rawBody, headers }) => `${rawBody.toString()}${JSON.stringify(headers)}`);
  return [...received, JSON.stringify(objects)].reduce((sum, text) => sum + bytesOf(canaries, text), 0);
}
