import { CHATS, type Body } from '@hnotif/receivers';
import type { ChatLook } from '@hnotif/core/sinks';
import { photograph } from './photograph.ts';

export { NoPicture } from './photograph.ts';

/** A PNG of messages as readers of the chat see them. `bodies`: of the requests, in order. `now`: milliseconds since the epoch. */
export function pictureOf(
  chat: ChatLook,
  bodies: readonly Body[],
  title: string,
  now: number,
): Promise<Uint8Array> {
  const { page, width } = CHATS[chat];
  return photograph(page(bodies, { now, timezone: 'UTC', title }), width);
}
