import { setTimeout } from 'node:timers/promises';
import { begin, succeed } from '../../../src/lifecycle/operator.ts';
import type { Attack } from '../beside.ts';
import { inParallel } from '../in-parallel.ts';
import type { Stage } from '../stage.ts';
import { ALL } from './many-sinks.ts';
import { inflating, journalObject, waitingStart } from './crafted-journal.ts';

const JOURNALS = 'hibernatenotificationjournals';
const TARGETS = [{ name: 'db', type: 'rds' }];
const SINK = 'own';
const NOTIFICATION = 'n';
const FOUND_MS = 5_000;

/** A notification of all events, to a receiver of the attacker's own. */
async function subscribe({ attacker, receiver }: Stage): Promise<void> {
  await attacker.webhook(SINK, `${receiver.url}${SINK}`);
  await attacker.notification(NOTIFICATION, { onEvents: ALL, sinks: [SINK] });
}

/** Resolves with the name of the journal of the attacker's plan. */
async function journalOf({ attacker }: Stage): Promise<string> {
  for (const until = performance.now() + FOUND_MS; performance.now() < until;) {
    const [journal] = await attacker.list(JOURNALS);
    if (journal !== undefined) return journal.metadata.name;
    await setTimeout(50);
  }
  throw new Error('the attacker’s plan got no journal');
}

/** Row 7: a journal that says that another leader has written it. */
export const FOREIGN_TERM: Attack = {
  row: '7',
  title: 'its own journal with writer.term 9007199254740991, then an event; three times',
  async prepare(stage) {
    await subscribe(stage);
    await stage.attacker.plan('p0');
  },
  async attack(stage, size, signal) {
    const { attacker, controller } = stage;
    await attacker.write('p0', (status, at) => begin(status, 'shutdown', 'c0', TARGETS, at));
    const name = await journalOf(stage);
    for (let time = 0; time < (size === 'full' ? 3 : 1) && !signal.aborted; time++) {
      await controller.serving();
      await attacker.patch(JOURNALS, name, { spec: { writer: { term: Number.MAX_SAFE_INTEGER } } });
      await attacker.write('p0', (status, at) =>
        time % 2 === 0 ? succeed(status, at) : begin(status, 'shutdown', `c${time}`, TARGETS, at),
      );
      await setTimeout(2_000, undefined, { signal }).catch(() => undefined);
    }
  },
};

/** Journals in the attacker's namespace that name the victim's plans, then a roll-out. */
function foreignPlans(options: Pick<Attack, 'row' | 'title'> & { readonly version?: number }): Attack {
  const { row, title, version } = options;
  return {
    ...{ row, title },
    prepare: subscribe,
    async begin(stage) {
      const { attacker, victim, controller } = stage;
      // Whoever gets a message of a plan knows its uid.
      const plans = await victim.tenant.list('hibernateplans');
      await inParallel(plans.length, async (index) => {
        const { name = '', uid = '' } = plans[index]?.metadata ?? {};
        const content = await waitingStart({ name, uid }, attacker.namespace, NOTIFICATION, SINK);
        // Under the name that the plan's own journal has in the other namespace, and under another one.
        const named = index % 2 === 0 ? {} : { name: `crafted-${index}` };
        await attacker.create(JOURNALS, journalObject({ name, uid }, content, { version, ...named }));
      });
      await controller.restart();
    },
  };
}

/** Row 8. */
export const FOREIGN_PLANS = foreignPlans({
  row: '8',
  title: 'journals in its namespace that name the plans of another, then a roll-out',
});

/** Row 8b. */
export const NEWER_LAYOUT = foreignPlans({
  ...{ row: '8b', version: 99 },
  title: 'the same with `version: 99`, which no process of today can read',
});

/** Row 9: a journal that is small until it is read. */
export const INFLATING: Attack = {
  row: '9',
  title: 'a journal of some 80 kB that inflates to 60 MB, then a roll-out',
  async prepare(stage) {
    await subscribe(stage);
    await stage.attacker.plan('p0');
  },
  async begin(stage, size) {
    const { attacker, controller } = stage;
    const { encoding, text: content } = await inflating(size === 'full' ? 60_000_000 : 200_000);
    await attacker.patch(JOURNALS, await journalOf(stage), { spec: { encoding, content } });
    await controller.restart();
  },
};
