import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { startWebhookReceiver, type WebhookReceiver } from '@hnotif/receivers';
import { crds } from '../../../../hnotif/src/resources/crds/crds.ts';
import { DEFAULT_API_GROUP as GROUP } from '../../../../hnotif/src/resources/group.ts';
import { Kube } from '../../kube.ts';
import { deployRights, RBAC } from '../../rights.ts';
import type { BareClientOptions } from './bare-client-process.ts';
import type { ClusterFacts } from './cluster-process.ts';
import { forked, type Forked } from './forked.ts';
import { Supervised } from './supervised.ts';
import { Tenant } from './tenant.ts';
import { BARE, Victim, type VictimOptions } from './victim.ts';

/** The flags that permit the receivers of these rows. All receivers are at 127.0.0.1. Other loopback addresses are used as networks that are not permitted. */
export const EGRESS: readonly string[] = ['--egress-allow=127.0.0.1/32'];

/** The attacker's namespace comes last: if two journals name one plan, the one that is listed last would count. */
const VICTIM = 'team-a';
const ATTACKER = 'team-b';

/** A unique text. */
const canary = (what: string): string => `${what}-${randomBytes(12).toString('hex')}`;

/** Texts of the victim that other teams may not see. */
export interface Canaries {
  readonly label: string;
  readonly annotation: string;
  readonly account: string;
  readonly region: string;
  /** The answer of a server inside the network. */
  readonly answer: string;
}

export interface StageOptions {
  readonly victim: VictimOptions;
  readonly flags: readonly string[];
  readonly before: readonly string[];
}

/** A control plane with its rights, two teams, their receivers, and the controller. */
export class Stage {
  readonly cluster: Forked<ClusterFacts>;
  readonly folder: string;
  readonly attacker: Tenant;
  readonly victim: Victim;
  /** The attacker's receiver. */
  readonly receiver: WebhookReceiver;
  readonly canaries: Canaries;
  readonly #options: StageOptions;
  #controller: Supervised | undefined;
  #bareClient: Forked<unknown> | undefined;

  private constructor(
    made: Pick<Stage, 'cluster' | 'folder' | 'attacker' | 'victim' | 'receiver' | 'canaries'>,
    options: StageOptions,
  ) {
    this.cluster = made.cluster;
    this.folder = made.folder;
    this.attacker = made.attacker;
    this.victim = made.victim;
    this.receiver = made.receiver;
    this.canaries = made.canaries;
    this.#options = options;
  }

  /** Creates everything except the controller. */
  static async set(options: StageOptions): Promise<Stage> {
    const cluster = await forked<ClusterFacts>('cluster-process.ts');
    const { url, ca, tokens } = cluster.facts;
    const admin = new Kube(url, { ca, token: tokens.admin });
    await install(admin);
    const canaries: Canaries = {
      label: canary('label'),
      annotation: canary('annotation'),
      account: canary('acc').slice(0, 32),
      region: canary('region'),
      answer: canary('db_password='),
    };
    const owner = new Tenant(VICTIM, admin, admin);
    await connector(owner, canaries);
    const victim = await Victim.start(
      owner,
      { labels: { secret: canaries.label }, annotations: { secret: canaries.annotation } },
      options.victim,
    );
    const attacker = new Tenant(ATTACKER, new Kube(url, { ca, token: tokens.attacker }), admin);
    const receiver = await startWebhookReceiver({ keep: 5_000 });
    const folder = await mkdtemp(join(tmpdir(), 'hnotif-neighbours-'));
    return new Stage({ cluster, folder, attacker, victim, receiver, canaries }, options);
  }

  get controller(): Supervised {
    if (this.#controller === undefined) throw new Error('the controller is not started yet');
    return this.#controller;
  }

  async startController(): Promise<void> {
    const kubeconfig = join(this.folder, 'kubeconfig');
    await writeFile(kubeconfig, this.cluster.facts.kubeconfig, { mode: 0o600 });
    this.#controller = await Supervised.start({
      args: [
        ...[`--kubeconfig=${kubeconfig}`, '--lease-namespace=hnotif', '--allow-insecure-http'],
        ...['--metrics-address=127.0.0.1:0', '--health-address=127.0.0.1:0'],
        ...['--status-interval=1s', '--drain-timeout=1s', ...EGRESS, ...this.#options.flags],
      ],
      before: this.#options.before,
      logFile: join(this.folder, 'controller.log'),
    });
  }

  /** Starts the bare client. */
  async startBareClient(): Promise<void> {
    const { url, ca, tokens } = this.cluster.facts;
    const { tenant, receiver } = this.victim;
    const options: BareClientOptions = {
      ...{ url, ca, token: tokens.admin, namespace: tenant.namespace },
      plans: `/apis/${GROUP}/v1alpha1/hibernateplans`,
      receiver: `http://127.0.0.1:${receiver.port}${BARE}`,
    };
    this.#bareClient = await forked('bare-client-process.ts', JSON.stringify(options));
  }

  async close(): Promise<void> {
    await this.#bareClient?.close();
    await this.#controller?.close();
    await Promise.all([this.victim.close(), this.receiver.close()]);
    await this.cluster.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Creates the CRDs, the rights of deploy/, and a namespace for each team. The attacker has the rights of an admin in its own namespace. */
async function install(kube: Kube): Promise<void> {
  for (const crd of crds(GROUP, { withPlans: true }))
    await kube.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  await deployRights({ kube });
  for (const name of [VICTIM, ATTACKER])
    await kube.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const metadata = { name: 'team' };
  await kube.post(`${RBAC}/namespaces/${ATTACKER}/roles`, {
    metadata,
    rules: [{ apiGroups: ['', GROUP], resources: ['*'], verbs: ['*'] }],
  });
  await kube.post(`${RBAC}/namespaces/${ATTACKER}/rolebindings`, {
    metadata,
    subjects: [{ kind: 'User', name: 'attacker' }],
    roleRef: { kind: 'Role', name: 'team' },
  });
}

/** The connector with the account of the victim's targets. */
const connector = (tenant: Tenant, { account, region }: Canaries): Promise<void> =>
  tenant.create('cloudproviders', {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'CloudProvider',
    metadata: { name: 'aws' },
    spec: { type: 'aws', aws: { accountId: account, region } },
  });
