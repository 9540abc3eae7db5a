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
import { startVictim, type Victim, type VictimOptions } from './victim.ts';

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

export interface StageOptions {
  readonly victim: VictimOptions;
  readonly flags: readonly string[];
  readonly before: readonly string[];
  /** How many teams attack, each from its own namespace. */
  readonly attackers: number;
}

/** What an attack has. */
export interface Scene {
  readonly attacker: Team;
  /** The attacker's receiver. */
  readonly receiver: WebhookReceiver;
  readonly victim: Victim;
  readonly controller: Supervised;
}

/** A control plane with its rights, the victim and the attackers, their receivers, and the controller. */
export interface Stage {
  readonly victim: Victim;
  /** One for each attacker. */
  readonly scenes: readonly Scene[];
  startController(): Promise<Supervised>;
  /** The bytes of texts of the victim that attackers have got: in the requests to their receivers, and in their own namespaces. */
  leaked(): Promise<number>;
  close(): Promise<void>;
}

/** Creates everything except the controller. */
export async function setStage(options: StageOptions): Promise<Stage> {
  const plane = await startPlane({ secured: true });
  const { kube } = plane;
  await deployRights({ kube });
  await createNamespace(kube, VICTIM);
  const canaries = Object.fromEntries(
    Object.entries(CANARIES).map(([what, begin]) => [what, begin + randomBytes(12).toString('hex')]),
  ) as typeof CANARIES;
  const owner = new Team(VICTIM, kube);
  await owner.create('cloudproviders', {
    ...{ apiVersion: API_VERSION, kind: 'CloudProvider', metadata: { name: 'aws' } },
    spec: { type: 'aws', aws: { accountId: canaries.account, region: canaries.region } },
  });
  const secrets = { labels: { secret: canaries.label }, annotations: { secret: canaries.annotation } };
  const victim = await startVictim(owner, secrets, options.victim);
  let controller: Supervised | undefined;
  const scenes: Scene[] = [];
  for (let index = 0; index < options.attackers; index++)
    scenes.push({
      attacker: await attackerOf(plane, attackerAt(index)),
      receiver: await startWebhookReceiver({ keep: 5_000 }),
      victim,
      get controller() {
        if (controller === undefined) throw new Error('the controller is not started yet');
        return controller;
      },
    });
  return {
    ...{ victim, scenes },
    async startController() {
      const args = [
        ...[`--kubeconfig=${plane.kubeconfig}`, '--lease-namespace=hnotif', ...AT_ANY_PORT],
        ...['--allow-insecure-http', '--egress-allow=127.0.0.1/32'],
        ...['--status-interval=1s', '--drain-timeout=1s', ...options.flags],
      ];
      const logFile = join(plane.folder, 'controller.log');
      return (controller = await Supervised.start(args, { before: options.before, logFile }));
    },
    async leaked() {
      const objects = await Promise.all(
        scenes.flatMap(({ attacker }) => SEEN.map((plural) => attacker.list(plural))),
      );
      const got = scenes
        .flatMap(({ receiver }) => receiver.records)
        .map(({ rawBody, headers }) => `${rawBody.toString()}${JSON.stringify(headers)}`);
      return bytesOf(Object.values(canaries), [...got, JSON.stringify(objects)].join('\n'));
    },
    async close() {
      await controller?.close();
      await Promise.all([victim, ...scenes].map(({ receiver }) => receiver.close()));
      await plane.close();
    },
  };
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
