import type { Json } from '../../../../devcluster/src/json.ts';
import { mergePatch } from '../../../../devcluster/src/patch/merge.ts';
import type { Written } from '../../cluster/journal-store.ts';
import type { Journal, JournalEntry, JournalWrite } from '@hnotif/core/resources';

/** How the API server answers a write. `kept`: it refuses only deletions. */
export type Answer = 'ok' | 'kept' | 'lost' | 'unreached' | 'unread' | 'undone' | 'refused' | 'slow';

/** Journals of one namespace, as an API server stores them: merge patches, with compare-and-swap by version. */
export class FakeServer {
  answer: Answer = 'ok';
  /** Writes that may still arrive although their writer has given up. */
  readonly late: JournalWrite[] = [];
  /** Writes that arrived. */
  readonly writes: JournalWrite[] = [];
  readonly #journals = new Map<string, Journal>();
  #version = 0;

  journal(name: string): Journal | undefined {
    return this.#journals.get(name);
  }

  get names(): readonly string[] {
    return [...this.#journals.keys()];
  }

  delete(name: string): void {
    this.#journals.delete(name);
  }

  /** Adds a journal that existed before. */
  place(journal: Journal): void {
    this.#journals.set(journal.name, { ...journal, resourceVersion: String(++this.#version) });
  }

  /** A write of another program than hnotif. */
  edit(name: string, fields: Partial<Journal>): void {
    const before = this.#journals.get(name);
    if (before === undefined) throw new Error(`there is no journal ${name}`);
    this.#journals.set(name, { ...before, ...fields, resourceVersion: String(++this.#version) });
  }

  async write(write: JournalWrite, signal: AbortSignal): Promise<Written> {
    await Promise.resolve();
    if (signal.aborted) return { kind: 'failed', reason: 'Aborted', message: '' };
    switch (this.answer) {
      case 'refused':
        return { kind: 'refused', reason: 'Forbidden', message: 'no' };
      case 'undone':
        return { kind: 'failed', reason: 'Unreachable', message: 'no' };
      case 'slow':
        this.late.push(write);
        return { kind: 'failed', reason: 'Timeout', message: 'no' };
      case 'unread':
        this.put(write);
        return { kind: 'failed', reason: 'Unreachable', message: 'no' };
      case 'lost':
        this.put(write);
        return { kind: 'there', journal: this.#journals.get(write.name) };
      case 'unreached':
        this.answer = 'ok';
        return {
          kind: 'there',
          journal: this.#journals.get(write.name),
          fault: { reason: 'Unreachable', message: 'no' },
        };
      case 'kept':
      case 'ok': {
        const journal = this.put(write);
        return journal === undefined
          ? { kind: 'there', journal: this.#journals.get(write.name) }
          : { kind: 'written', resourceVersion: journal.resourceVersion };
      }
    }
  }

  async remove(object: Pick<Journal, 'name' | 'resourceVersion'>, signal: AbortSignal): Promise<Written> {
    await Promise.resolve();
    if (this.answer === 'kept') return { kind: 'refused', reason: 'Forbidden', message: 'no' };
    if (signal.aborted || this.answer !== 'ok')
      return { kind: 'failed', reason: 'Unreachable', message: 'no' };
    const journal = this.#journals.get(object.name);
    if (object.resourceVersion !== '' && journal?.resourceVersion !== object.resourceVersion)
      return { kind: 'there', journal };
    this.#journals.delete(object.name);
    return { kind: 'written', resourceVersion: '' };
  }

  /** Compare and swap. Returns the stored journal; undefined: the versions did not match. */
  put(write: JournalWrite): Journal | undefined {
    const before = this.#journals.get(write.name);
    if (write.resourceVersion !== (before?.resourceVersion ?? '')) return undefined;
    const plans = new Map(before?.plans);
    for (const [uid, patch] of Object.entries(write.plans))
      if (patch === null) plans.delete(uid);
      else
        plans.set(
          uid,
          mergePatch(
            (plans.get(uid) ?? { log: {}, sinks: {}, outcomes: {}, nights: {} }) as Json,
            patch,
          ) as unknown as JournalEntry,
        );
    const { summary: _, ...head } = write;
    const journal = { ...head, plans, resourceVersion: String(++this.#version) };
    this.#journals.set(write.name, journal);
    this.writes.push(write);
    return journal;
  }
}
