import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { PATIENCE_MS } from '../../core/src/testing/patience.ts';
import { NO_BROWSER, startBrowser } from '../../ui/test/browser.ts';
import { EXIT } from '../src/cli/exit.ts';
import { asked, command as hnotifCommand } from './support/command.ts';
import { journalOf } from './support/journals.ts';
import { morningClock, morningWorld, runOf } from './support/morning.ts';
import { hnotif } from './support/process.ts';
import { NAMESPACE, type World } from './support/world.ts';

type Step = (page: Page, id: string) => Promise<unknown>;

interface Answers {
  /** Each is a click, a choice or an input. */
  readonly steps: readonly Step[];
  /** On the page, with single spaces. */
  readonly page: RegExp;
  readonly command: RegExp;
}

const link =
  (name: string): Step =>
  (page) =>
    page.getByRole('link', { name, exact: true }).first().click();
const button =
  (name: string): Step =>
  (page) =>
    page.getByRole('button', { name, exact: true }).first().click();
const onlyWrong: Step = (page) => page.getByLabel('only what is wrong').check();

const nights = (page: RegExp, command: RegExp, ...steps: readonly Step[]): Answers => ({
  steps: [link('Nights'), ...steps],
  page,
  command,
});
const now = (page: RegExp, command: RegExp, ...steps: readonly Step[]): Answers => ({
  steps: [link('Now'), ...steps],
  page,
  command,
});

/** By the question, as docs/ui.md has it. */
const ANSWERS: Readonly<Record<string, Answers>> = {
  'Did checkout sleep last night?': nights(
    /checkout team-a awake 2026-01-05 20:00:00 shutdown completed after 3/,
    /^checkout +awake +20:00, 3 min/m,
  ),
  'Why did warehouse fail?': nights(
    /warehouse team-a failed .* shutdown failed after .*: target db: no capacity/,
    /^error warehouse: shutdown: target db: no capacity; failed: db$/m,
  ),
  'Which targets failed, and in which phase?': nights(
    /Failure of warehouse .*Phase Error Error target db: no capacity Failed db/,
    /^Phase: +Error\nError: +target db: no capacity\nFailed: +db$/m,
    link('Failure'),
  ),
  'Who was not told that warehouse failed?': nights(
    /not told team-a: oncall\/strict Failure of warehouse at .* failed \(BadRequest\)/,
    /^not told oncall\/strict: Failure of warehouse at 20:05: failed \(BadRequest\)/m,
  ),
  'Which plans did not sleep, unlike the night before?': nights(
    /lab team-a missing missing did not fall asleep; the night before it did at 20:00/,
    /^missing lab did not fall asleep; the night before it did at 20:00$/m,
    onlyWrong,
  ),
  'What was slow?': nights(
    /newly slow took 14 min to fall asleep, 3 min the night before/,
    /^slow shop took 14 min to fall asleep, 3 min the night before$/m,
  ),
  'How was the night before?': nights(
    /The night of 2026-01-04 noon to noon, UTC 4 plans: 4 awake/,
    /^4 plans: 4 awake;/m,
    button('The night before'),
  ),
  'Which plans have no notification?': nights(
    /spare team-a .* nobody: no notification selects it/,
    /^note spare: no notification selects it, so nobody was told$/m,
  ),
  'Which plans are in an error now?': {
    steps: [onlyWrong],
    page: /warehouse team-a Error/,
    command: /^warehouse +Error/m,
  },
  'Is hnotif itself running?': {
    steps: [],
    page: /served by \S+ since/,
    command: /served by \S+ since/,
  },
  'What goes wrong now?': now(
    /What needs a look .*error team-a: oncall\/strict the receiver answered 400/,
    /^error oncall\/strict: the receiver answered 400/m,
  ),
  'Why is #ops silent since Tuesday, and when is the next try?': now(
    /team-a: night\/ops parked, \d+ wait since .*, next try in \d+ min: .*\(ConnectionRefused\)/,
    /night\/ops: parked, \d+ wait since .*, next try in \d+ min: .*\(ConnectionRefused\)/,
  ),
  'Whose messages wait for #ops?': now(
    /4 plans, \d+ deliveries to look at .* checkout .* lab .* shop .* warehouse/,
    /^4 plans +Start and \d+ more +night\/ops +waiting/m,
    link('team-a: night/ops'),
  ),
  'Is anything muted, and until when?': now(
    /note team-a: quiet .*repair.*\(Suspended\)/,
    /^note quiet: .*repair.*\(Suspended\)$/m,
  ),
  'Which plans does the notification night tell about?': {
    steps: [(page) => page.getByLabel('Find').fill('night/')],
    page: /4 plans/,
    command: /^Plans: +checkout, lab, shop, warehouse$/m,
  },
  'Why does dba hear nothing about checkout?': {
    steps: [link('checkout')],
    page: /✕ dba its label team is shop, not dba/,
    command: /^note dba: no plan matches; .*team.*\(NotSelected\)$/m,
  },
  'What happened to warehouse, in order?': {
    steps: [link('warehouse')],
    page: /What happened .*warehouse Failure: phase Error/,
    command: /warehouse +Failure: phase Error, shutdown, after 5 min: target db: no capacity/,
  },
  'What became of the message with this id?': {
    steps: [
      link('Where is it?'),
      (page, id) => page.getByRole('combobox', { name: 'Plan' }).fill(id),
      (page) => page.getByRole('combobox', { name: 'Plan' }).press('Enter'),
    ],
    page: /Failure of warehouse .*oncall\/strict failed/,
    command: /^oncall\/strict +failed .*BadRequest$/m,
  },
  'What can be sent again?': {
    steps: [link('warehouse'), button('Replay lost deliveries')],
    page: /sends what failed or was dropped of plan warehouse once more, to all its sinks/,
    command: /^oncall\/strict +Failure .* WouldBeSent$/m,
  },
  'What does the receiver of the sink log answer now?': {
    // Its clock is of that morning.
    steps: [link('checkout'), button('Send a test to log'), button('Send')],
    page: /failed Start to sink log \(webhook\): the receiver answered 401, .*webhook-timestamp/,
    command: /^failed +Start to sink log \(webhook\): the receiver answered 401, .*webhook-timestamp/m,
  },
};

