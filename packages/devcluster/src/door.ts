import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

import type { Connections } from './connections.ts';

/** The address of a server. It can be closed, and opened again at the same port. */
export class Door {
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
    if (!this.#server.listening) {
      this.#server.listen(this.#port, this.#host);
      await once(this.#server, 'listening');
    }
    const address = this.#server.address() as AddressInfo;
    this.#port = address.port;
    return address;
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
