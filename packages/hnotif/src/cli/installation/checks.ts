import { identityOf, isRaw, keyOf, crds, JOURNAL_VERSION, type Notification } from '@hnotif/core/resources';
import type { Access } from '../../cluster/reviews.ts';
import { VERSION } from '@hnotif/core/version';
import { failed, note, ok, skipped, warning, type Check, type Verdict } from '../check.ts';
import { listAt, numberAt, objectAt, textAt } from '../fields.ts';
import { counted } from '../format.ts';
import type { Read } from '../session.ts';
import { POD_LABELS, selectsPods } from './deployment.ts';
import type { Installation } from './facts.ts';
import { fieldsOf } from './schema-fields.ts';

/** The most names in one line. */
const SHOWN = 3;

/** Whether an installation is complete and works: some ten lines. */
export function checksOf(installation: Installation): readonly Check[] {
  const { crds: definitions, deployment, journals, notifications, plans } = installation;
  const { admissionPolicies, networkPolicies } = installation;
  return [
    { about: 'leader', ...serves(installation) },
    check('deployment', deployment, (found) => ofDeployment(found, installation)),
    ...(definitions.ok
      ? ofDefinitions(definitions.value, installation).map((each) => ({ about: 'crds', ...each }))
      : [{ about: 'crds', ...skipped(definitions.why) }]),
    plans.ok || plans.isServed !== false
      ? check('plans', plans, (count) =>
          ok(`${installation.planResource} is served, ${counted(count, 'plan')}`),
        )
      : {
          about: 'plans',
          ...failed(
            `${plans.why}; it comes with the operator of the plans; --plan-resource names another one`,
          ),
        },
    check('rights', installation.missing, (missing) => ofRights(missing, installation)),
    check('journals', journals, ofJournals),
    ...(notifications.ok ? ofDurability(notifications.value) : []).map((each) => ({
      about: 'journals',
      ...each,
    })),
    check('notifications', notifications, (all) => ofNotifications(all, installation)),
    { about: 'metrics', ...ofMetrics(installation) },
    check('network policy', networkPolicies, (all) => ofNetworkPolicies(all, installation)),
    check('journal policy', admissionPolicies, (all) => ofJournalPolicy(all, installation)),
  ];
}

/** A check of what was read; what could not be read is skipped. */
const check = <T>(about: string, read: Read<T>, judge: (value: T) => Verdict): Check => ({
  about,
  ...(read.ok ? judge(read.value) : skipped(read.why)),
});

type Value<Key extends keyof Installation> = Installation[Key] extends Read<infer T> ? T : never;

