import { expect, it } from 'vitest';
import { whileVisible } from './while-visible.ts';

class Page extends EventTarget {
  hidden = false;
  /** Connections that are open. */
  open = 0;

  connect = (): (() => void) => {
    this.open++;
    return () => {
      this.open--;
    };
  };

  turn(hidden: boolean): number {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
    return this.open;
  }
}

it('has one connection while the page is seen, and none while it is not', () => {
  const page = new Page();
  whileVisible(page, page.connect);
  expect(page.open).toBe(1);
  expect(page.turn(false)).toBe(1);
  expect(page.turn(true)).toBe(0);
  expect(page.turn(true)).toBe(0);
  expect(page.turn(false)).toBe(1);
});

it('begins when a page that was opened in the background is seen', () => {
  const page = new Page();
  page.hidden = true;
  whileVisible(page, page.connect);
  expect(page.open).toBe(0);
  expect(page.turn(false)).toBe(1);
});
