import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import type { Connections } from './connections.ts';

/** The address of a server. It can be closed, and opened again at the same port. */
export class Listener {
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #host: string;
  #port: number;

  constructor(server: Server, connections: Connections, host: string, port: number) {
    this.#server = server;
    this.#connections = connections;
    this.#host = host;
    this.#port = port;
  }

  /** Does nothing while it is open. @throws the error of `listen`, such as one with the code EADDRINUSE */
  async open(): Promise<AddressInfo> {
    if (!this.#server.listening) await this.#listen();
    const address = this.#server.address() as AddressInfo;
    this.#port = address.port;
    return address;
  }

  /** As `open`. Another program can have the port for a moment: tries again for ten seconds. */
  async openAgain(): Promise<void> {
    for (let tries = 0; !this.#server.listening; tries++)
      try {
        await this.#listen();
      } catch (error) {
        if (tries === 100) throw error;
        await setTimeout(100);
      }
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, this.#host);
    await once(this.#server, 'listening');
  }

  /** Refuses new connections. Cuts the open ones, or first sends their written data. */
  async shut(how: 'cut' | 'end'): Promise<void> {
    const shut = this.#server.listening ? once(this.#server, 'close') : undefined;
    this.#server.close();
    if (how === 'cut') this.#connections.resetAll();
    else this.#connections.endAll();
    await shut;
  }
}
