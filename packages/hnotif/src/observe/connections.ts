import type { Socket } from 'node:net';

/** Connections of one server. */
const MAX_CONNECTIONS = 64;

/**
 * The open connections of a server, `max` at most. A further one closes the oldest connection of the address that has the most, so that
 * one client cannot lock out the others.
 */
export class Connections {
  readonly #max: number;
  /** Oldest first. */
  readonly #byAddress = new Map<string, Set<Socket>>();
  #count = 0;

  constructor(max = MAX_CONNECTIONS) {
    this.#max = max;
  }

  get count(): number {
    return this.#count;
  }

  add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const sockets = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, sockets.add(socket));
    this.#count++;
    socket.once('close', () => {
      this.#remove(address, socket);
    });
    if (this.#count > this.#max) this.#endOldest();
  }

  #endOldest(): void {
    let most: [string, Set<Socket>] | undefined;
    for (const each of this.#byAddress) if (most === undefined || each[1].size > most[1].size) most = each;
    if (most === undefined) return;
    const [address, [oldest]] = most;
    if (oldest === undefined) return;
    oldest.destroy();
    // Its `close` event comes later. Count it as closed now.
    this.#remove(address, oldest);
  }

  #remove(address: string, socket: Socket): void {
    const sockets = this.#byAddress.get(address);
    if (sockets?.delete(socket) !== true) return;
    this.#count--;
    if (sockets.size === 0) this.#byAddress.delete(address);
  }
}
