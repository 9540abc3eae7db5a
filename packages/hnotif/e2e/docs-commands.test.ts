import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NO_BROWSER } from '../../ui/test/browser.ts';
import { DocsStage, here, shellOf } from './support/docs-stage.ts';
import { NO_KUBECTL } from './support/kubectl.ts';
import { commandsIn, readPage, ROOT } from './support/page.ts';
import { missing as missingProgram } from './support/programs.ts';
import { missing, type Step, stepsOf } from './support/shown-output.ts';

/** Pages with a test of their own, which runs each of their commands in order. */
const RUN_ELSEWHERE = ['docs/tutorial.md', 'docs/install.md'];

const inFolder = async (folder: string, pattern: RegExp): Promise<string[]> =>
  (await readdir(join(ROOT, folder))).filter((file) => pattern.test(file)).map((file) => `${folder}/${file}`);

const PAGES = [
  'README.md',
  ...(await inFolder('docs', /^(tutorial|install|cli).*\.md$/)),
  ...(await inFolder('docs/howto', /\.md$/)),
  ...(await readdir(join(ROOT, 'packages'), { recursive: true }))
    .filter((file) => /^[^/]+\/README\.md$/.test(file))
    .map((file) => `packages/${file}`),
].filter((page) => !RUN_ELSEWHERE.includes(page));

interface PageBlock {
  readonly page: string;
  readonly steps: readonly Step[];
}

/** The blocks of commands that are not marked with the reason why no test runs them. */
const BLOCKS: readonly PageBlock[] = (
  await Promise.all(
    PAGES.map(async (page) =>
      commandsIn(await readPage(page))
        .filter(({ notRun }) => notRun === '')
        .map(({ language, text }) => ({
          page,
          steps: language === 'console' ? stepsOf(text) : linesOf(text),
        })),
    ),
  )
).flat();

function linesOf(text: string): Step[] {
  const lines = text.trim().split('\n');
  return lines.filter((line) => line !== '').map((command) => ({ command, output: [] }));
}

/** Whether the programs of a command are here. */
function canRun({ command }: Step): boolean {
  if (/\b(kubectl|kustomize)\b/.test(command)) return NO_KUBECTL === '';
  if (command.includes('-o png')) return NO_BROWSER === '';
  const shell = shellOf(command);
  return shell === 'sh' || missingProgram(shell) === '';
}

/** docs/cli.md: `why` exits with 1 at an error, `night` if a plan failed or a message did not arrive, `replay` if something cannot be sent again, here older events among `--all`. */
const failsAsTold = (command: string, out: string): boolean =>
  (command.startsWith('hnotif why') && /^error /m.test(out)) ||
  (command.includes('hnotif night') &&
    /^error |hnotif (why|replay) |"isProblem": true|"state": "(failed|incomplete)"/m.test(out)) ||
  (/^hnotif replay .*--all/.test(command) && / NotDerivable$/m.test(out));

it('each command of the pages works as it is written', async () => {
  const stage = await DocsStage.start();
  const wrong: string[] = [];
  for (const { page, steps } of BLOCKS) {
    for (const step of steps.filter(canRun)) {
      const { exit, out, err } = await stage.run(step.command);
      const wanted = failsAsTold(step.command, out) ? 1 : 0;
      const unlike = missing(step.output.map(here), out.split('\n'));
      if (exit !== wanted || unlike !== undefined)
        wrong.push(`${page}: ${step.command}\nexit ${exit}; missing: ${unlike}\n${out}${err}`);
    }
    await stage.restore();
  }
  expect(wrong.join('\n')).toBe('');
});
