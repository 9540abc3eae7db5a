import type { KubeObject } from '../../../kube.ts';
import { configMapObject, notificationObject } from '../../../objects.ts';
import { ALL } from '../../../nights.ts';
import { answerOf } from '../answer.ts';
import type { Case, Seen } from '../case.ts';

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
}

const APPLY = 'application/apply-patch+yaml';
const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';

export const writes: Case = {
  name: 'writes',
  about:
    'Conflicts, preconditions, the status subresource, field managers, generations: the controller relies on them.',
  run: async (stage) => {
    const { kube } = stage;
    const seen: Seen[] = [];
    const all = stage.path('hibernatenotifications');
    const path = `${all}/n`;
    const note = (what: string, value: unknown): void => void seen.push([what, String(value)]);
    const asked = async (what: string, ...request: Parameters<typeof kube.ask>): Promise<void> => {
      const answer = answerOf(await kube.ask(...request));
      const uid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
      const version = /in record \(\d+\)/;
      note(
        what,
        answer.replaceAll(stage.ground.run, 'RUN').replace(uid, 'UID').replace(version, 'in record (V)'),
      );
    };
    await stage.hook();
    const made = await stage.notify();
    note('generation of a new object', made.metadata.generation);
    await asked('create again', 'POST', all, notificationObject('n', { onEvents: ALL }));
    const changed = await kube.patch(path, { spec: { onEvents: ['Start'] } });
    note('generation after a change of spec', changed.metadata.generation);
    await asked('update of an old version', 'PUT', path, made);
    await asked(
      'patch with an old version',
      'PATCH',
      path,
      {
        ...{ metadata: { resourceVersion: made.metadata.resourceVersion }, spec: { onEvents: ['Failure'] } },
      },
      MERGE,
    );
    const same = await kube.patch(path, { spec: { onEvents: ['Start'] } });
    note(
      'a patch without a change makes no new version',
      same.metadata.resourceVersion === changed.metadata.resourceVersion,
    );
    const ofSpec = await kube.patch(path, { status: { matched: 7 } });
    note('status by the object itself', JSON.stringify(ofSpec.status));
    const ofStatus = await kube.patch(`${path}/status?fieldManager=e2e`, {
      ...{ status: { matched: 7 }, spec: { onEvents: ['Success'] } },
    });
    note('status by the subresource', JSON.stringify([ofStatus.status, ofStatus.spec?.onEvents]));
    note('generation after a change of status', ofStatus.metadata.generation);
    await asked('wrong status', 'PATCH', `${path}/status`, { status: { matched: 'x' } }, MERGE);
    note('managers', managersOf(ofStatus));
    const strict = { ...notificationObject('m', { onEvents: ALL }), more: 1 };
    await asked('unknown field, strict', 'POST', `${all}?fieldValidation=Strict`, strict);
    const ignored = await kube.post(`${all}?fieldValidation=Ignore&dryRun=All`, strict);
    note('unknown field, ignored, is pruned', !('more' in ignored));
    const templated = { name: 's', templateRef: { name: 't' } };
    const defaulted = await kube.post(
      `${all}?dryRun=All`,
      notificationObject('d', { onEvents: ALL, sinks: [templated] }),
    );
    const [sink] = (defaulted.spec?.sinks ?? []) as readonly {
      readonly templateRef: { readonly key?: string };
    }[];
    note('default of templateRef.key', sink?.templateRef.key);
    await asked(
      'server-side apply',
      'PATCH',
      `${path}?fieldManager=e2e&force=true`,
      { ...notificationObject('n', { onEvents: ALL }) },
      APPLY,
    );
    await asked('patch of another uid', 'PATCH', path, { metadata: { uid: 'another' } }, MERGE);
    const ofAnother = { metadata: { uid: 'another' }, status: { matched: 8 } };
    await asked('status patch of another uid', 'PATCH', `${path}/status`, ofAnother, MERGE);
    const tested = [
      { op: 'test', path: '/metadata/uid', value: 'another' },
      { op: 'add', path: '/status', value: { matched: 9 } },
    ];
    await asked('status patch that tests another uid', 'PATCH', `${path}/status`, tested, JSON_PATCH);
    note('status after these', JSON.stringify((await kube.get(path)).status));
    await asked('update without a version', 'PUT', path, notificationObject('n', { onEvents: ALL }));
    const versioned = {
      ...notificationObject('v', { onEvents: ALL }),
      metadata: { name: 'v', resourceVersion: '1' },
    };
    await asked('create with a version', 'POST', all, versioned);
    await asked('delete of another version', 'DELETE', path, { preconditions: { resourceVersion: '1' } });
    await asked('delete of another uid', 'DELETE', path, { preconditions: { uid: 'another' } });
    for (let at = 0; at < 3; at++)
      await kube.post(stage.path('configmaps'), configMapObject(`page-${at}`, {}));
    const page = (await kube.get(`${stage.path('configmaps')}?limit=2`)) as unknown as Page;
    const rest = await kube.get(
      `${stage.path('configmaps')}?limit=500&continue=${encodeURIComponent(page.metadata.continue ?? '')}`,
    );
    note(
      'pages',
      `${page.items.length} of a limit of 2, more: ${(rest.items as readonly object[]).length > 0}`,
    );
    await asked('a list of an invalid version', 'GET', `${all}?resourceVersion=junk`);
    await asked(
      'a missing namespace',
      'POST',
      all.replace(stage.namespace, 'hnotif-e2e-nowhere'),
      notificationObject('n', { onEvents: ALL }),
    );
    await asked('a get of an invalid version', 'GET', `${path}?resourceVersion=junk`);
    await asked('a missing resource', 'GET', `/api/v1/namespaces/${stage.namespace}/widgets`);
    await asked('a missing subresource', 'GET', `${stage.path('configmaps')}/page-0/widget`);
    await asked('delete', 'DELETE', path);
    await asked('get of a deleted object', 'GET', path);
    return seen;
  },
};

interface Page {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly object[];
}

function managersOf({ metadata }: KubeObject): string {
  const { managedFields = [] } = metadata as { readonly managedFields?: readonly ManagedFields[] };
  const all = managedFields.map(({ manager, operation, subresource }) =>
    [manager, operation, subresource].filter(Boolean).join(' '),
  );
  return all.sort().join(', ') || 'none';
}
