import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Change } from '@hnotif/core/page';
import type { Entry, Feed } from './feed.ts';

export interface BoardSource {
  readonly feed: Feed;
  /** The whole board in parts, for a client that begins. */
  readonly snapshot: () => Iterable<Change>;
}

/** The connection of a client that reads too slowly is closed; it connects again (bytes that wait). */
const MOST_UNREAD = 16_000_000;
/** The rest of a large board keeps server and page busy. So the page has this time to paint the first rows (milliseconds). */
const PAINT_MS = 600;
/** Between two beats. A page that hears none knows that it shows the past (milliseconds). */
const BEAT_MS = 5_000;

/** Sends the board as server-sent events: all of it, or what the client has missed, then each change. */
export async function streamBoard(
  request: IncomingMessage,
  response: ServerResponse,
  { feed, snapshot }: BoardSource,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const left = new AbortController();
  const beats = setInterval(() => response.write('event: beat\ndata: {}\n\n'), BEAT_MS);
  response.once('close', () => {
    clearInterval(beats);
    left.abort();
  });
  const send = ({ number, text }: Entry): void => {
    if (response.writableLength > MOST_UNREAD) response.destroy();
    else response.write(`id: ${feed.idOf(number)}\ndata: ${text}\n\n`);
  };
  const id = request.headers['last-event-id'];
  let missed = feed.since(typeof id === 'string' ? id : undefined);
  while (missed === undefined) {
    const begun = feed.idOf(feed.last);
    // Without an id: a client that is lost meanwhile begins again.
    let count = 0;
    for (const part of snapshot()) {
      if (++count === 2) await setTimeout(PAINT_MS, undefined, left);
      if (!response.write(`data: ${JSON.stringify(part)}\n\n`)) await once(response, 'drain', left);
    }
    response.write(`id: ${begun}\nevent: beat\ndata: {}\n\n`);
    missed = feed.since(begun);
  }
  missed.forEach(send);
  response.once('close', feed.follow(send));
}
