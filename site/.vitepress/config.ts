import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
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
// Pages show pictures, and link to them, too.
cpSync(join(DOCS, 'img'), join(COPY, 'public/img'), { recursive: true });

/** The template editor: where its page is in the repository, and in the site. */
const PLAYGROUND = { source: 'packages/ui/src/editor/playground.html', page: 'playground/index.html' };
execFileSync('npm', ['run', '--silent', 'build:playground', '--', join(COPY, 'public/playground')], {
  cwd: ROOT,
});

/** The pages by section, in the order of the side bar. Those that no section names come last. */
const SECTIONS: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ['Start', ['tutorial', 'install', 'cli', 'ui', 'troubleshooting']],
  [
    'Notifications',
    ['events', 'teamchat', 'botchat', 'msteams', 'webhook', 'templates', 'receivers', 'guarantees'],
  ],
  [
    'How to',
    [
      'howto/slack-app',
      'howto/telegram-chat',
      'howto/teams-workflow',
      'howto/webhook-receiver',
      'howto/templates',
      'howto/many-plans',
      'howto/rate-limits',
      'howto/several-teams',
      'howto/private-receivers',
      'howto/gitops',
      'howto/mute-and-resend',
      'howto/last-night',
    ],
  ],
  ['Operation', ['security', 'operations', 'metrics', 'scaling', 'upgrading']],
  ['Reference', ['reference/resource', 'reference/commands', 'reference/reasons', 'reference/templates']],
  [
    'Development',
    ['architecture', 'adding-a-sink', 'scenarios', 'decisions', 'performance', 'spec-coverage', 'releasing'],
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

/** The address of the repository. */
const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/**
 * The attributes of a link to a file outside docs/; undefined for other links. Such a file is not part of the site, so
 * the link leads to the repository. A link to the source of the playground leads to the playground.
 */
function leaving(page: string, href: string): Record<string, string> | undefined {
  if (/^([a-z][a-z\d+.-]*:|[/#])/i.test(href)) return undefined;
  const { path, anchor } = targetOf(`docs/${page}`, href);
  if (path.startsWith('docs/')) return undefined;
  // With a target, the theme does not take it for one of its pages.
  if (path === PLAYGROUND.source)
    return { href: posix.relative(posix.dirname(page), PLAYGROUND.page), target: '_self' };
  const kind = statSync(join(ROOT, path)).isDirectory() ? 'tree' : 'blob';
  return { href: `${REPOSITORY}/${kind}/main/${path}${anchor && `#${anchor}`}` };
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
  // A phone need not load pages that nobody opens.
  router: { prefetchLinks: false },
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
        const attributes = leaving(env.relativePath, token.attrGet('href') ?? '');
        for (const [name, value] of Object.entries(attributes ?? {})) token.attrSet(name, value);
        return open(tokens, index, options, env, self);
      };
    },
  },
  // It takes a fifth of the time of a build, and saves 3 kB.
  vite: { build: { rollupOptions: { treeshake: false } } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [{ text: 'Playground', link: `/${PLAYGROUND.page}`, target: '_self' }],
    sidebar: [
      ...SECTIONS.map(([text, all]) => ({ text, items: itemsOf(all) })),
      ...(others.length > 0 ? [{ text: 'More', items: itemsOf(others) }] : []),
    ],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page' },
  },
});
