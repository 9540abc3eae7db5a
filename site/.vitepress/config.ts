import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type DefaultTheme } from 'vitepress';

const DOCS = join(import.meta.dirname, '../../docs');
// Pages become Vue components. They find Vue only within this folder.
const COPY = join(import.meta.dirname, '../pages');
rmSync(COPY, { recursive: true, force: true });
cpSync(DOCS, COPY, { recursive: true });

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

export default defineConfig({
  title: 'hnotif',
  description: 'Notifications for hibernation plans, from Kubernetes to Slack, Telegram and webhooks',
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './.cache',
  cleanUrls: true,
  // Braces in the pages are JSON and templates: no attributes, and nothing for Vue.
  markdown: { attrs: { disable: true } },
  vue: { template: { compilerOptions: { delimiters: ['[[[', ']]]'] } } },
  rewrites: { 'README.md': 'index.md' },
  // Files of the repository that pages name by a relative path. They are not part of the site.
  ignoreDeadLinks: [
    /\.\.\/(README|CONTRIBUTING|CHANGELOG|deploy|examples|packages|schemas|scripts|bench|site)\b/,
  ],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      ...SECTIONS.map(([text, all]) => ({ text, items: itemsOf(all) })),
      ...(others.length > 0 ? [{ text: 'More', items: itemsOf(others) }] : []),
    ],
  },
});