function shortened(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const serves = ({ leader: { state, message } }: Installation): Verdict => ({
  state: state === 'serving' ? 'ok' : state === 'inactive' ? 'failed' : 'warning',
  message,
});

function ofDeployment(found: Value<'deployment'>, { namespace }: Installation): Verdict {
  if (found === undefined)
    return warning(
      `namespace ${namespace} has no Deployment of hnotif; name its namespace with -n, unless hnotif runs outside the cluster`,
    );
  const { name, ready, replicas, image } = found;
  const what = `${name} in namespace ${namespace}: ${ready} of ${counted(replicas, 'replica')} ready, image ${image}`;
  if (ready >= replicas) return ok(what);
  return (ready > 0 ? warning : failed)(`${what}; kubectl -n ${namespace} describe pods and logs say why`);
}

/** The CRDs of this version, and whether those of the cluster have all of their fields. */
function ofDefinitions(present: Value<'crds'>, { apiGroup }: Installation): readonly Verdict[] {
  const remedy = 'apply those of this version: hnotif crds | kubectl apply -f -';
  return crds(apiGroup, { withPlans: false }).map(({ metadata: { name }, spec }) => {
    const found = present.get(name);
    if (found === undefined) return failed(`${name} does not exist; ${remedy}`);
    const schemaIn = (versions: readonly unknown[]): unknown =>
      objectAt(
        versions.find((each) => textAt(each, 'name') === spec.versions[0]?.name),
        'schema',
        'openAPIV3Schema',
      );
    const known = new Set(fieldsOf(schemaIn(listAt(found, 'spec', 'versions'))));
    const unknown = fieldsOf(schemaIn(spec.versions)).filter((field) => !known.has(field));
    return unknown.length === 0
      ? ok(`${name} has all fields of hnotif ${VERSION}`)
      : warning(`${name} is older than hnotif ${VERSION}: it has no ${shortened(unknown)}; ${remedy}`);
  });
}

const inWords = ({ verb, group, resource, namespace, name }: Access): string =>
  `${verb} ${resource}${group === '' ? '' : `.${group}`}${name === undefined ? '' : `/${name}`} in ${
    namespace === '' ? 'all namespaces' : `namespace ${namespace}`
  }`;

function ofRights(missing: Value<'missing'>, { needed, account, deployment: read }: Installation): Verdict {
  if (missing.length === 0) return ok(`${account} has all ${needed.length} rights that hnotif needs`);
  const unsure =
    read.ok && read.value !== undefined ? '' : ' (if it watches some namespaces, this is not known here)';
  return failed(
    `${account} may not ${shortened(missing.map(inWords))}${unsure}; apply the roles of the chart or of deploy/kustomize again`,
  );
}

function ofJournals(all: Value<'journals'>): Verdict {
  const others = all
    .filter((raw) => numberAt(raw, 'spec', 'version') !== JOURNAL_VERSION)
    .map((raw) => keyOf(identityOf(raw)));
  const waiting = all.reduce((sum, raw) => sum + (numberAt(raw, 'spec', 'summary', 'waiting') ?? 0), 0);
  return others.length > 0
    ? warning(`another version has written ${shortened(others)}; docs/upgrading.md says what to do`)
    : ok(
        `${counted(all.length, 'journal')}, ${waiting} ${waiting === 1 ? 'delivery waits' : 'deliveries wait'}`,
      );
}

/** Notifications whose condition of this type is not `True`, although they are not muted. */
const without = (type: string, all: readonly Notification[]): readonly Notification[] =>
  all.filter(
    ({ status }) => !(status.conditions ?? []).some((each) => each.type === type && each.status === 'True'),
  );

function ofDurability(all: Value<'notifications'>): readonly Verdict[] {
  const seen = all.filter(({ status }) => status.conditions?.some(({ type }) => type === 'Durable'));
  const [first, ...more] = without('Durable', seen);
  if (first === undefined) return [];
  const message = first.status.conditions?.find(({ type }) => type === 'Durable')?.message ?? '';
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return [failed(`a kill would lose events of ${keyOf(first)}${others}: ${message}`)];
}

function ofNotifications(all: Value<'notifications'>, { invalid: [broken, ...more] }: Installation): Verdict {
  if (broken !== undefined)
    return failed(
      `${broken.message}; correct it: hnotif ignores this version of it${more.length > 0 ? `; ${more.length} more cannot be read` : ''}`,
    );
  if (all.length === 0) return note('there are none yet; docs/install.md has a first one');
  const unready = without('Ready', all);
  const [first] = unready;
  return first === undefined
    ? ok(`${counted(all.length, 'notification')}, all are ready`)
    : warning(
        `${unready.length} of ${all.length} are not ready: ${shortened(unready.map(keyOf))}; hnotif doctor ${first.name} -n ${first.namespace} says why`,
      );
}

const podLabelsOf = ({ deployment: read }: Installation): Readonly<Record<string, string>> =>
  (read.ok ? read.value?.podLabels : undefined) ?? POD_LABELS;

function ofMetrics(installation: Installation): Verdict {
  const { services, monitors } = installation;
  const labels = podLabelsOf(installation);
  const collecting = monitors.map((raw) => `${textAt(raw, 'kind') || 'monitor'} ${identityOf(raw).name}`);
  if (collecting.length > 0) return ok(`Prometheus collects them: ${shortened(collecting)}`);
  if (!services.ok) return skipped(services.why);
  const service = services.value.find((raw) => {
    const { selector } = objectAt(raw, 'spec');
    return (
      isRaw(selector) &&
      selectsPods({ matchLabels: selector }, labels) &&
      listAt(raw, 'spec', 'ports').some((port) =>
        [textAt(port, 'name'), textAt(port, 'targetPort')].includes('metrics'),
      )
    );
  });
  return service === undefined
    ? note(
        'no Service or monitor of this namespace leads to them; docs/operations.md says how to scrape hnotif',
      )
    : ok(`the Service ${identityOf(service).name} has them; no monitor of the Prometheus operator is here`);
}

function ofNetworkPolicies(all: Value<'networkPolicies'>, installation: Installation): Verdict {
  const labels = podLabelsOf(installation);
  const own = all.filter((raw) => selectsPods(objectAt(raw, 'spec').podSelector, labels));
  const names = shortened(own.map((raw) => identityOf(raw).name));
  const limiting = own.filter((raw) => listAt(raw, 'spec', 'policyTypes').includes('Egress'));
  if (limiting.length > 0 && limiting.every((raw) => listAt(raw, 'spec', 'egress').length === 0))
    return failed(
      `${names} permits no egress: hnotif reaches neither the API server nor receivers; add rules as the chart's networkPolicy.create does`,
    );
  return own.length > 0
    ? ok(`${names} limits the connections of hnotif`)
    : note(
        'none: all pods may connect to hnotif, and it may connect to all addresses; the chart has networkPolicy.create',
      );
}

function ofJournalPolicy(all: Value<'admissionPolicies'>, { apiGroup }: Installation): Verdict {
  const policy = all.find((raw) =>
    listAt(raw, 'spec', 'matchConstraints', 'resourceRules').some(
      (rule) =>
        listAt(rule, 'apiGroups').includes(apiGroup) &&
        listAt(rule, 'resources').includes('hibernatenotificationjournals'),
    ),
  );
  return policy === undefined
    ? note('none: all users with a role for journals may write them; the chart has journalPolicy.create')
    : ok(`${identityOf(policy).name} lets only hnotif write journals`);
}
