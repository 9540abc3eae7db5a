import { expect, it } from 'vitest';
import type { ContentReading } from '../cluster/content-reader.ts';
import { TEMPLATE_LIMITS } from '@hnotif/core/render';
import { Templates, type Template } from './templates.ts';

/** Config maps by `namespace/name`, and the templates of the sinks that name them. */
function world() {
  const texts = new Map<string, ContentReading<string>>();
  const templates = new Templates({
    read: (namespace, name) =>
      Promise.resolve(texts.get(`${namespace}/${name}`) ?? { kind: 'missing', message: 'it does not exist' }),
  });
  return {
    put: (id: string, text: string): void => {
      // A text of its own each time, as an answer of the API server has.
      texts.set(id, {
        kind: 'found',
        resourceVersion: '1',
        beside: {},
        keys: [],
        value: `${text.slice(0, 1)}${text.slice(1)}`,
      });
    },
    set: (id: string, reading: ContentReading<string>): void => {
      texts.set(id, reading);
    },
    read: async (namespace: string, name: string): Promise<Template> => {
      const read = await templates.read(namespace, { name, key: 'k' }, undefined);
      if (read.kind === 'unavailable') throw new Error(read.message);
      return read;
    },
    hold: (template: Template) => templates.hold(template),
    release: (template: Template) => {
      templates.release(template);
    },
  };
}

const sourceOf = (template: Template | undefined) =>
  template?.kind === 'found' ? template.source : undefined;

it('all sinks with the same template share it', async () => {
  const { put, read, hold } = world();
  put('a/texts', 'the same');
  const first = hold(await read('a', 'texts'));
  put('a/texts', 'the same');
  const second = await read('a', 'texts');
  expect(sourceOf(second)).toBe(sourceOf(first));
  put('a/texts', 'another');
  expect(sourceOf(await read('a', 'texts'))).toMatchObject({
    text: 'another',
    namespace: 'a',
    name: 'texts/k',
  });
});

it('sinks that read it at the same time share the first one that is held', async () => {
  const { put, read, hold } = world();
  put('a/texts', 'the same');
  const first = await read('a', 'texts');
  put('a/texts', 'the same');
  const second = await read('a', 'texts');
  hold(first);
  expect(sourceOf(hold(second))).toBe(sourceOf(first));
});

it('a namespace has its share of the room, and gets it back when its sinks use less', async () => {
  const { put, read, hold, release } = world();
  const text = 'x'.repeat(TEMPLATE_LIMITS.source.value);
  const most = TEMPLATE_LIMITS.held.value / 2 / (text.length + 512);
  const all: Template[] = [];
  for (let map = 0; map <= most + 1; map++) {
    put(`a/m${map}`, text);
    const template = await read('a', `m${map}`);
    if (sourceOf(template)?.tooLarge !== undefined) break;
    // Two sinks each.
    hold(template);
    all.push(hold(template) ?? template);
  }
  expect(all).toHaveLength(Math.floor(most));
  expect(sourceOf(await read('a', `m${all.length}`))).toMatchObject({
    text: '',
    tooLarge: expect.stringMatching(
      /^: the templates of its namespace have [78],\d\d\d,\d\d\d characters, and there is no room for more: shorten them, or let sinks share them$/,
    ) as string,
  });
  put('b/texts', text);
  expect(sourceOf(await read('b', 'texts'))?.text).toBe(text);
  // What is held already costs nothing more.
  expect(sourceOf(await read('a', 'm0'))?.text).toBe(text);
  const [gone] = all;
  if (gone !== undefined) release(gone);
  expect(sourceOf(await read('a', `m${all.length}`))?.text).toBe('');
  if (gone !== undefined) release(gone);
  expect(sourceOf(await read('a', `m${all.length}`))?.text).toBe(text);
});

it('a template that is too long fails with its size and the remedy', async () => {
  const { set, read, hold, release } = world();
  set('a/texts', { kind: 'too-large', message: 'config map a/texts, key k has 70,000 characters' });
  const template = await read('a', 'texts');
  expect(template).toEqual({
    kind: 'found',
    source: {
      ...{ name: 'texts/k', namespace: 'a', text: '' },
      tooLarge: ': config map a/texts, key k has 70,000 characters',
    },
  });
  expect(hold(template)).toBe(template);
  release(template);
});
