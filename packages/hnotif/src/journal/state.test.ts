import { describe, expect, it } from 'vitest';
import { emptyBaseline } from '../lifecycle/observed.ts';
import { fold, rootKey } from '../sinks/teamchat/thread/root.ts';
import { anEvent } from '../testing/events.ts';
import { Book } from './book.ts';

/** The root of a sink in a cycle, as it is kept. */
function keep(book: Book, sink: string, cycle: string): string {
  const event = anEvent('Start', 1, { cycle });
  const key = rootKey({ namespace: 'team-a', notification: 'n', sink }, event) ?? '';
  book.keepRoot(key, { wanted: fold(undefined, event), sent: '', place: undefined });
  return key;
}

describe('the roots that are kept of a plan', () => {
  it('do not pile up, however many sinks come and go', () => {
    const book = new Book(emptyBaseline('epoch'));
    const keys = Array.from({ length: 2_000 }, (_, n) => keep(book, `ops-${n}`, 'c1'));
    expect([...book.roots.keys()]).toEqual(keys.slice(-256));
  });

  it('are thinned out to the newest of each sink', () => {
    const book = new Book(emptyBaseline('epoch'));
    keep(book, 'ops', 'c1');
    keep(book, 'other', 'c1');
    const newest = [keep(book, 'other', 'c2'), keep(book, 'ops', 'c2')];
    expect(book.thinRoots()).toBe(true);
    expect([...book.roots.keys()]).toEqual(newest);
    expect(book.thinRoots()).toBe(false);
  });
});
