import { createServer } from 'node:net';

const TRIES = 50;

/** A port that was taken, and the one that is used instead. */
export interface MovedPort {
  readonly name: string;
  readonly wanted: number;
  readonly got: number;
}

/** Finds free ports of one host; none is given out twice, though it may not be listened on yet. */
export class Ports {
  readonly #host: string;
  readonly #given = new Set<number>();
  readonly #moved: MovedPort[] = [];

  constructor(host: string) {
    this.#host = host;
  }

  /** Those of the given ports that were not the wanted ones. */
  get moved(): readonly MovedPort[] {
    return this.#moved;
  }

  /**
   * The first free port from `wanted` on, for `name`; 0 stays 0. Rejects when 50 in a row are taken. Ask right before
   * listening: another process may take it in between.
   */
  async take(name: string, wanted: number): Promise<number> {
    if (wanted === 0) return 0;
    for (let got = wanted; got < Math.min(wanted + TRIES, 65_536); got++) {
      if (this.#given.has(got) || !(await isFree(this.#host, got))) continue;
      this.#given.add(got);
      if (got !== wanted) this.#moved.push({ name, wanted, got });
      return got;
    }
    throw new Error(`no port from ${wanted} to ${Math.min(wanted + TRIES, 65_536) - 1} is free for ${name}`);
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    probe.listen({ host, port, exclusive: true }, () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}
