import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LazyMap, LazySet } from './lazy-collections.ts';

const steps = fc.array(
  fc.record({ do: fc.constantFrom('add', 'delete', 'clear'), key: fc.nat(3), value: fc.nat() }),
);

it('lazy collections hold what a Map and a Set hold', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const [map, set] = [new Map<number, number>(), new Set<number>()];
      const [lazyMap, lazySet] = [new LazyMap<number, number>(), new LazySet<number>()];
      for (const { do: step, key, value } of all) {
        for (const each of [map, lazyMap])
          if (step === 'add') each.set(key, value);
          else if (step === 'delete') each.delete(key);
          else each.clear();
        for (const each of [set, lazySet])
          if (step === 'add') each.add(key);
          else if (step === 'delete') each.delete(key);
          else each.clear();
        expect([...lazyMap]).toEqual([...map]);
        expect([...lazyMap.keys()]).toEqual([...map.keys()]);
        expect([...lazyMap.values()]).toEqual([...map.values()]);
        expect([...lazySet]).toEqual([...set]);
        expect([...lazySet.keys()]).toEqual([...set]);
        expect([lazyMap.size, lazySet.size]).toEqual([map.size, set.size]);
        expect([lazyMap.get(key), lazyMap.has(key), lazySet.has(key)]).toEqual([
          ...[map.get(key), map.has(key), set.has(key)],
        ]);
      }
    }),
  );
});
