import { describe, expect, it } from 'vitest';
import { Feed } from './feed.ts';

const change = (now: number) => ({ now });

describe('a feed', () => {
  it('gives a client that comes back each change that it missed, once and in order', () => {
    const feed = new Feed('e');
    for (let now = 1; now <= 5; now++) feed.push(change(now));
    expect(feed.since(feed.idOf(2))?.map(({ text }) => text)).toEqual([
      '{"now":3}',
      '{"now":4}',
      '{"now":5}',
    ]);
    expect(feed.since(feed.idOf(5))).toEqual([]);
  });

  it.each([
    ['of an earlier run', 'old-3'],
    ['from the future', 'e-99'],
    ['without a number', 'e-'],
    ['that is no number of ours', 'e-1e1'],
    ['that is not there', undefined],
  ])('lets a client with an id %s begin again', (_, id) => {
    const feed = new Feed('e');
    feed.push(change(1));
    expect(feed.since(id)).toBeUndefined();
  });

  it('knows nothing before the first change', () => {
    const feed = new Feed('e');
    expect(feed.last).toBe(0);
    expect(feed.since(feed.idOf(0))).toEqual([]);
  });

  it('forgets old changes, so that its memory is bounded, and then lets a client begin again', () => {
    const feed = new Feed('e');
    const gone = ['x'.repeat(1_500_000)];
    for (let now = 1; now <= 4; now++) feed.push({ now, gone });
    expect(feed.since(feed.idOf(1))).toBeUndefined();
    expect(feed.since(feed.idOf(2))?.map(({ number }) => number)).toEqual([3, 4]);
  });

  it('tells its followers each change until they leave', () => {
    const feed = new Feed('e');
    const heard: number[] = [];
    const leave = feed.follow(({ number }) => heard.push(number));
    feed.push(change(1));
    leave();
    feed.push(change(2));
    expect(heard).toEqual([1]);
  });
});
