import { deflateRawSync } from 'node:zlib';
import { inParallel, pause, until } from '../../../wait.ts';
import { DEFAULT_API_GROUP as GROUP } from '@hnotif/core/resources';
import { succeed } from '@hnotif/core/lifecycle';
import type { Attack } from '../beside.ts';
import type { Scene } from '../stage.ts';
import type { Team } from '../../../team.ts';
import type { JournalObject } from '../../../journals.ts';

const JOURNALS = 'hibernatenotificationjournals';
const SINK = 'own';
const WRITTEN_MS = 5_000;
/** Longer than a write may wait for others to join it. */
const QUIET_MS = 1_000;

/**
 * A copy of a journal with another name and other fields. An attacker copies a journal that hnotif has written, so the layout does not
 * matter here.
 */
export const copyOf = ({ metadata, spec }: JournalObject, name: string, fields: object): object => ({
  ...{ apiVersion: `${GROUP}/v1alpha1`, kind: 'HibernateNotificationJournal' },
  metadata: { name, labels: (metadata as unknown as { readonly labels: object }).labels },
  spec: { ...spec, ...fields },
});

/** A text that inflates to this many bytes of JSON: one object for each three bytes. 60 MB are 80 kB when deflated. */
export const inflating = (bytes: number): string =>
  'deflate-raw+base64:' +
  deflateRawSync(
    `{"events":[${Array<string>(Math.floor(bytes / 3))
      .fill('{}')
      .join()}]}`,
  ).toString('base64');

/** A plan, and a notification of all its events to the attacker's own receiver. */
async function subscribe({ attacker, receiver }: Scene): Promise<void> {
  await attacker.secret(SINK, { url: `${receiver.url}${SINK}` });
  await attacker.notification('n', { sinks: [SINK] });
  await attacker.plan('p0');
}

/** Resolves with the attacker's journal when it is as wanted. */
const journalOf = (
  attacker: Team,
  wanted: (journal: JournalObject) => boolean = () => true,
): Promise<JournalObject> =>
  until(async () => ((await attacker.list(JOURNALS)) as readonly JournalObject[]).find(wanted), {
    what: 'the wanted journal of the attacker’s plan',
    limitMs: WRITTEN_MS,
  });

/** …when it has not changed for a while. */
async function settled(attacker: Team): Promise<JournalObject> {
  for (;;) {
    const { metadata } = await journalOf(attacker);
    await pause(QUIET_MS);
    const later = await journalOf(attacker);
    if (later.metadata.resourceVersion === metadata.resourceVersion) return later;
  }
}

/** Row 7: a journal that says that another leader has written it. */
export const FOREIGN_TERM: Attack = {
  row: '7',
  title: 'its own journal with writer.term 9007199254740991, then an event; three times',
  prepare: subscribe,
  async attack({ attacker, controller }, signal, size) {
    await attacker.begins('p0');
    const { name } = (await journalOf(attacker)).metadata;
    for (let time = 0; time < (size === 'full' ? 3 : 1) && !signal.aborted; time++) {
      await controller.serving();
      await attacker.patch(JOURNALS, name, { spec: { writer: { term: Number.MAX_SAFE_INTEGER } } });
      if (time % 2 === 0) await attacker.write('p0', succeed);
      else await attacker.begins('p0', { cycle: `c${time}` });
      await pause(2_000, signal);
    }
  },
};

/** Journals in the attacker's namespace that name the victim's plans, then a roll-out. */
function foreignPlans(options: Pick<Attack, 'row' | 'title'> & { readonly fields?: object }): Attack {
  const { row, title, fields = {} } = options;
  return {
    ...{ row, title },
    prepare: subscribe,
    async begin({ attacker, victim, receiver, controller }) {
      // The receiver refuses it, so it waits in the journal. The copies contain it as a message of the victim's plans.
      const refuse = receiver.faults.add({ fault: { kind: 'status', status: 503 } });
      await attacker.begins('p0');
      const own = await journalOf(attacker, ({ spec }) => spec.summary.waiting > 0);
      const journals = (await victim.team.list(JOURNALS)) as readonly JournalObject[];
      await inParallel(journals.length, async (index) => {
        const journal = journals[index];
        if (journal === undefined) return;
        // Under the name that the journal has in the other namespace, and under another one.
        const [entry = {}] = Object.values(own.spec.plans ?? {});
        const plans = Object.fromEntries(Object.keys(journal.spec.plans ?? {}).map((uid) => [uid, entry]));
        for (const name of [journal.metadata.name, `copied-${index}`])
          if (name !== own.metadata.name)
            await attacker.create(JOURNALS, copyOf(own, name, { plans, ...fields }));
          else await attacker.patch(JOURNALS, name, { spec: { plans, ...fields } });
      });
      refuse();
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
  ...{ row: '8b', fields: { version: 99 } },
  title: 'the same with `version: 99`, a layout that this version cannot read',
});

/** Row 9: a small journal that becomes very large when it is inflated. */
export const INFLATING: Attack = {
  row: '9',
  title: 'a journal of some 80 kB that inflates to 60 MB, then a roll-out',
  prepare: subscribe,
  async begin({ attacker, controller }, size) {
    // No write of hnotif is due any more, so the patch stays until the next start reads it.
    const { metadata, spec } = await settled(attacker);
    const text = inflating(size === 'full' ? 60_000_000 : 200_000);
    const plans = Object.fromEntries(
      Object.keys(spec.plans ?? {}).map((uid) => [uid, { streams: text, cursors: '[]', observed: text }]),
    );
    await attacker.patch(JOURNALS, metadata.name, { spec: { plans } });
    await controller.restart();
  },
};
