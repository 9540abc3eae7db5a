import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { type Keyboard, onEnter } from './keys.ts';

const keyboard = (isTTY: boolean) =>
  Object.assign(new PassThrough(), { isTTY, unref: () => undefined }) as unknown as Keyboard & PassThrough;
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('Enter shows it, each time, until that is called off', async () => {
  let shown = 0;
  const stdin = keyboard(true);
  const stop = onEnter(
    stdin,
    () => shown++,
    () => true,
  );
  for (const line of ['\n', '?\n']) {
    stdin.write(line);
    await settled();
  }
  expect(shown).toBe(2);
  stop?.();
  stdin.write('\n');
  await settled();
  expect(shown).toBe(2);
});

it.each([
  ['that is no terminal', false, true],
  ['in the background', true, false],
])('an input %s is not read', (_, isTTY, isForeground) => {
  const stdin = keyboard(isTTY);
  expect(
    onEnter(
      stdin,
      () => undefined,
      () => isForeground,
    ),
  ).toBeUndefined();
  expect(stdin.listenerCount('data')).toBe(0);
});
