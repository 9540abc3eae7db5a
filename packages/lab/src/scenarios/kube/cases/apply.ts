import { ALL } from '../../../nights.ts';
import type { KubeObject } from '../../../kube.ts';
import { configMapObject, notificationObject } from '../../../objects.ts';
import { answerOf } from '../answer.ts';
import type { Case, Seen } from '../case.ts';
import type { Stage } from '../stage.ts';

const APPLY = 'application/apply-patch+yaml';

export const apply: Case = {
  name: 'apply',
  about:
    'Server-side apply, and the managers that it and other writes leave: of a built-in kind, of our own, and of its status.',
  run: async (stage) => {
    const seen: Seen[] = [];
    const applied = applier(stage, seen);
    const map = (data: Record<string, string>): object => ({
      ...configMapObject('c', data),
      metadata: { name: 'c', labels: { team: 'a' }, finalizers: [] },
    });
    const maps = stage.path('configmaps');
    await applied('a new object', `${maps}/c?fieldManager=m1`, map({ a: '1', b: '1' }));
    await applied('without a manager', `${maps}/c`, map({ a: '1' }));
    await applied('another value of another manager', `${maps}/c?fieldManager=m2`, map({ a: '2', b: '1' }));
    await stage.kube.patch(`${maps}/c?fieldManager=edit`, { data: { b: '2', c: '2' } });
    await applied('two conflicts', `${maps}/c?fieldManager=m2`, map({ a: '2', b: '3' }));
    await applied('by force', `${maps}/c?fieldManager=m2&force=true`, map({ a: '2', d: '2' }));
    await applied('a dry run', `${maps}/c?fieldManager=m2&dryRun=All`, map({ e: '1' }));
    await applied('less', `${maps}/c?fieldManager=m2`, map({ d: '2' }));
    await applied('an unknown field', `${maps}/c?fieldManager=m2`, { ...map({}), more: 1 });
    await applied('managed fields', `${maps}/c?fieldManager=m2`, {
      ...{ ...map({}), metadata: { name: 'c', managedFields: [] } },
    });
    const all = stage.path('hibernatenotifications');
    await stage.kube.post(
      `${all}?fieldManager=maker`,
      notificationObject('n', { onEvents: ALL, sinks: ['a', 'b'] }),
    );
    const own = notificationObject('n', { onEvents: ALL, sinks: ['a'] });
    await applied('a shorter list', `${all}/n?fieldManager=m1`, own);
    await applied('a shorter list, by force', `${all}/n?fieldManager=m1&force=true`, own);
    await applied('the status', `${all}/n/status?fieldManager=m1`, { ...own, status: { matched: 3 } });
    return seen;
  },
};

/** Applies, and notes the answer, what is stored, and who has it. */
const applier =
  (stage: Stage, seen: Seen[]) =>
  async (what: string, path: string, body: object): Promise<void> => {
    const answer = await stage.kube.ask('PATCH', path, body, APPLY);
    seen.push([what, answerOf(answer).replaceAll(stage.ground.run, 'RUN')]);
    if (answer.code >= 300) return;
    const { data, spec, status, metadata } = answer.body as KubeObject & { metadata: Managed };
    const managers = (metadata.managedFields ?? []).map(({ time: _time, ...entry }) => JSON.stringify(entry));
    seen.push([`${what}: object`, JSON.stringify([data, spec, status])]);
    seen.push([`${what}: managers`, managers.sort().join('\n')]);
  };

interface Managed {
  readonly managedFields?: readonly { readonly time?: string }[];
}
