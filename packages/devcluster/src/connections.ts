import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** The open connections of a server, below TLS, where a connection can be reset. */
export class Connections {
  readonly #open = new Map<string, Socket>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      const key = keyOf(socket);
      this.#open.set(key, socket);
      socket.once('close', () => {
        if (this.#open.get(key) === socket) this.#open.delete(key);
      });
    });
  }

  /** Cuts the connection of an answer: the client sees ECONNRESET. */
  reset({ socket }: ServerResponse): void {
    if (socket === null) return;
    (this.#open.get(keyOf(socket)) ?? socket).resetAndDestroy();
  }

  resetAll(): void {
    for (const socket of this.#open.values()) socket.resetAndDestroy();
  }

  /** Data that was already written still arrives. */
  endAll(): void {
    for (const socket of this.#open.values()) socket.destroy();
  }
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
