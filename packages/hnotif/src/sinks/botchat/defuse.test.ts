import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defuse, defuseText } from './defuse.ts';
import { parseHtml } from './markup/html.ts';
import { printHtml } from './markup/print-html.ts';
import { someTree } from './markup/testing/arbitrary.ts';

/** The invisible character, shown. */
const shown = (text: string): string => text.replaceAll('\u2060', '~');

test.each([
  ['ping @ops and @team_b', 'ping @~ops and @~team_b'],
  ['(@ops) "@ops" -@ops é@ops', '(@~ops) "@~ops" -@~ops é@~ops'],
  ['@', '@~'],
  ['@\u202aops @\rops', '@~\u202aops @~\rops'],
  ['mail a@b.c and user @ host', 'mail a@b.c and user @ host'],
  ['#night a#b #1', '#~night a#b #~1'],
  ['$USD $5 ${HOME} a$B', '$~USD $5 ${HOME} a$B'],
  ['/start x/y /var/log/x ./run', '/~start x/y /var/log/x ./~run'],
  ['and/or 1/2 // a / b', 'and/or 1/2 // a / b'],
  ['https://git.example.com/a/-/jobs#x', 'https://git.example.com/a/-/jobs#x'],
  ['https://x.example.com/@ops', 'https://x.example.com/@~ops'],
  ['arn:aws:rds:eu:1:db/x', 'arn:aws:rds:eu:1:db/x'],
  ['@\u2060ops', '@\u2060ops'.replace('\u2060', '~')],
])('%j becomes %j', (text, expected) => {
  expect(shown(defuseText(text))).toBe(expected);
});

test('what is within elements is defused, addresses are not', () => {
  const tree = parseHtml('<b>@a</b><code>@b</code><a href="https://x/@c">d</a>') ?? [];
  expect(shown(printHtml(defuse(tree)))).toBe('<b>@~a</b><code>@~b</code><a href="https://x/@c">d</a>');
});

test('a tree with nothing to defuse stays the same', () => {
  const tree = parseHtml('<b>a</b> b') ?? [];
  expect(defuse(tree)).toBe(tree);
});

test('nothing but invisible characters is added, and once is enough', () => {
  fc.assert(
    fc.property(someTree, (tree) => {
      const once = printHtml(defuse(tree));
      expect(once.replaceAll('\u2060', '')).toBe(printHtml(tree));
      expect(once).not.toMatch(/(?<![A-Za-z0-9_])@[A-Za-z0-9_]{2}(?![^<]*>)/);
      expect(printHtml(defuse(defuse(tree)))).toBe(once);
    }),
    { seed: 7, numRuns: 1000 },
  );
});

test('two hundred thousand signs are no trouble', () => {
  for (const sign of ['@', '/', '#', '$', '/a', '@ ', '$A', '://@'])
    defuseText(sign.repeat(200_000 / sign.length));
});
