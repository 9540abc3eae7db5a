import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type DefaultTheme, type MarkdownRenderer } from 'vitepress';
import manifest from '../../packages/hnotif/package.json';
import { deadLinks, slug, targetOf } from '../../scripts/links';
import { readRepository } from '../../scripts/repository';

type Rule = NonNullable<MarkdownRenderer['renderer']['rules']['fence']>;

const ROOT = join(import.meta.dirname, '../..');
const DOCS = join(ROOT, 'docs');
// Pages become Vue components. They find Vue only within this folder.
const COPY = join(import.meta.dirname, '../pages');
rmSync(COPY, { recursive: true, force: true });
cpSync(DOCS, COPY, { recursive: true });

/** The pages by section, in the order of the side bar. Those that no section names come last. */
const SECTIONS: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ['Start', ['tutorial', 'install', 'cli', 'ui', 'troubleshooting']],
  ['Notifications', ['events', 'teamchat', 'botchat', 'webhook', 'templates', 'receivers', 'guarantees']],
  [
    'How to',
    [
      'howto/slack-app',
      'howto/telegram-chat',
      'howto/webhook-receiver',
      'howto/templates',
      'howto/rate-limits',
      'howto/several-teams',
      'howto/private-receivers',
      'howto/gitops',
      'howto/mute-and-resend',
    ],
  ],
  ['Operation', ['security', 'operations', 'metrics', 'scaling', 'upgrading']],
  ['Reference', ['reference/resource', 'reference/commands', 'reference/reasons', 'reference/templates']],
  [
    'Development',
    ['architecture', 'adding-a-sink', 'decisions', 'performance', 'spec-coverage', 'releasing'],
  ],
];

const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -3))
  .filter((page) => page !== 'README')
  .sort();

/** The first heading of a page. */
const titleOf = (page: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(DOCS, `${page}.md`), 'utf8'))?.[1] ?? page;

const itemsOf = (wanted: readonly string[]): DefaultTheme.SidebarItem[] =>
  wanted.map((page) => ({ text: titleOf(page), link: `/${page}` }));

const named = new Set(SECTIONS.flatMap(([, all]) => all));
const others = pages.filter((page) => !named.has(page));

/** Links from the pages to files outside docs/ lead to this address. Links in pages are dead or not as `scripts/links.ts` says. */
const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/** What a page names by a relative path outside docs/ is not part of the site, so it is shown by the repository's host. */
function toRepository(page: string, href: string): string | undefined {
  if (/^([a-z][a-z\d+.-]*:|[/#])/i.test(href)) return undefined;
  const { path, anchor } = targetOf(`docs/${page}`, href);
  if (path.startsWith('docs/')) return undefined;
  const kind = statSync(join(ROOT, path)).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY}/${kind}/main/${path}${anchor && `#${anchor}`}`;
}

const dead = deadLinks(
  ['README', ...pages].map((page) => `docs/${page}.md`),
  readRepository,
);
if (dead.length > 0) throw new Error(`the pages have dead links:\n${dead.join('\n')}`);

export default defineConfig({
  title: 'hnotif',
  description: 'Notifications for hibernation plans, from Kubernetes to Slack, Telegram and webhooks',
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './.cache',
  rewrites: { 'README.md': 'index.md' },
  // It has no icon. A browser need not ask for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // Braces in the pages are JSON and templates, no attributes.
    attrs: { disable: true },
    anchor: { slugify: slug },
    languageAlias: { gotmpl: 'jinja' },
    config(md) {
      const render = md.renderer.render.bind(md.renderer);
      // Pages become Vue components. Their braces are text.
      md.renderer.render = (...all) => render(...all).replaceAll('{{', '&#123;&#123;');
      const { fence, link_open: open } = md.renderer.rules as Record<string, Rule>;
      // Code without a language looks the same, and is scrolled in itself.
      md.renderer.rules.code_block = fence;
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const token = tokens[index]!;
        const address = toRepository(env.relativePath, token.attrGet('href') ?? '');
        if (address !== undefined) token.attrSet('href', address);
        return open(tokens, index, options, env, self);
      };
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      ...SECTIONS.map(([text, all]) => ({ text, items: itemsOf(all) })),
      ...(others.length > 0 ? [{ text: 'More', items: itemsOf(others) }] : []),
    ],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page' },
  },
});
