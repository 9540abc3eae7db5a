import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deadLinks, slug, targetOf } from './links.ts';
import { readRepository } from './repository.ts';

describe('links of pages', () => {
  const files: Readonly<Record<string, string>> = {
    'docs/a.md': '',
    'docs/how/b.md':
      '# The `b` of *a*: 1.5\n\n## Again\n\n## Again\n\n```\n# no heading\n```\n\n## [Linked](c.md)',
    'packages/x': '',
    LICENSE: '',
  };
  const dead = (text: string): string[] =>
    deadLinks(['docs/a.md'], (path) => (path === 'docs/a.md' ? text : files[path]));

  it.each([
    'a page [b](how/b.md), [b](./how/b.md#the-b-of-a-15) and its [second](how/b.md#again-1) and [third](how/b.md#linked)',
    'a file [x](../LICENSE), a folder [x](../packages/x), [x](../packages/x/) and an anchor in a file [x](../LICENSE#L7)',
    '# Own\n[x](#own)',
    'elsewhere: [x](https://example.com/#y) [x](mailto:a@example.com) <https://example.com>',
    'code: `[x](no.md)` ``[`x`](no.md)``\n\n```md\n[x](no.md)\n````\n\n~~~\n[x](no.md)\n```\n~~~',
  ])('are not dead: %s', (text) => {
    expect(dead(text)).toEqual([]);
  });

  it.each([
    ['\n[x](no.md)', 'docs/a.md:2: no.md: docs/no.md does not exist'],
    ['![x](img/no.png)', 'docs/a.md:1: img/no.png: docs/img/no.png does not exist'],
    ['<img src="no.png">', 'docs/a.md:1: no.png: docs/no.png does not exist'],
    ['<source srcset="no.png 2x">', 'docs/a.md:1: no.png: docs/no.png does not exist'],
    ['[x]: ../packages/y', 'docs/a.md:1: ../packages/y: packages/y does not exist'],
    ['`a` [x](#own) `b`', 'docs/a.md:1: #own: docs/a.md has no heading with this anchor'],
    [
      '```\n```\n[x](how/b.md#no-heading)',
      'docs/a.md:3: how/b.md#no-heading: docs/how/b.md has no heading with this anchor',
    ],
    ['[x](how/b.md#again-2)', 'docs/a.md:1: how/b.md#again-2: docs/how/b.md has no heading with this anchor'],
  ])('are dead: %s', (text, found) => {
    expect(dead(text)).toEqual([found]);
  });

  it('lead to a path in the repository', () => {
    expect(targetOf('docs/how/b.md', '../../deploy/helm/#x')).toEqual({ path: 'deploy/helm', anchor: 'x' });
    expect(targetOf('docs/b.md', '#x')).toEqual({ path: 'docs/b.md', anchor: 'x' });
    expect(targetOf('docs/b.md', 'a%20b.md')).toEqual({ path: 'docs/a b.md', anchor: '' });
  });

  it('have the anchors that GitHub makes', () => {
    expect(slug('What `hnotif why` knows: a – b, c_d & 1.5')).toBe('what-hnotif-why-knows-a--b-c_d--15');
    expect(slug('Ünï-Code')).toBe('ünï-code');
  });
});

it('no page of the repository has a dead link or a dead anchor', () => {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: join(import.meta.dirname, '..') })
    .toString()
    .trim()
    .split('\n');
  expect(pages.length).toBeGreaterThan(40);
  expect(deadLinks(pages, readRepository)).toEqual([]);
});
