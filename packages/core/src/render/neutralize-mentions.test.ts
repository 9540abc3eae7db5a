import fc from 'fast-check';
import { expect, test } from 'vitest';
import { neutralizeMentions } from './neutralize-mentions.ts';

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
  [
    '(https://x.example.com:8443/@ops?a=/b&c=$A,/d#@e) @f',
    '(https://x.example.com:8443/@ops?a=/b&c=$A,/d#@e) @~f',
  ],
  ['url=https://x.example.com/@ops', 'url=https://x.example.com/@ops'],
  ['x://a,/stop now', 'x://a,/~stop now'],
  ['://@ops', '://@~ops'],
  // No links to Telegram.
  ['https://localhost/@ops', 'https://localhost/@~ops'],
  ['https://x.example.com:99999/@ops', 'https://x.example.com:99999/@~ops'],
  ['a.zzz/https://x.example.com/@ops', 'a.zzz/https://x.example.com/@~ops'],
  ['a.https://x.example.com/@ops', 'a.https://x.example.com/@~ops'],
  ['shttp://x.example.com/@ops', 'shttp://x.example.com/@~ops'],
  // One that ends at its bracket.
  ['https://x.example.com/)/stop', 'https://x.example.com/)/~stop'],
  ['arn:aws:rds:eu:1:db/x', 'arn:aws:rds:eu:1:db/x'],
  ['@\u2060ops', '@\u2060ops'.replace('\u2060', '~')],
])('%j becomes %j', (text, expected) => {
  expect(shown(neutralizeMentions(text))).toBe(expected);
});

const PIECES = [
  ...['@', '#', '$', '/', '.', ':', '(', ')', '"', ' ', '\u202a', '\u2060', 'é', '-', '_', ',', '?', '<'],
  ...['http://', 'https://', 'x.test', '/@ops', '/stop', '#tag', '$USD', 'a', '1', '/var/log'],
];
const someText = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));

test('only invisible characters are added, and a second pass adds none', () => {
  fc.assert(
    fc.property(someText, (text) => {
      const once = neutralizeMentions(text);
      expect(once.replaceAll('\u2060', '')).toBe(text.replaceAll('\u2060', ''));
      expect(neutralizeMentions(once)).toBe(once);
    }),
    { seed: 7, numRuns: 5000 },
  );
});

test('the cost of a text is linear', () => {
  fc.assert(
    fc.property(someText, (text) => {
      const each = [...text].reduce((sum, character) => sum + neutralizeMentions(character).length, 0);
      expect(neutralizeMentions(text).length).toBeLessThanOrEqual(each);
    }),
    { seed: 7, numRuns: 5000 },
  );
});

test('two hundred thousand signs take no long time', () => {
  const hard = [
    '@',
    '/',
    '#',
    '$',
    '/a',
    '@ ',
    '$A',
    '://@',
    'https://',
    'https://a.',
    ' https://a.b/@',
    'https://a',
  ];
  for (const sign of hard) neutralizeMentions(sign.repeat(200_000 / sign.length));
});
