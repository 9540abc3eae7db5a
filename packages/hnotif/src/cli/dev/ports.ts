const TRIES = 50;

/** A port that was taken, and the port that is used instead. */
export interface MovedPort {
  readonly name: string;
  readonly wanted: number;
  readonly got: number;
}

/** Finds free ports by listening on them, so that two servers never get the same one. */
export class Ports {
  readonly #given = new Set<number>();
  readonly #moved: MovedPort[] = [];

  /** The ports that differ from the wanted ones. */
  get moved(): readonly MovedPort[] {
    return this.#moved;
  }

  /**
   * Starts a server on the first free port from `wanted` on; 0 is any free port. `isTaken`: whether an error of `start` means that the
   * port is taken (default: code EADDRINUSE). Rejects with other errors of `start`, and when 50 ports are taken.
   */
  async listen<T>(
    name: string,
    wanted: number,
    start: (port: number) => Promise<T>,
    isTaken: (error: unknown) => boolean = isInUse,
  ): Promise<T> {
    if (wanted === 0) return start(0);
    for (let port = wanted; port < Math.min(wanted + TRIES, 65_536); port++) {
      if (this.#given.has(port)) continue;
      this.#given.add(port);
      try {
        const started = await start(port);
        if (port !== wanted) this.#moved.push({ name, wanted, got: port });
        return started;
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
    }
    throw new Error(`no port from ${wanted} to ${Math.min(wanted + TRIES, 65_536) - 1} is free for ${name}`);
  }
}

const isInUse = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
