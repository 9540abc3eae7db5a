import { journalsOf, olderThan, readLeft } from '../../support/layout-2.ts';
import { planObject } from '../../support/objects.ts';
import type { Case } from '../case.ts';

/** The events that wait in journals of layout 2 (one object for each plan) arrive in order. */
export const upgrade: Case = {
  name: 'upgrade',
  run: async (stage) => {
    const { kube } = stage;
    const left = await readLeft();
    await stage.secret('wide');
    await stage.notification({ name: 'w', sinks: ['wide'], selector: { matchLabels: { size: 'large' } } });
    await olderThan(kube, stage.namespace, left);
    const renamed = new Map<string, string>();
    const journals = left.journals.filter(({ spec }) => spec.plan.name === 'wide');
    for (const { name, labels, spec, status } of left.plans.filter((plan) => plan.name === 'wide')) {
      const targets = status.executions.map(({ target }) => target);
      const plan = planObject(name, targets, { labels, spec });
      const { metadata } = await kube.post(stage.collection('hibernateplans'), plan);
      await stage.write(name, () => status);
      renamed.set(journals[0]?.spec.plan.uid ?? '', metadata.uid);
    }
    for (const journal of journalsOf({ journals }, renamed))
      await kube.post(stage.collection('hibernatenotificationjournals'), journal);
    await stage.controller('--max-age=1000000h', '--max-age-of-progress=1000000h');
    const told = await stage.told(
      left.wide.map(({ words }) => words),
      'wide',
    );
    await stage.waiting(0);
    return [['told', told]];
  },
};
