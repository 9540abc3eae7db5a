import { oneAtATime } from '../common/one-at-a-time.ts';
import { formatAddress, parseAddress } from '../address.ts';
import { decodeWork, encodeWork } from './address-code.ts';
import { eventOfLink, type Work } from './work.ts';

/** The fragment of the page's address. */
export interface Fragment {
  get(): string;
  /** Not a step of its own in the history: Back leaves the editor. */
  replace(fragment: string): void;
}

export interface ReadWork {
  readonly work: Work;
  /** Whether the address held something that is no work. */
  readonly isUnreadable: boolean;
}

/**
 * Keeps the work in the address of the page. Reading and writing take time, and the user goes on meanwhile: an address that was opened
 * counts more than what is written then, and nothing is written into the address of another view.
 */
export class KeptWork {
  readonly #fragment: Fragment;
  readonly #code: { readonly encode: typeof encodeWork; readonly decode: typeof decodeWork };
  #work: Work | undefined;
  /** The address that the work is from, or in. */
  #place: string | undefined;

  constructor(fragment: Fragment, code = { encode: encodeWork, decode: decodeWork }) {
    this.#fragment = fragment;
    this.#code = code;
  }

  /** The work, if it is that of the address. */
  get current(): Work | undefined {
    return this.#place === this.#now ? this.#work : undefined;
  }

  /** Where the page is now. The zone of the times does not count. */
  get #now(): string {
    const { query: { zone: _, ...query } = {}, ...address } = parseAddress(this.#fragment.get());
    return formatAddress({ ...address, query });
  }

  /** Undefined: there is no work yet. */
  change(change: Partial<Work>): Work | undefined {
    this.#work &&= { ...this.#work, ...change };
    return this.#work;
  }

  /** The work of an address that was opened. One without work goes on with what there was, or with `first`. Undefined: nothing is to be done any more. */
  async read(first: Work): Promise<ReadWork | undefined> {
    const now = this.#now;
    if (now === this.#place) return undefined;
    const { view, rest, query = {} } = parseAddress(now);
    const code = view === 'template' ? rest[0] : undefined;
    const found = code === undefined ? undefined : await this.#code.decode(code);
    if (now !== this.#now || now === this.#place) return undefined;
    const asked = code === undefined ? eventOfLink(query) : undefined;
    this.#place = now;
    this.#work = found ?? { ...(this.#work ?? first), ...(asked && { event: asked }) };
    return { work: this.#work, isUnreadable: code !== undefined && found === undefined };
  }

  /** Writes the work into the address, unless that is of something else. Resolves when the newest work is there. */
  readonly write = oneAtATime(async () => {
    const place = this.#now;
    if (this.#work === undefined || place !== this.#place) return;
    const code = await this.#code.encode(this.#work);
    if (place !== this.#place || place !== this.#now) return;
    const { query: { zone } = {} } = parseAddress(this.#fragment.get());
    const query = zone !== undefined && { query: { zone } };
    this.#fragment.replace(formatAddress({ view: 'template', rest: [code], ...query }));
    this.#place = this.#now;
  });
}
