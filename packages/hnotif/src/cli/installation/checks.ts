import {
  identityOf,
  isRaw,
  keyOf,
  type Raw,
  crds,
  JOURNAL_VERSION,
  type Notification,
} from '@hnotif/core/resources';
import type { Access } from '../../cluster/reviews.ts';
import { VERSION } from '@hnotif/core/version';
import type { Check } from '../offline/probes.ts';
import { POD_LABELS, selectsPods } from './deployment.ts';
import type { Installation } from './facts.ts';
import { fieldsOf } from './schema-fields.ts';

/** The most names in one line. */
const SHOWN = 3;

/** Whether an installation is complete and works: some ten lines. */
export const checksOf = (installation: Installation): readonly Check[] => [
  serves(installation),
  deployment(installation),
  ...definitions(installation),
  plans(installation),
  rights(installation),
  journals(installation),
  ...durability(installation),
  notifications(installation),
  metrics(installation),
  networkPolicy(installation),
  journalPolicy(installation),
];

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const part = (raw: unknown, name: string): Raw => (isRaw(raw) && isRaw(raw[name]) ? raw[name] : {});

function shortened(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const serves = ({ leader: { state, message } }: Installation): Check => ({
  about: 'leader',
  state: state === 'serving' ? 'ok' : state === 'inactive' ? 'failed' : 'warning',
  message,
});

function deployment({ deployment: read, namespace }: Installation): Check {
  const about = 'deployment';
  if (!read.ok) return { about, state: 'skipped', message: read.why };
  if (read.value === undefined)
    return {
      ...{ about, state: 'warning' },
      message: `namespace ${namespace} has no Deployment of hnotif; name its namespace with -n, unless hnotif runs outside the cluster`,
    };
  const { name, ready, replicas, image } = read.value;
  return {
    about,
    state: ready >= replicas ? 'ok' : ready > 0 ? 'warning' : 'failed',
    message: `${name} in namespace ${namespace}: ${ready} of ${counted(replicas, 'replica')} ready, image ${image}${
      ready >= replicas ? '' : `; kubectl -n ${namespace} describe pods and logs say why`
    }`,
  };
}

/** The CRDs of this version, and whether those of the cluster have all of their fields. */
function definitions({ crds: read, apiGroup }: Installation): readonly Check[] {
  const about = 'crds';
  if (!read.ok) return [{ about, state: 'skipped', message: read.why }];
  const remedy = 'apply those of this version: hnotif crds | kubectl apply -f -';
  return crds(apiGroup, { withPlans: false }).map(({ metadata: { name }, spec }): Check => {
    const present = read.value.get(name);
    if (present === undefined)
      return { about, state: 'failed', message: `${name} does not exist; ${remedy}` };
    const schemaOf = (versions: readonly unknown[]): unknown =>
      part(
        versions.find((each) => isRaw(each) && each.name === spec.versions[0]?.name),
        'schema',
      ).openAPIV3Schema;
    const known = new Set(fieldsOf(schemaOf(list(part(present, 'spec').versions))));
    const unknown = fieldsOf(schemaOf(spec.versions)).filter((field) => !known.has(field));
    if (unknown.length > 0)
      return {
        about,
        state: 'warning',
        message: `${name} is older than hnotif ${VERSION}: it has no ${shortened(unknown)}; ${remedy}`,
      };
    return { about, state: 'ok', message: `${name} has all fields of hnotif ${VERSION}` };
  });
}

function plans({ plans: read, planResource }: Installation): Check {
  const about = 'plans';
  if (read.ok)
    return { about, state: 'ok', message: `${planResource} is served, ${counted(read.value, 'plan')}` };
  return read.isServed === false
    ? {
        ...{ about, state: 'failed' },
        message: `${read.why}; it comes with the operator of the plans; --plan-resource names another one`,
      }
    : { about, state: 'skipped', message: read.why };
}

const inWords = ({ verb, group, resource, namespace, name }: Access): string =>
  `${verb} ${resource}${group === '' ? '' : `.${group}`}${name === undefined ? '' : `/${name}`} in ${
    namespace === '' ? 'all namespaces' : `namespace ${namespace}`
  }`;

function rights({ missing, needed, account, deployment: read }: Installation): Check {
  const about = 'rights';
  if (!missing.ok) return { about, state: 'skipped', message: missing.why };
  if (missing.value.length === 0)
    return { about, state: 'ok', message: `${account} has all ${needed.length} rights that hnotif needs` };
  const unsure =
    read.ok && read.value !== undefined ? '' : ' (if it watches some namespaces, this is not known here)';
  return {
    ...{ about, state: 'failed' },
    message: `${account} may not ${shortened(missing.value.map(inWords))}${unsure}; apply the roles of the chart or of deploy/kustomize again`,
  };
}

function journals({ journals: read }: Installation): Check {
  const about = 'journals';
  if (!read.ok) return { about, state: 'skipped', message: read.why };
  const others = read.value
    .filter((raw) => part(raw, 'spec').version !== JOURNAL_VERSION)
    .map((raw) => keyOf(identityOf(raw)));
  const waiting = read.value
    .map((raw) => part(part(raw, 'spec'), 'summary').waiting)
    .reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : 0), 0);
  const what = waiting === 1 ? 'delivery waits' : 'deliveries wait';
  return others.length > 0
    ? {
        ...{ about, state: 'warning' },
        message: `another version has written ${shortened(others)}; docs/upgrading.md says what to do`,
      }
    : { about, state: 'ok', message: `${counted(read.value.length, 'journal')}, ${waiting} ${what}` };
}

