/** Attempts of a sink that wait for something before they come to a request. */
export class Pending<About> {
  #count = 0;
  #about: About | undefined;

  /** What they wait for, as the last one of them knew it; undefined: none waits. */
  get about(): About | undefined {
    return this.#count > 0 ? this.#about : undefined;
  }

  /** One more waits, until `settled` settles. */
  async until<T>(settled: Promise<T>, about: About): Promise<T> {
    this.#about = about;
    this.#count++;
    return settled.finally(() => {
      this.#count--;
    });
  }
}
