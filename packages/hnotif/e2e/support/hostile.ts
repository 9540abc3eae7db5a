import type { Socket } from 'node:net';
import { serveRaw } from '../../src/transport/testing/server.ts';

/** The reaction of a receiver to a request. It calls `stuck` when only the time limit can end the request. */
export type Attack = (socket: Socket, stuck: () => void) => void;

/** A receiver at the level of TCP. It ends with the test. */
export class Hostile {
  url = '';
  /** The number of requests. */
  requests = 0;
  /** Whether there is a stuck request that was not reported to `onStuck`. */
  #stuck = false;
  #onStuck: (() => void) | undefined;

  static async start(attack: Attack): Promise<Hostile> {
    const hostile = new Hostile();
    const address = await serveRaw((socket, bytes) => {
      // A message of these tests arrives in one or two pieces. Its head is in the first.
      if (!bytes.toString('latin1').startsWith('POST ')) return;
      hostile.requests++;
      attack(socket, () => {
        if (hostile.#onStuck === undefined) hostile.#stuck = true;
        else hostile.#onStuck();
      });
    });
    hostile.url = `${address.href}hook`;
    return hostile;
  }

  /** Calls `run` when a request is stuck, also if it is stuck already. */
  onStuck(run: () => void): void {
    this.#onStuck = run;
    if (this.#stuck) run();
  }
}

/** More than the buffers of a connection hold: the other end has read some of it. */
const MUCH = 16 * 1024 * 1024;

/** Writes again and again, as fast as the other end reads. */
function pour(socket: Socket, text: string, stuck: () => void): void {
  const bytes = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  let left = MUCH;
  const more = (): void => {
    while (!socket.destroyed && socket.write(bytes, flushed));
  };
  const flushed = (error?: Error | null): void => {
    if (error == null && left > 0 && (left -= bytes.length) <= 0) stuck();
  };
  socket.on('drain', more);
  more();
}

/** Sends this answer, and keeps the connection open. */
export const answer =
  (text: string): Attack =>
  (socket) =>
    void socket.write(text);

/** Sends this answer, and never ends it. */
export const endless =
  (begin: string, more: string): Attack =>
  (socket, stuck) => {
    socket.write(begin);
    pour(socket, more, stuck);
  };