/** Notifications whose condition of this type is not `True`, although they are not muted. */
const without = (type: string, all: readonly Notification[]): readonly Notification[] =>
  all.filter(
    ({ status }) => !(status.conditions ?? []).some((each) => each.type === type && each.status === 'True'),
  );

function durability({ notifications: read }: Installation): readonly Check[] {
  if (!read.ok) return [];
  const seen = read.value.filter(({ status }) => status.conditions?.some(({ type }) => type === 'Durable'));
  const [first, ...more] = without('Durable', seen);
  const message = first?.status.conditions?.find(({ type }) => type === 'Durable')?.message ?? '';
  return first === undefined
    ? []
    : [
        {
          ...{ about: 'journals', state: 'failed' },
          message: `a kill would lose events of ${keyOf(first)}${more.length > 0 ? ` and ${more.length} more` : ''}: ${message}`,
        },
      ];
}

function notifications({ invalid: [broken, ...more], notifications: read }: Installation): Check {
  const about = 'notifications';
  if (!read.ok) return { about, state: 'skipped', message: read.why };
  if (broken !== undefined)
    return {
      ...{ about, state: 'failed' },
      message: `${broken.message}; correct it: hnotif ignores this version of it${more.length > 0 ? `; ${more.length} more cannot be read` : ''}`,
    };
  const all = read.value.length;
  if (all === 0)
    return { about, state: 'note', message: 'there are none yet; docs/install.md has a first one' };
  const [first, ...others] = without('Ready', read.value);
  return first === undefined
    ? { about, state: 'ok', message: `${counted(all, 'notification')}, all are ready` }
    : {
        ...{ about, state: 'warning' },
        message: `${others.length + 1} of ${all} are not ready: ${shortened([first, ...others].map(keyOf))}; hnotif doctor ${first.name} -n ${first.namespace} says why`,
      };
}

const podLabelsOf = ({ deployment: read }: Installation): Readonly<Record<string, string>> =>
  (read.ok ? read.value?.podLabels : undefined) ?? POD_LABELS;

function metrics(installation: Installation): Check {
  const { services, monitors } = installation;
  const about = 'metrics';
  const labels = podLabelsOf(installation);
  const collecting = monitors.map(
    (raw) => `${typeof raw.kind === 'string' ? raw.kind : 'monitor'} ${identityOf(raw).name}`,
  );
  if (collecting.length > 0)
    return { about, state: 'ok', message: `Prometheus collects them: ${shortened(collecting)}` };
  if (!services.ok) return { about, state: 'skipped', message: services.why };
  const service = services.value.find((raw) => {
    const { selector, ports } = part(raw, 'spec');
    return (
      isRaw(selector) &&
      selectsPods({ matchLabels: selector }, labels) &&
      list(ports).some((port) => isRaw(port) && (port.name === 'metrics' || port.targetPort === 'metrics'))
    );
  });
  return service === undefined
    ? {
        about,
        state: 'note',
        message:
          'no Service or monitor of this namespace leads to them; docs/operations.md says how to scrape hnotif',
      }
    : {
        about,
        state: 'ok',
        message: `the Service ${identityOf(service).name} has them; no monitor of the Prometheus operator is here`,
      };
}

function networkPolicy(installation: Installation): Check {
  const { networkPolicies: read } = installation;
  const about = 'network policy';
  if (!read.ok) return { about, state: 'skipped', message: read.why };
  const labels = podLabelsOf(installation);
  const own = read.value.filter((raw) => selectsPods(part(raw, 'spec').podSelector, labels));
  const names = own.map((raw) => identityOf(raw).name);
  const limiting = own.filter((raw) => list(part(raw, 'spec').policyTypes).includes('Egress'));
  if (limiting.length > 0 && limiting.every((raw) => list(part(raw, 'spec').egress).length === 0))
    return {
      ...{ about, state: 'failed' },
      message: `${shortened(names)} permits no egress: hnotif reaches neither the API server nor receivers; add rules as the chart's networkPolicy.create does`,
    };
  return names.length > 0
    ? { about, state: 'ok', message: `${shortened(names)} limits the connections of hnotif` }
    : {
        about,
        state: 'note',
        message:
          'none: all pods may connect to hnotif, and it may connect to all addresses; the chart has networkPolicy.create',
      };
}

function journalPolicy({ admissionPolicies: read, apiGroup }: Installation): Check {
  const about = 'journal policy';
  if (!read.ok) return { about, state: 'skipped', message: read.why };
  const policy = read.value.find((raw) =>
    list(part(part(raw, 'spec'), 'matchConstraints').resourceRules).some(
      (rule) =>
        isRaw(rule) &&
        list(rule.apiGroups).includes(apiGroup) &&
        list(rule.resources).includes('hibernatenotificationjournals'),
    ),
  );
  return policy === undefined
    ? {
        about,
        state: 'note',
        message:
          'none: all users with a role for journals may write them; the chart has journalPolicy.create',
      }
    : { about, state: 'ok', message: `${identityOf(policy).name} lets only hnotif write journals` };
}
