import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkAnnotations, linkFaults, linksOf } from './links.ts';

const RUNBOOK = 'hibernation.dev/runbook-url';
const DASHBOARD = 'hibernation.dev/dashboard-url';
const urlOf = (text: string): string | undefined => linksOf({ [RUNBOOK]: text })[0]?.url;

describe('the links of a message', () => {
  it('are those of the plan, else those of the notification', () => {
    const notification = { [RUNBOOK]: 'https://wiki/all', [DASHBOARD]: 'https://grafana/d/1' };
    expect(linksOf({})).toEqual([]);
    expect(linksOf({ [RUNBOOK]: ' ' }, notification)).toEqual([
      { label: 'Runbook', url: 'https://wiki/all' },
      { label: 'Dashboard', url: 'https://grafana/d/1' },
    ]);
    expect(linksOf({ [RUNBOOK]: 'https://wiki/orders' }, notification)[0]?.url).toBe('https://wiki/orders');
  });

  it.each([
    ['https://wiki.test/run book?q=a&b=(c)#top', 'https://wiki.test/run%20book?q=a&b=%28c%29#top'],
    ['http://wiki.test', 'http://wiki.test/'],
    ['http://[::1]:8080/a', 'http://[::1]:8080/a'],
    ['https://bücher.test/', 'https://xn--bcher-kva.test/'],
    ['HTTPS://Wiki.test/a|b>c<d"e', 'https://wiki.test/a%7Cb%3Ec%3Cd%22e'],
    ['https://wiki.test/ä`*', 'https://wiki.test/%C3%A4%60%2A'],
    ['https://wiki.test/100%', 'https://wiki.test/100%'],
    [
      'https://grafana.test/d/1?var-x=$__all&from=now-6h',
      'https://grafana.test/d/1?var-x=$__all&from=now-6h',
    ],
  ])('%s is written as %s', (text, url) => {
    expect(urlOf(text)).toBe(url);
  });

  it.each([
    'javascript:alert(1)',
    'tg://user?id=1',
    'slack://channel?id=C1',
    'wiki/orders',
    '//wiki.test/',
    'https://good.test@evil.test/',
    'https://:secret@evil.test/',
    'https://',
    'https://&/',
    '<!channel>',
    `https://wiki.test/${'a'.repeat(512)}`,
    `https://wiki.test/${'ä'.repeat(200)}`,
    `https://wiki.test/?${'&'.repeat(100)}`,
  ])('%s is none, and its author is told without it', (text) => {
    expect(urlOf(text)).toBeUndefined();
    expect(linkFaults({ [RUNBOOK]: text, [DASHBOARD]: 'https://ok.test' })).toEqual([
      `annotation ${RUNBOOK} is not an http or https address of at most 512 characters without user name and password`,
    ]);
  });

  it('never have what a markup reads, and lead where the annotation says', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        fc.string(),
        (base, more) => {
          const url = urlOf(base + more);
          if (url === undefined) return;
          expect(url).toMatch(/^https?:\/\/[!-~]+$/);
          expect(url).not.toMatch(/[<>|"'`()*\\{}^\s]/);
          expect(new URL(url).host).toBe(new URL(base + more).host);
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });

  it('are all that is kept of a notification’s annotations', () => {
    expect(linkAnnotations({ [RUNBOOK]: 'https://a.test ', other: 'x'.repeat(1000) })).toEqual({
      [RUNBOOK]: 'https://a.test',
    });
  });
});