/** The rows of the table in docs/ui.md: a question and its command. */
async function rows(): Promise<readonly (readonly [question: string, command: string])[]> {
  const text = await readFile(new URL('../../../docs/ui.md', import.meta.url), 'utf8');
  const [, table = ''] = text.split('| question | view | command |');
  return [...table.matchAll(/^\| ([^|]+\?) \| [^|]+ \| `hnotif ([^`]+)` \|$/gm)].map(
    ([, question = '', command = '']) => [question, command],
  );
}

/** For tests that are sent from here to the world's receiver. */
const EGRESS = { HNOTIF_EGRESS_ALLOW: '127.0.0.0/8', HNOTIF_ALLOW_INSECURE_HTTP: 'true' };

const textOf = async (page: Page): Promise<string> =>
  (await page.locator('body').innerText()).replace(/\s+/g, ' ');

const SHOP = { labels: { team: 'shop' } };
const shop = { matchLabels: { team: 'shop' } };

/**
 * Two nights of a team: in the second `shop` is slow, `warehouse` fails, and `lab` does not sleep. The sink `strict` refuses the failure,
 * and `ops` is down.
 */
async function morning(): Promise<World> {
  const world = await morningWorld();
  for (const sink of ['log', 'strict']) await world.secret(sink);
  await world.secret('ops', { url: 'http://127.0.0.1:1/hook' });
  await world.notification('night', {
    onEvents: ['Start', 'Success', 'Failure'],
    sinks: ['log', 'ops'],
    selector: shop,
  });
  await world.notification('oncall', { onEvents: ['Failure'], sinks: ['strict'], selector: shop });
  await world.notification('quiet', { onEvents: ['Recovery'], sinks: ['log'], selector: shop });
  await world.notification('dba', { sinks: ['log'], selector: { matchLabels: { team: 'dba' } } });
  world.receiver.faults.add({ match: { path: '/strict' }, fault: { kind: 'status', status: 400 } });
  for (const plan of ['checkout', 'lab', 'shop']) await world.plan(plan, ['db'], SHOP);
  await world.plan('warehouse', ['db'], { ...SHOP, spec: { behavior: { retries: 0 } } });
  await world.plan('spare');
  await world.synced({
    ...{ clock: morningClock, leaderElect: true },
    limits: { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 3_600_000, probeMaxMs: 3_600_000 },
    drainTimeoutMs: 0,
  });
  for (const plan of ['checkout', 'lab', 'shop', 'warehouse']) {
    await runOf(world, plan, { at: '2026-01-04T20:00:00Z', minutes: 3 });
    await runOf(world, plan, { operation: 'wakeup', at: '2026-01-05T06:00:00Z', minutes: 2 });
  }
  for (const plan of ['checkout', 'shop', 'spare']) {
    await runOf(world, plan, { at: '2026-01-05T20:00:00Z', minutes: plan === 'shop' ? 14 : 3 });
    await runOf(world, plan, { operation: 'wakeup', at: '2026-01-06T06:00:00Z', minutes: 2 });
  }
  await runOf(world, 'warehouse', { at: '2026-01-05T20:00:00Z', minutes: 5, error: 'no capacity' });
  await asked(world, 'mute', 'quiet', '--for=2h', '--reason=repair', `--namespace=${NAMESPACE}`);
  await world.status('quiet', ({ conditions = [] }) =>
    conditions.some(({ reason }) => reason === 'Suspended'),
  );
  await world.status('night', ({ sinks = [] }) => sinks.some(({ state }) => state === 'Parked'));
  await journalOf(world, 'warehouse', ({ entry }) =>
    JSON.stringify(entry.nights).includes('oncall/strict failed'),
  );
  for (const plan of ['checkout', 'shop'])
    await journalOf(
      world,
      plan,
      ({ entry }) => JSON.stringify(entry.nights).split('night/log delivered').length > 8,
    );
  return world;
}

it.skipIf(NO_BROWSER !== '')(
  'twenty questions of a morning have their answers on the page, at most three clicks away, and by a command',
  async () => {
    const table = await rows();
    expect(table.map(([question]) => question)).toEqual(Object.keys(ANSWERS));
    expect(table.length).toBeGreaterThanOrEqual(20);
    const world = await morning();
    const kubeconfig = `--kubeconfig=${await world.kubeconfig()}`;
    const here = [kubeconfig, `--namespace=${NAMESPACE}`];
    const run = hnotif(['ui', '--port=0', kubeconfig], EGRESS);
    const browser = await startBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const address = /http:\S+/.exec(await run.line(/^The page is at http/))?.[0] ?? '';
    await page.goto(address);
    const id = world.receiver.records.find(({ path }) => path === '/strict')?.id ?? '';
    for (const [question, command] of table) {
      const { steps, page: shown, command: printed } = ANSWERS[question]!;
      // A tab has its view as it was left.
      await page.evaluate("location.hash = '#nights?zone=UTC'");
      await page.getByRole('heading', { name: 'The night of 2026-01-05' }).waitFor();
      await page.evaluate("location.hash = '#tonight?zone=UTC'");
      await page.getByRole('link', { name: 'warehouse' }).waitFor();
      for (const step of steps) await step(page, id);
      expect(steps.length, question).toBeLessThanOrEqual(3);
      await expect.poll(() => textOf(page), { message: question }).toMatch(shown);
      const args = command.replace('ID', id).split(' ');
      const { exit, out, err } = await hnotifCommand([...args, ...here], '', EGRESS);
      expect([...out, ...err].join('\n'), question).toMatch(printed);
      expect([EXIT.ok, EXIT.failed], question).toContain(exit);
    }
  },
);
