import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeptWork } from './kept-work.ts';
import { EXAMPLE_EVENT, type Work } from './work.ts';

const FIRST: Work = { template: 'first', sink: 'webhook', event: EXAMPLE_EVENT };

/** A page whose codes are the templates themselves. What is read and written waits until the test says so. */
function page(fragment = '#template') {
  const waiting: { readonly task: string; readonly go: () => void }[] = [];
  const wait = (task: string): Promise<void> => new Promise((go) => waiting.push({ task, go }));
  const bar = { fragment };
  const kept = new KeptWork(
    {
      get: () => bar.fragment,
      replace(next) {
        bar.fragment = next;
      },
    },
    {
      async encode({ template }) {
        await wait(`write ${template}`);
        return template;
      },
      async decode(code) {
        await wait(`read ${code}`);
        return code === 'cut' ? undefined : { ...FIRST, template: code };
      },
    },
  );
  const end = async (task: string): Promise<void> => {
    const at = waiting.findIndex((each) => each.task === task);
    expect(at, `${task} waits`).not.toBe(-1);
    waiting.splice(at, 1)[0]?.go();
    await setImmediate();
  };
  return { bar, kept, end, isIdle: () => waiting.length === 0, template: () => kept.current?.template };
}

/** …on which somebody has begun. */
async function begun() {
  const made = page();
  await made.kept.read(FIRST);
  void made.kept.write();
  await made.end('write first');
  expect(made.bar.fragment).toBe('#template/first');
  return made;
}

it('writes the newest work, and only that', async () => {
  const { bar, kept, end, isIdle } = await begun();
  kept.change({ template: 'a' });
  void kept.write();
  kept.change({ template: 'b' });
  void kept.write();
  kept.change({ template: 'c' });
  const written = kept.write();
  await end('write a');
  await end('write c');
  await written;
  expect(bar.fragment).toBe('#template/c');
  expect(isIdle()).toBe(true);
});

it.each(['#template/other', '#template?plan=shop/checkout', '#tonight', '#why/shop/checkout', ''])(
  'leaves the address %j that was opened while older work was written',
  async (opened) => {
    const { bar, kept, end, isIdle } = await begun();
    kept.change({ template: 'older' });
    void kept.write();
    bar.fragment = opened;
    await end('write older');
    expect(bar.fragment).toBe(opened);
    void kept.write();
    expect(isIdle()).toBe(true);
  },
);

it('takes the work of an address that was opened while older work was written', async () => {
  const { bar, kept, end, template } = await begun();
  kept.change({ template: 'older' });
  void kept.write();
  bar.fragment = '#template/other';
  const read = kept.read(FIRST);
  await end('write older');
  await end('read other');
  expect(await read).toMatchObject({ work: { template: 'other' }, isUnreadable: false });
  expect([bar.fragment, template()]).toEqual(['#template/other', 'other']);
});

it('does not write older work after other work was read meanwhile, also when Back was pressed then', async () => {
  const { bar, kept, end } = await begun();
  kept.change({ template: 'older' });
  void kept.write();
  bar.fragment = '#template/other';
  void kept.read(FIRST);
  await end('read other');
  bar.fragment = '#template/first';
  await end('write older');
  expect(bar.fragment).toBe('#template/first');
});

it('takes the last of two addresses, also if the other one is read later', async () => {
  const { bar, kept, end, template } = await begun();
  bar.fragment = '#template/one';
  const one = kept.read(FIRST);
  bar.fragment = '#template/two';
  void kept.read(FIRST);
  await end('read two');
  await end('read one');
  expect(await one).toBeUndefined();
  expect(template()).toBe('two');
});

it('reads an address once, though its zone changes and the work is changed', async () => {
  const { bar, kept, end, template } = await begun();
  bar.fragment = '#template/other';
  void kept.read(FIRST);
  bar.fragment = '#template/other?zone=UTC';
  const again = kept.read(FIRST);
  await end('read other');
  kept.change({ template: 'mine' });
  await end('read other');
  expect(await again).toBeUndefined();
  expect(template()).toBe('mine');
  void kept.write();
  await end('write mine');
  expect(bar.fragment).toBe('#template/mine?zone=UTC');
});

it('goes on with the last work: without one in the address, after Back, and beside the event of a link', async () => {
  const { bar, kept, template } = await begun();
  kept.change({ template: 'not written yet' });
  bar.fragment = '#tonight';
  expect(template()).toBeUndefined();
  bar.fragment = '#template/first';
  expect(template()).toBe('not written yet');
  bar.fragment = '#template';
  expect(await kept.read(FIRST)).toMatchObject({ work: { template: 'not written yet' } });
  bar.fragment = '#template?plan=shop/checkout&kind=Start';
  const { work } = (await kept.read(FIRST)) ?? {};
  const event = { from: 'plan', kind: 'Start', namespace: 'shop', name: 'checkout' };
  expect(work).toMatchObject({ template: 'not written yet', event });
});

it('says that an address holds no work', async () => {
  const { kept, end } = page('#template/cut');
  const read = kept.read(FIRST);
  await end('read cut');
  expect(await read).toEqual({ work: FIRST, isUnreadable: true });
});
