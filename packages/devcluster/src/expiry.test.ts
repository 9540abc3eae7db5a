import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { EVENTS } from './builtins.ts';
import { crdResource } from './crds.ts';
import { expireEvents } from './expiry.ts';
import type { KubeObject } from './object.ts';
import { Registry } from './registry.ts';
import { Store } from './store.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const event = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: 'default', uid: name, resourceVersion: '', creationTimestamp: '' },
});

it('deletes an event an hour after its last write, and no other object', () => {
  const store = new Store();
  const now = (): number => Date.now();
  const stop = expireEvents({ store, now, registry: new Registry(crdResource(() => [], now)) });
  store.put(EVENTS.id, event('old'));
  store.put(EVENTS.id, event('kept'));
  store.put('configmaps', event('map'));
  vi.advanceTimersByTime(40 * 60_000);
  store.put(EVENTS.id, event('kept'));
  vi.advanceTimersByTime(21 * 60_000);
  expect(store.keys(EVENTS.id)).toEqual(['default/kept']);
  vi.advanceTimersByTime(40 * 60_000);
  expect(store.keys(EVENTS.id)).toEqual([]);
  expect(store.objects).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('deletes the oldest events where there are too many', () => {
  const store = new Store();
  const now = (): number => Date.now();
  const stop = expireEvents({ store, now, registry: new Registry(crdResource(() => [], now)) });
  for (let i = 0; i < 10_003; i++) store.put(EVENTS.id, event(`e${i}`));
  vi.advanceTimersByTime(60_000);
  expect(store.objects).toBe(10_000);
  expect(store.get(EVENTS.id, 'default/e2')).toBeUndefined();
  expect(store.get(EVENTS.id, 'default/e3')).toBeDefined();
  stop();
});
