import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { startWebhookReceiver, type WebhookReceiver } from '@hnotif/receivers';
import { DEFAULT_API_GROUP as GROUP } from '@hnotif/core/resources';
import { startPlane, type ForkedPlane } from '../../forked-plane.ts';
import { countsOf } from '../../figures.ts';
import { Kube } from '../../kube.ts';
import { API_VERSION, createNamespace } from '../../objects.ts';
import { AT_ANY_PORT } from '../../process.ts';
import { deployRights, RBAC } from '../../rights.ts';
import { Team, type ShownNotification } from '../../team.ts';
import { Supervised } from './supervised.ts';
import { Victim, type VictimOptions } from './victim.ts';

/** The namespaces of attackers come last: if two journals name one plan, the one that is listed last would count. */
const VICTIM = 'team-a';
const attackerAt = (index: number): string => `team-b${index}`;

/** Texts of the victim that other teams may not see, with their beginnings. */
const CANARIES = {
  label: 'label-',
  annotation: 'annotation-',
  account: 'account-',
  region: 'region-',
};
type Canaries = Readonly<Record<keyof typeof CANARIES, string>>;

export interface StageOptions {
  readonly victim: VictimOptions;
  readonly flags: readonly string[];
  readonly before: readonly string[];
  /** How many teams attack, each from its own namespace. */
  readonly attackers: number;
}

/** What an attack has. */
export interface Scene extends Pick<Stage, 'victim' | 'controller'> {
  readonly attacker: Team;
  /** The attacker's receiver. */
  readonly receiver: WebhookReceiver;
}

/** A control plane with its rights, the victim and the attackers, their receivers, and the controller. */
export class Stage {
  readonly victim: Victim;
  readonly canaries: Canaries;
  /** One for each attacker. */
  readonly scenes: readonly Scene[];
  readonly #plane: ForkedPlane;
  readonly #options: StageOptions;
  #controller: Supervised | undefined;

  private constructor(
    plane: ForkedPlane,
    made: Pick<Stage, 'victim' | 'canaries'>,
    attackers: readonly Pick<Scene, 'attacker' | 'receiver'>[],
    options: StageOptions,
  ) {
    this.#plane = plane;
    this.victim = made.victim;
    this.canaries = made.canaries;
    this.#options = options;
    const controller = (): Supervised => this.controller;
    this.scenes = attackers.map((each) => ({
      ...{ ...each, victim: made.victim },
      get controller() {
        return controller();
      },
    }));
  }

  /** Creates everything except the controller. */
  static async set(options: StageOptions): Promise<Stage> {
    const plane = await startPlane({ secured: true });
    const { kube } = plane;
    await deployRights({ kube });
    await createNamespace(kube, VICTIM);
    const canaries = Object.fromEntries(
      Object.entries(CANARIES).map(([what, begin]) => [what, begin + randomBytes(12).toString('hex')]),
    ) as Canaries;
    const owner = new Team(VICTIM, kube);
    await owner.create('cloudproviders', {
      ...{ apiVersion: API_VERSION, kind: 'CloudProvider', metadata: { name: 'aws' } },
      spec: { type: 'aws', aws: { accountId: canaries.account, region: canaries.region } },
    });
    const victim = await Victim.start(
      owner,
      { labels: { secret: canaries.label }, annotations: { secret: canaries.annotation } },
      options.victim,
    );
    const attackers: Pick<Scene, 'attacker' | 'receiver'>[] = [];
    for (let index = 0; index < options.attackers; index++)
      attackers.push({
        attacker: await attackerOf(plane, attackerAt(index)),
        receiver: await startWebhookReceiver({ keep: 5_000 }),
      });
    return new Stage(plane, { victim, canaries }, attackers, options);
  }

  get controller(): Supervised {
    if (this.#controller === undefined) throw new Error('the controller is not started yet');
    return this.#controller;
  }

  async startController(): Promise<Supervised> {
    const { before, flags } = this.#options;
    this.#controller = await Supervised.start(
      [
        ...[`--kubeconfig=${this.#plane.kubeconfig}`, '--lease-namespace=hnotif', ...AT_ANY_PORT],
        ...['--allow-insecure-http', '--egress-allow=127.0.0.1/32'],
        ...['--status-interval=1s', '--drain-timeout=1s', ...flags],
      ],
      { before, logFile: join(this.#plane.folder, 'controller.log') },
    );
    return this.#controller;
  }

  /** The bytes of texts of the victim that attackers have got: in the requests to their receivers, and in their own namespaces. */
  async leaked(): Promise<number> {
    const objects = await Promise.all(
      this.scenes.flatMap(({ attacker }) => SEEN.map((plural) => attacker.list(plural))),
    );
    const got = this.scenes
      .flatMap(({ receiver }) => receiver.records)
      .map(({ rawBody, headers }) => `${rawBody.toString()}${JSON.stringify(headers)}`);
    return bytesOf(Object.values(this.canaries), [...got, JSON.stringify(objects)].join('\n'));
  }

  async close(): Promise<void> {
    await this.#controller?.close();
    await Promise.all([this.victim.close(), ...this.scenes.map(({ receiver }) => receiver.close())]);
    await this.#plane.close();
  }
}

/** The resources of its namespace that a team may list. */
const SEEN = ['hibernatenotifications', 'hibernatenotificationjournals', 'events'];

/** The bytes of these texts. Each occurrence counts. */
export const bytesOf = (texts: readonly string[], text: string): number =>
  texts.reduce((sum, each) => sum + (text.split(each).length - 1) * Buffer.byteLength(each), 0);

/** An attacker has the rights of an admin in its own namespace. */
async function attackerOf(
  { kube, facts: { url, ca, tokens } }: ForkedPlane,
  namespace: string,
): Promise<Team> {
  const metadata = { name: 'team' };
  await createNamespace(kube, namespace);
  await kube.post(`${RBAC}/namespaces/${namespace}/roles`, {
    metadata,
    rules: [{ apiGroups: ['', GROUP], resources: ['*'], verbs: ['*'] }],
  });
  await kube.post(`${RBAC}/namespaces/${namespace}/rolebindings`, {
    metadata,
    subjects: [{ kind: 'User', name: 'attacker' }],
    roleRef: { kind: 'Role', name: 'team' },
  });
  return new Team(namespace, new Kube(url, { ca, token: tokens.attacker }), kube);
}

/** The conditions of notifications. Each different text comes once, with the number of notifications that have it. */
export function conditionsOf(notifications: readonly ShownNotification[]): string {
  const texts = notifications.map(({ status }) =>
    (status?.conditions ?? [])
      .filter(({ type }) => type === 'Ready' || type === 'Durable')
      .map(({ type, status, reason }) => `${type}=${status} ${reason}`)
      .join(', '),
  );
  if (texts.length === 0) return 'no notification';
  const counts = [...countsOf(texts.map((text) => text || 'no condition'))];
  return counts.map(([text, count]) => (texts.length === 1 ? text : `${count} × ${text}`)).join('; ');
}
