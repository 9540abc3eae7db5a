import type { RequestRecord } from './record.ts';

/** Counts over the receiver's whole life, including removed records. */
export interface RecordCounts {
  readonly requests: number;
  readonly accepted: number;
  /** Accepted messages whose id had been accepted before. */
  readonly duplicates: number;
  /** Requests for which a rule chose a fault. */
  readonly faults: number;
}

/** A predicate over all records. A result other than false or undefined ends the wait. */
export type RecordPredicate<R, T> = (records: readonly R[]) => T | false | undefined;

interface Waiter {
  look(): void;
  fail(why: string): void;
}

interface IdState {
  attempts: number;
  accepted: boolean;
  /** The number of the newest record with this id. When that record is removed, the id is too. */
  last: number;
}

const DEFAULT_TIMEOUT_MS = 240_000;
/** How many of the newest records a failed wait lists. */
const LISTED = 20;

/** The newest requests, in order, and their listeners. `F`: what the receiver adds to a request. */
export class Records<F extends object> {
  readonly #keep: number;
  readonly #describe: (record: RequestRecord & F) => string;
  readonly #records: (RequestRecord & F)[] = [];
  readonly #ids = new Map<string, IdState>();
  readonly #listeners = new Set<(record: RequestRecord & F) => void>();
  readonly #amended = new Set<(record: RequestRecord & F) => void>();
  readonly #waiters = new Set<Waiter>();
  readonly #counts = {
    requests: 0,
    accepted: 0,
    duplicates: 0,
    faults: 0,
  };

  constructor(keep: number, describe: (record: RequestRecord & F) => string) {
    if (!Number.isInteger(keep) || keep < 1) throw new RangeError('keep must be a whole number from 1');
    this.#keep = keep;
    this.#describe = describe;
  }

  get all(): readonly (RequestRecord & F)[] {
    return this.#records;
  }

  counts(): RecordCounts {
    return { ...this.#counts };
  }

  /** The attempt number of a new request with this id. */
  nextAttempt(id: string): number {
    return id === '' ? 1 : ++this.#id(id).attempts;
  }

  add(draft: Omit<RequestRecord, 'number'> & F): RequestRecord & F {
    const record = { ...draft, number: ++this.#counts.requests };
    if (record.id !== '') this.#id(record.id).last = record.number;
    if (record.answered.fault !== undefined) this.#counts.faults++;
    if (record.answered.accepted) this.#accepted(record.id);
    this.#records.push(record);
    this.#dropOldest();
    for (const listener of this.#listeners) this.#tell(listener, record);
    this.#wake();
    return record;
  }

  /** Changes a record, for a request that hung and was answered later. */
  amend(number: number, change: Partial<F> & Pick<RequestRecord, 'answered'>): void {
    const index = this.#records.findIndex((each) => each.number === number);
    const record = this.#records[index];
    if (record !== undefined) {
      if (change.answered.accepted && !record.answered.accepted) this.#accepted(record.id);
      const amended = { ...record, ...change };
      this.#records[index] = amended;
      for (const listener of this.#amended) this.#tell(listener, amended);
    }
    this.#wake();
  }

  onRecord(listener: (record: RequestRecord & F) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onAmended(listener: (record: RequestRecord & F) => void): () => void {
    this.#amended.add(listener);
    return () => this.#amended.delete(listener);
  }

  waitFor<T>(predicate: RecordPredicate<RequestRecord & F, T>, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        look: () => {
          try {
            const found = predicate(this.#records);
            if (found === undefined || found === false) return;
            end();
            resolve(found);
          } catch (error) {
            end();
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        },
        fail: (why) => {
          end();
          reject(new Error(`${why}; what arrived: ${this.#list()}`));
        },
      };
      // A limit for failing tests. So it is real time, with any clock of the receiver.
      const timer = setTimeout(() => {
        waiter.fail(`nothing arrived within ${timeoutMs} ms that was waited for`);
      }, timeoutMs);
      const end = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      this.#waiters.add(waiter);
      waiter.look();
    });
  }

  /** Ends every wait. */
  close(): void {
    for (const waiter of [...this.#waiters]) waiter.fail('the receiver was closed');
  }

  #id(id: string): IdState {
    let state = this.#ids.get(id);
    if (state === undefined) this.#ids.set(id, (state = { attempts: 0, accepted: false, last: 0 }));
    return state;
  }

  #accepted(id: string): void {
    this.#counts.accepted++;
    if (id === '') return;
    const state = this.#id(id);
    if (state.accepted) this.#counts.duplicates++;
    state.accepted = true;
  }

  #dropOldest(): void {
    if (this.#records.length <= this.#keep) return;
    const old = this.#records.shift();
    if (old !== undefined && this.#ids.get(old.id)?.last === old.number) this.#ids.delete(old.id);
  }

  #tell(listener: (record: RequestRecord & F) => void, record: RequestRecord & F): void {
    try {
      listener(record);
    } catch (error) {
      // The sender must still get its answer. The error of the listener becomes an uncaught exception.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter.look();
  }

  #list(): string {
    if (this.#records.length === 0) return 'nothing';
    const left = this.#counts.requests - Math.min(this.#records.length, LISTED);
    const lines = this.#records.slice(-LISTED).map((record) => `\n  ${this.#describe(record)}`);
    return `${left > 0 ? `(${left} older ones left out)` : ''}${lines.join('')}`;
  }
}
