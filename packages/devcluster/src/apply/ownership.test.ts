import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Json, JsonObject } from '../json.ts';
import { compileVersion } from '../schema/crd.ts';
import { copyJson } from '../schema/json-values.ts';
import { fieldSetOf } from './compare.ts';
import { difference, intersection, pathsOf, union } from './field-set.ts';
import type { Entry, Writer } from './managers.ts';
import { readEntries, writeEntries } from './managers.ts';
import type { Applied } from './ownership.ts';
import { afterApply, afterUpdate } from './ownership.ts';

const seed = 20_261_126;

const text = { type: 'string' };
const item = {
  type: 'object',
  properties: { name: text, port: { type: 'integer', default: 80 }, note: text },
};
const { shape } = compileVersion({
  type: 'object',
  properties: {
    text,
    nested: { type: 'object', properties: { a: text, b: text } },
    map: { type: 'object', additionalProperties: text },
    objects: { type: 'object', additionalProperties: { type: 'object', properties: { a: text, b: text } } },
    atomic: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    list: { type: 'array', items: text },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    items: {
      type: 'array',
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
});

const by = (manager: string, operation: Writer['operation'] = 'Apply'): Writer => ({
  ...{ manager, operation, apiVersion: 'v1', subresource: '', time: '2026-01-01T00:00:00Z' },
});

/** An object to which managers apply, one after the other. */
class Subject {
  object: Json = {};
  entries: Entry[] = [];

  apply(manager: string, configuration: Json): Applied['conflicts'] {
    const { object, entries, conflicts } = afterApply(
      this.entries,
      this.object,
      configuration,
      by(manager),
      shape,
    );
    [this.object, this.entries] = [object, entries];
    return conflicts;
  }

  update(manager: string, object: Json): void {
    this.entries = afterUpdate(this.entries, this.object, object, by(manager, 'Update'), shape);
    this.object = object;
  }

  owned(manager: string): string[] {
    return this.entries
      .filter((entry) => entry.manager === manager)
      .flatMap(({ fields }) => pathsOf(fields))
      .sort();
  }
}

const word = fc.constantFrom('p', 'q', 'r');
// Empty objects and lists are tested apart: nobody owns an object when its last field is gone.
const words = fc.dictionary(word, word, { minKeys: 1 });
const pair = fc.record({ a: word, b: word }, { requiredKeys: ['a'] });
const entry = fc.record(
  { name: word, port: fc.constantFrom(80, 81), note: word },
  { requiredKeys: ['name'] },
);
const keyOf = ({ name, port = 80 }: { name: string; port?: number }): string => `${name} ${port}`;
const configuration = fc.record(
  {
    text: word,
    nested: pair,
    map: words,
    objects: fc.dictionary(word, pair, { minKeys: 1 }),
    atomic: words,
    list: fc.array(word, { maxLength: 3 }),
    set: fc.uniqueArray(word, { minLength: 1 }),
    items: fc.uniqueArray(entry, { minLength: 1, maxLength: 4, selector: keyOf }),
    free: fc.record({ deep: pair, list: fc.array(word) }, { requiredKeys: ['deep'] }),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<JsonObject>;
const set = configuration.map((each) => fieldSetOf(each, shape));

/** Fields that two managers share only where they agree: of each field one manager has it, or both have the same. */
const disjoint = fc
  .tuple(configuration, fc.dictionary(fc.constantFrom(...shape.properties.keys()), fc.boolean()))
  .map(([all, first]): [JsonObject, JsonObject] => {
    const half = (own: boolean): JsonObject =>
      Object.fromEntries(Object.entries(all).filter(([name]) => (first[name] ?? false) === own));
    return [half(true), half(false)];
  });

/** Objects differ in the order of what is merged. */
function unordered(value: Json): Json {
  const copy = copyJson(value) as { set?: string[]; items?: { name: string; port?: number }[] };
  copy.set?.sort();
  copy.items?.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return copy;
}

const check = <T extends unknown[]>(
  ...property: [...{ [K in keyof T]: fc.Arbitrary<T[K]> }, (...args: T) => void]
) => {
  fc.assert(fc.property(...(property as unknown as Parameters<typeof fc.property>)), { seed });
};

describe('sets of fields', () => {
  it('are sets', () => {
    check(set, set, set, (a, b, c) => {
      expect(pathsOf(union(a, b))).toEqual(pathsOf(union(b, a)));
      expect(pathsOf(intersection(a, union(b, c)))).toEqual(
        pathsOf(union(intersection(a, b), intersection(a, c))),
      );
      expect(pathsOf(union(difference(a, b), intersection(a, b)))).toEqual(pathsOf(a));
      expect(pathsOf(intersection(difference(a, b), b))).toEqual([]);
    });
  });

  it('name a field, an item by its keys with their defaults, and an item of a set', () => {
    const object = { nested: { a: 'x' }, items: [{ name: 'n', note: 'y' }], set: ['s'], list: ['t'] };
    expect(pathsOf(fieldSetOf(object, shape))).toEqual([
      '.items[name="n",port=80]',
      '.items[name="n",port=80].name',
      '.items[name="n",port=80].note',
      ...['.list', '.nested.a', '.set[="s"]'],
    ]);
  });
});

describe('an apply', () => {
  it('makes the applier own exactly what it applies, and gives it to the object', () => {
    check(configuration, configuration, configuration, (live, first, second) => {
      const subject = new Subject();
      subject.update('u', live);
      subject.apply('m', first);
      subject.apply('m', second);
      expect(subject.owned('m')).toEqual(pathsOf(fieldSetOf(second, shape)).sort());
      const again = new Subject();
      again.object = subject.object;
      again.apply('m', second);
      expect(again.object).toEqual(subject.object);
    });
  });

  it('changes nothing the second time', () => {
    check(configuration, configuration, (live, applied) => {
      const subject = new Subject();
      subject.update('u', live);
      subject.apply('m', applied);
      const { object, entries } = subject;
      expect(subject.apply('m', applied)).toEqual([]);
      expect([subject.object, writeEntries(subject.entries)]).toEqual([object, writeEntries(entries)]);
    });
  });

  it('of managers without common fields has no conflicts, and its order does not matter', () => {
    check(disjoint, ([a, b]) => {
      const [one, other] = [new Subject(), new Subject()];
      expect([one.apply('a', a), one.apply('b', b), other.apply('b', b), other.apply('a', a)].flat()).toEqual(
        [],
      );
      expect(unordered(one.object)).toEqual(unordered(other.object));
      expect(writeEntries(one.entries)).toEqual(writeEntries(other.entries));
    });
  });

  it('of the same configuration by two managers has no conflicts, and remains until both withdraw it', () => {
    check(configuration, (applied) => {
      const subject = new Subject();
      subject.apply('a', applied);
      const { object } = subject;
      expect(subject.apply('b', applied)).toEqual([]);
      subject.apply('a', {});
      expect(subject.object).toEqual(object);
      subject.apply('b', {});
      expect(pathsOf(fieldSetOf(subject.object, shape))).toEqual([]);
    });
  });

  it('of nothing removes what the applier had, and leaves what others have', () => {
    check(configuration, configuration, (others, own) => {
      const subject = new Subject();
      subject.apply('a', others);
      subject.apply('m', own);
      const all = pathsOf(fieldSetOf(others, shape));
      const isLeaf = (path: string): boolean => !all.some((each) => each.startsWith(`${path}.`));
      const kept = subject.owned('a').filter(isLeaf);
      subject.apply('m', {});
      expect(subject.owned('m')).toEqual([]);
      expect(subject.owned('a').filter(isLeaf)).toEqual(kept);
      const present = pathsOf(fieldSetOf(subject.object, shape));
      expect(kept.filter((path) => !present.includes(path))).toEqual([]);
    });
  });

  it('keeps the order of the applied items, and the place of the others', () => {
    const subject = new Subject();
    subject.update('u', { set: ['p', 'q', 'r'] });
    subject.apply('m', { set: ['r', 's', 'p'] });
    expect(subject.object).toEqual({ set: ['q', 'r', 's', 'p'] });
  });

  it('conflicts with who changed a field since', () => {
    const subject = new Subject();
    subject.apply('m', { map: { p: '1', q: '1' }, list: ['a'] });
    subject.update('u', { map: { p: '2', q: '1' }, list: ['a'] });
    expect(subject.owned('m')).toEqual(['.list', '.map.q']);
    const [conflict] = subject.apply('m', { map: { p: '1', q: '1' }, list: ['a'] });
    expect([conflict?.manager.manager, pathsOf(conflict?.fields)]).toEqual(['u', ['.map.p']]);
    expect(subject.owned('u')).toEqual([]);
  });

  it('owns an empty object, and an object goes with its last field', () => {
    const subject = new Subject();
    subject.apply('m', { free: {}, map: {}, set: [] });
    expect([subject.object, subject.owned('m')]).toEqual([{ free: {}, map: {}, set: [] }, ['.free', '.map']]);
    subject.apply('other', { free: { a: { b: 1 } } });
    subject.apply('other', {});
    expect(subject.object).toEqual({ map: {}, set: [] });
  });

  it('is refused an item without a key', () => {
    expect(() => new Subject().apply('m', { items: [null] })).toThrow('may not have non-map elements');
    expect(() => new Subject().apply('m', { set: [{}] })).toThrow('not a scalar');
  });
});

describe('an update', () => {
  it('makes the updater own what it changes, and nobody what is gone', () => {
    check(configuration, configuration, (before, after) => {
      const subject = new Subject();
      subject.apply('m', before);
      subject.update('u', after);
      const all = pathsOf(fieldSetOf(after, shape));
      const owned = [...subject.owned('m'), ...subject.owned('u')];
      expect(all.filter((path) => !owned.includes(path))).toEqual([]);
      expect(subject.owned('m').filter((path) => subject.owned('u').includes(path))).toEqual([]);
      subject.update('u', {});
      expect(subject.entries.flatMap(({ fields }) => pathsOf(fields))).toEqual([]);
    });
  });
});

describe('managedFields', () => {
  it('are read as they are written', () => {
    check(configuration, configuration, (a, b) => {
      const subject = new Subject();
      subject.apply('a', a);
      subject.update('b', b);
      const written = writeEntries(subject.entries);
      expect(writeEntries(readEntries(JSON.parse(JSON.stringify(written)) as Json) ?? [])).toEqual(written);
    });
  });

  it.each([
    ...[null, {}, [null], [{}]],
    [{ manager: 'm', operation: 'Other', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
    [{ manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV2', fieldsV1: {} }],
    [{ manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { x: {} } }],
    [{ manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'k:x': {} } }],
  ] as Json[])('are not read from %j', (json) => {
    expect(readEntries(json)).toBeUndefined();
  });
});
