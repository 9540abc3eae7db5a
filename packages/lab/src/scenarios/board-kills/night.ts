import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevCluster, type DevCluster } from '@hnotif/devcluster';
import {
  startTeamchatReceiver,
  type TeamchatMessage,
  type TeamchatReceiver,
  type TeamchatRecord,
} from '@hnotif/receivers';
import { Kube } from '../../kube.ts';
import { LOOPBACK_FLAGS } from '../../loopback.ts';
import { createNamespace, installCrds, NAMESPACE, PLENTY } from '../../objects.ts';
import { AT_ANY_PORT, Process } from '../../process.ts';
import { Team } from '../../team.ts';
import { until, within } from '../../wait.ts';
import { judge } from './judge.ts';
import { isTaken, matchOf, type Moment, type RequestName } from './moments.ts';

const CHANNEL = 'C0BOARD';
const TOKEN = 'xoxb-000000000000-kills';
const PLANS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const [FAILED = '', ...GOOD] = PLANS;
const LIMIT_MS = 60_000;
const WRITES = { verb: ['create', 'update', 'patch'], resource: 'hibernatenotificationjournals' } as const;

/** The events happened this long ago, so a night ends some seconds after its last one (milliseconds). */
const AGO_MS = 50_000;
const BOARD = {
  ...{ delivery_mode: 'board', bot_token: TOKEN, channel_id: CHANNEL, board_quiet: 1, rate_limit: PLENTY },
  ...{ time_display: 'utc', time_layout: '2006-01-02T15:04:05Z' },
};

/** A control plane, a chat, six plans, and hnotif as users start it. */
interface World {
  readonly cluster: DevCluster;
  readonly chat: TeamchatReceiver;
  readonly team: Team;
  readonly messages: () => readonly TeamchatMessage[];
  /** Starts hnotif. Resolves when it serves. */
  readonly start: () => Promise<Process>;
}

/** One night of six plans, in which hnotif is killed at these moments. Resolves with what is wrong with the board. */
export async function nightWithKills(moments: readonly Moment[]): Promise<readonly string[]> {
  // All objects are older than the events.
  let isMade = false;
  const now = (): number => Date.now() - (isMade ? 0 : 2 * AGO_MS);
  const cluster = await startDevCluster({ now });
  const chat = await startTeamchatReceiver({ channels: [{ id: CHANNEL }], tokens: { [TOKEN]: {} } });
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-board-'));
  let hnotif: Process | undefined;
  try {
    const team = new Team(NAMESPACE, new Kube(cluster.url));
    team.now = () => Date.now() - AGO_MS;
    await installCrds(team.kube);
    await createNamespace(team.kube, NAMESPACE);
    await team.secret('board', BOARD);
    await team.notification('nights', { sinks: [{ name: 'board', type: 'teamchat' }] });
    for (const plan of PLANS) await team.plan(plan, ['db'], { spec: { behavior: { retries: 0 } } });
    isMade = true;
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, cluster.kubeconfig());
    const start = async (): Promise<Process> => {
      hnotif = new Process([
        ...['run', `--kubeconfig=${kubeconfig}`, `--chat-api-url=${chat.apiUrl}`, ...LOOPBACK_FLAGS],
        ...[...AT_ANY_PORT, '--lease-namespace=default', '--leader-elect=false'],
      ]);
      if ((await within(LIMIT_MS, 'the start of hnotif', hnotif.serving)) === undefined)
        throw new Error(`hnotif has ended: ${hnotif.stderr.at(-1)}`);
      return hnotif;
    };
    const world = { cluster, chat, team, start, messages: () => chat.channel(CHANNEL).messages };
    const first = await start();
    // A plan that hnotif has not seen at rest has no Start.
    const isKnown = async (): Promise<boolean> => {
      const journals = JSON.stringify(await team.list(WRITES.resource));
      return PLANS.every((plan) => journals.includes(plan));
    };
    await until(isKnown, { what: 'the journals of all plans', limitMs: LIMIT_MS });
    await Promise.all([killed(world, first, moments), played(world)]).catch((error: unknown) => {
      throw new Error(
        `${String(error)}; the channel: ${world
          .messages()
          .map(({ text }) => text)
          .join('; ')}`,
      );
    });
    return judge(world.messages(), new Map(PLANS.map((plan) => [plan, plan === FAILED ? 'failed' : 'done'])));
  } finally {
    await hnotif?.end('SIGKILL');
    await Promise.all([chat.close(), cluster.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The night. It goes on when the board shows what has happened. */
async function played({ team, messages }: World): Promise<void> {
  const shows = (what: string, isShown: (board: TeamchatMessage) => boolean): Promise<unknown> =>
    until(() => messages().some(isShown), { what: `the board with ${what}`, limitMs: LIMIT_MS });
  const counts = (text: string): Promise<unknown> => shows(text, (board) => board.text.includes(text));
  for (const plan of PLANS) await team.begins(plan);
  await counts('6 running');
  const [first = '', ...others] = GOOD;
  await team.succeeds(first);
  await counts('1 of 6 asleep');
  await team.fails(FAILED, 'no capacity');
  await shows('a reply', ({ replies }) => replies.length > 0);
  for (const plan of others) await team.succeeds(plan);
  await counts('Hibernation of 6 Plans, 1 Failed');
  await shows('its end', ({ replies }) => replies.some(({ metadata }) => metadata === undefined));
}

/** Kills hnotif at these moments, one after the other. */
async function killed(world: World, first: Process, moments: readonly Moment[]): Promise<void> {
  let hnotif = first;
  for (const moment of moments) {
    const { taken } = moment;
    if ('request' in moment) await requested(world, moment.request, taken);
    else await written(world, moment.writeAfter, taken);
    await hnotif.end('SIGKILL');
    world.chat.faults.clear();
    world.cluster.faults.clear();
    hnotif = await world.start();
  }
}

/** Resolves when such a request has come. It gets no answer. */
async function requested({ chat }: World, request: RequestName, taken: boolean): Promise<void> {
  const from = chat.records.length;
  chat.faults.add({ match: matchOf(request), fault: { kind: 'hang', accepted: taken } });
  const isHanging = ({ answered }: TeamchatRecord): boolean => answered.fault === 'hang';
  await chat.waitFor((records) => records.slice(from).some(isHanging), { timeoutMs: LIMIT_MS });
}

/** Resolves when a journal is written after such a request. It gets no answer. */
async function written(
  { chat, cluster }: World,
  after: RequestName | undefined,
  taken: boolean,
): Promise<void> {
  const effect = taken
    ? ({ kind: 'reset', when: 'after' } as const)
    : ({ kind: 'delay', until: new Promise(() => undefined) } as const);
  const { hits } = cluster.faults;
  let isHeld = false;
  const hold = (): void => {
    if (!isHeld) cluster.faults.add({ ...WRITES, effect, times: 1 });
    isHeld = true;
  };
  if (after === undefined) hold();
  else
    chat.onRecord((record) => {
      if (isTaken(after, record)) hold();
    });
  await until(() => cluster.faults.hits > hits, {
    what: 'the write of a journal',
    limitMs: LIMIT_MS,
    everyMs: 5,
  });
}
