import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  DURABLE_REASONS,
  EVENT_REASONS,
  READY_REASONS,
  WAIT_REASONS,
} from '../packages/hnotif/src/explain/reasons.ts';
import { FINDING_REASONS } from '../packages/hnotif/src/explain/finding-reasons.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = [
  ...['controller', 'dispatch', 'explain', 'journal', 'status', 'template-pool'].map(
    (folder) => `packages/hnotif/src/${folder}`,
  ),
  ...['render', 'sinks'].map((folder) => `packages/core/src/${folder}`),
];

/** Words of two and more humps that are no reasons of ours: kinds, fields of templates, parts of cards, reasons of the API server. */
const OTHER_WORDS = new Set(
  (
    'AdaptiveCard CloudProvider ClusterName ErrorMessage ExecutionProgress HibernateNotification HibernatePlan PhaseChange PreviousPhase ' +
    'RequestEntityTooLarge RetryCount RichTextBlock SinkName SinkType StartError TargetCount TargetExecution TextBlock TextRun ' +
    'TooManyTokens WakeUp'
  ).split(' '),
);

/** All such words in quotes, but for those of the table itself. */
async function wordsInCode(): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (const folder of FOLDERS)
    for (const file of await readdir(join(ROOT, folder), { recursive: true })) {
      if (!file.endsWith('.ts') || /\.test\.ts$|testing/.test(file) || file === 'reasons.ts') continue;
      const text = await readFile(join(ROOT, folder, file), 'utf8');
      for (const [, word = ''] of text.matchAll(/'((?:[A-Z][a-z]+){2,})'/g)) words.add(word);
    }
  return words;
}

it('each reason in the code is in the reference', async () => {
  const pages = ['docs/reference/reasons.md', 'docs/receivers.md'];
  const text = (await Promise.all(pages.map((page) => readFile(join(ROOT, page), 'utf8')))).join('\n');
  const documented = new Set([...text.matchAll(/`(\w+)`/g)].map(([, word]) => word));
  const missing = [...(await wordsInCode())].filter(
    (word) => !documented.has(word) && !OTHER_WORDS.has(word),
  );
  expect(missing.sort()).toEqual([]);
});

it('each reason in the reference is in the code', async () => {
  const words = await wordsInCode();
  const own = { ...READY_REASONS, ...WAIT_REASONS, ...DURABLE_REASONS, ...EVENT_REASONS, ...FINDING_REASONS };
  const unused = Object.keys(own).filter((word) => /[a-z][A-Z]/.test(word) && !words.has(word));
  expect(unused.sort()).toEqual([]);
});
