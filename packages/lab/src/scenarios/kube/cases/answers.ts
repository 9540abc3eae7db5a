import { variations } from '../../../../../hnotif/e2e/support/variations.ts';
import { answerOf, type Case, type Seen } from '../case.ts';
import { ALL } from '../../../nights.ts';
import type { KubeObject } from '../../../kube.ts';
import { configMapObject, notificationObject } from '../../../objects.ts';
import type { Stage } from '../stage.ts';

export const validation: Case = {
  name: 'validation',
  about:
    "Notifications that the server's schema and CEL rules accept or refuse, with the fields and messages of its answer.",
  run: async (stage) =>
    Promise.all(
      variations().map(async ({ change, object }) => {
        const answer = await stage.kube.ask(
          'POST',
          `${stage.path('hibernatenotifications')}?dryRun=All`,
          object,
        );
        return [JSON.stringify(change).slice(0, 100), answerOf(answer)] as const;
      }),
    ),
};

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

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
}

const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const JSON_TYPE = 'application/json';

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
    const asked = async (what: string, method: string, to: string, body?: object, type?: string) => {
      const answer = answerOf(
        await kube.ask(method, to, body, type ?? (method === 'PATCH' ? MERGE : JSON_TYPE)),
      );
      const uid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
      const named = answer.replaceAll(stage.ground.run, 'RUN').replace(uid, 'UID');
      note(what, named.replace(/in record \(\d+\)/, 'in record (V)'));
    };
    const own = notificationObject('n', {});
    await stage.hook();
    const made = await stage.notify();
    note('generation of a new object', made.metadata.generation);
    await asked('create again', 'POST', all, own);
    const changed = await kube.patch(path, { spec: { onEvents: ['Start'] } });
    note('generation after a change of spec', changed.metadata.generation);
    await asked('update of an old version', 'PUT', path, made);
    const old = {
      metadata: { resourceVersion: made.metadata.resourceVersion },
      spec: { onEvents: ['Failure'] },
    };
    await asked('patch with an old version', 'PATCH', path, old);
    const same = await kube.patch(path, { spec: { onEvents: ['Start'] } });
    const isSame = same.metadata.resourceVersion === changed.metadata.resourceVersion;
    note('a patch without a change makes no new version', isSame);
    const ofSpec = await kube.patch(path, { status: { matched: 7 } });
    note('status by the object itself', JSON.stringify(ofSpec.status));
    const both = { status: { matched: 7 }, spec: { onEvents: ['Success'] } };
    const ofStatus = await kube.patch(`${path}/status?fieldManager=e2e`, both);
    note('status by the subresource', JSON.stringify([ofStatus.status, ofStatus.spec?.onEvents]));
    note('generation after a change of status', ofStatus.metadata.generation);
    await asked('wrong status', 'PATCH', `${path}/status`, { status: { matched: 'x' } });
    note('managers', managersOf(ofStatus));
    const strict = { ...notificationObject('m', {}), more: 1 };
    await asked('unknown field, strict', 'POST', `${all}?fieldValidation=Strict`, strict);
    const ignored = await kube.post(`${all}?fieldValidation=Ignore&dryRun=All`, strict);
    note('unknown field, ignored, is pruned', !('more' in ignored));
    const templated = notificationObject('d', { sinks: [{ name: 's', templateRef: { name: 't' } }] });
    const { sinks = [] } = ((await kube.post(`${all}?dryRun=All`, templated)).spec ?? {}) as Templated;
    note('default of templateRef.key', sinks[0]?.templateRef.key);
    await asked('server-side apply', 'PATCH', `${path}?fieldManager=e2e&force=true`, own, APPLY);
    await asked('patch of another uid', 'PATCH', path, { metadata: { uid: 'another' } });
    const ofAnother = { metadata: { uid: 'another' }, status: { matched: 8 } };
    await asked('status patch of another uid', 'PATCH', `${path}/status`, ofAnother);
    const tested = [
      { op: 'test', path: '/metadata/uid', value: 'another' },
      { op: 'add', path: '/status', value: { matched: 9 } },
    ];
    await asked('status patch that tests another uid', 'PATCH', `${path}/status`, tested, JSON_PATCH);
    note('status after these', JSON.stringify((await kube.get(path)).status));
    await asked('update without a version', 'PUT', path, own);
    const versioned = { ...own, metadata: { name: 'v', resourceVersion: '1' } };
    await asked('create with a version', 'POST', all, versioned);
    await asked('delete of another version', 'DELETE', path, { preconditions: { resourceVersion: '1' } });
    await asked('delete of another uid', 'DELETE', path, { preconditions: { uid: 'another' } });
    const maps = stage.path('configmaps');
    for (let at = 0; at < 3; at++) await kube.post(maps, configMapObject(`page-${at}`, {}));
    const page = (await kube.get(`${maps}?limit=2`)) as unknown as Page;
    const next = encodeURIComponent(page.metadata.continue ?? '');
    const rest = (await kube.get(`${maps}?limit=500&continue=${next}`)) as unknown as Page;
    note('pages', `${page.items.length} of a limit of 2, more: ${rest.items.length > 0}`);
    await asked('a list of an invalid version', 'GET', `${all}?resourceVersion=junk`);
    await asked('a missing namespace', 'POST', all.replace(stage.namespace, 'hnotif-e2e-nowhere'), own);
    await asked('a get of an invalid version', 'GET', `${path}?resourceVersion=junk`);
    await asked('a missing resource', 'GET', `/api/v1/namespaces/${stage.namespace}/widgets`);
    await asked('a missing subresource', 'GET', `${maps}/page-0/widget`);
    await asked('delete', 'DELETE', path);
    await asked('get of a deleted object', 'GET', path);
    return seen;
  },
};

interface Templated {
  readonly sinks?: readonly { readonly templateRef: { readonly key?: string } }[];
}

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
