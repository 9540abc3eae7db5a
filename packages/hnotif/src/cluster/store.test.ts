import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Metadata, keyOf, pathOf } from '@hnotif/core/resources';
import { type Change, ObjectStore } from './store.ts';

/** A cluster of three names, in which each step creates, changes or deletes one. */
const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('write', 'delete', 'list')), {
  maxLength: 40,
});

test('what is told of any history, seen event by event or with gaps and lists, adds up to what there is', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (history, blind) => {
      const told = new Map<string, Metadata>();
      const store = new ObjectStore<Metadata>();
      const tell = (changes: Iterable<Change<Metadata>>): void => {
        for (const change of changes) {
          const { kind, object } = change;
          const known = told.get(keyOf(object));
          if (kind === 'deleted') {
            expect(known).toBe(object);
            told.delete(keyOf(object));
            continue;
          }
          expect(change.previous).toBe(known);
          if (change.previous !== undefined) expect(change.previous.uid).toBe(object.uid);
          told.set(keyOf(object), object);
        }
      };
      const cluster = new Map<string, Metadata>();
      let version = 0;
      for (const [name, step] of history) {
        version++;
        const before = cluster.get(name);
        const resourceVersion = String(version);
        if (step === 'list') tell(store.replace([...cluster.values()], []));
        else if (step === 'write') {
          const object = { namespace: 'ns', name, uid: before?.uid ?? `uid${version}`, resourceVersion };
          cluster.set(name, object);
          if (!blind) tell(store.put(object));
        } else if (before !== undefined) {
          cluster.delete(name);
          if (!blind) tell(store.remove({ ...before, resourceVersion }));
        }
        if (!blind) expect(told).toEqual(new Map([...cluster.values()].map((each) => [keyOf(each), each])));
      }
      tell(store.replace([...cluster.values()], []));
      expect([...told.values()].sort(byName)).toEqual([...cluster.values()].sort(byName));
      expect([...store.objects()].sort(byName)).toEqual([...cluster.values()].sort(byName));
    }),
    { seed: 5 },
  );
});

const byName = (a: Metadata, b: Metadata): number => (a.name < b.name ? -1 : 1);

test('the deletion of a predecessor does not delete the object that bears its name now', () => {
  const store = new ObjectStore<Metadata>();
  const object = { namespace: 'ns', name: 'a', uid: 'new', resourceVersion: '5' };
  expect([...store.put(object)]).toEqual([{ kind: 'changed', object, previous: undefined }]);
  expect([...store.remove({ ...object, uid: 'old', resourceVersion: '4' })]).toEqual([]);
  expect(store.get('ns', 'a')).toBe(object);
});

test('a path has the core group at /api, others at /apis, and names that cannot leave it', () => {
  const plans = { group: 'hibernation.dev', version: 'v1alpha1', plural: 'hibernateplans' };
  expect(pathOf({ group: '', version: 'v1', plural: 'secrets' }, 'ns', 'x')).toBe(
    '/api/v1/namespaces/ns/secrets/x',
  );
  expect(pathOf(plans, undefined)).toBe('/apis/hibernation.dev/v1alpha1/hibernateplans');
  expect(pathOf(plans, 'a/b', '../c', 'status')).toBe(
    '/apis/hibernation.dev/v1alpha1/namespaces/a%2Fb/hibernateplans/..%2Fc/status',
  );
});
