import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevCluster } from '@hnotif/devcluster';
import { sleep, systemClock } from '../../clock.ts';
import { startController, type Controller } from '../../controller/controller.ts';
import { CONTROLLER_DEFAULTS } from '../../controller/options.ts';
import { createLog } from '../../observe/log.ts';
import { crds } from '../../resources/crds/crds.ts';
import { API_VERSION, DEFAULT_API_GROUP, defaultPlanResource } from '../../resources/group.ts';
import { LOOPBACK } from '../../transport/special.ts';
import { VERSION } from '../../version.ts';
import type { DevFlags } from '../dev-flags.ts';
import { EXIT } from '../exit.ts';
import { stopSignal } from '../signals.ts';
import { Api } from './api.ts';
import { banner } from './banner.ts';
import { projectPath, readManifests, withReceivers } from './manifests.ts';
import { asksForNight, Player } from './player.ts';
import { Ports } from './ports.ts';
import { EXAMPLE_ORIGINS, showDeliveries, startReceivers } from './receivers.ts';
import { paintFor } from './show/paint.ts';
import { printableLine } from './show/printable.ts';

export { refusalOf } from './judge.ts';

const HOST = '127.0.0.1';
const GROUP = DEFAULT_API_GROUP;
const BETWEEN_NIGHTS_MS = 10_000;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Everything on one machine: the embedded control plane, the receivers, the controller as `hnotif run` starts it (given
 * a kubeconfig file), and a player that writes plan statuses through the night. Answers with the exit code.
 */
export async function dev(flags: DevFlags, env: Env): Promise<number> {
  const closing: (() => Promise<void>)[] = [];
  try {
    return await play(flags, env, (close) => closing.push(close));
  } catch (error) {
    process.stderr.write(`error: ${printableLine(error instanceof Error ? error.message : String(error))}\n`);
    return EXIT.failed;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function play(
  flags: DevFlags,
  env: Env,
  onClose: (close: () => Promise<void>) => void,
): Promise<number> {
  const paint = paintFor(process.stdout.isTTY, env);
  const stop = new AbortController();
  const hurry = new AbortController();
  void stopSignal().then(() => {
    console.log('\nstopping: what waits is sent; once more stops at once');
    stop.abort();
    void stopSignal().then(() => {
      hurry.abort();
    });
  });
  const manifests = await readManifests(flags.examples ?? projectPath('examples'));
  const schema = JSON.parse(
    await readFile(projectPath('schemas/webhook-payload.schema.json'), 'utf8'),
  ) as object;

  const ports = new Ports(HOST);
  const cluster = await startDevCluster({
    host: HOST,
    port: await ports.take('the control plane', flags.port),
    loopbackOnly: true,
  });
  onClose(() => cluster.close());
  const receivers = await startReceivers({ host: HOST, ports, flags, manifests, schema, onClose });
  const { webhook, teamchat, botchat } = receivers;

  if (flags.once && !manifests.some(asksForNight))
    throw new Error('no plan asks for a night: annotate one with demo.hibernation.dev/night: steady');
  const api = new Api(cluster.url);
  for (const crd of crds(GROUP, { withPlans: true })) await api.create(crd);
  const moves = new Map([
    [EXAMPLE_ORIGINS.webhook, webhook.origin],
    [EXAMPLE_ORIGINS.teamchat, teamchat.origin],
  ]);
  for (const manifest of withReceivers(manifests, moves)) await api.create(manifest);

  const written = new Map<string, number>();
  const player = new Player({
    api,
    clock: systemClock,
    speed: flags.speed,
    signal: stop.signal,
    writing: (namespace, name) => written.set(`${namespace}/${name}`, performance.now()),
    warn: (message) => process.stderr.write(`warning: ${printableLine(message)}\n`),
  });
  await player.meet(await plansOf(api));

  const folder = await mkdtemp(join(tmpdir(), 'hnotif-dev-'));
  onClose(() => rm(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });

  const controller = await startController(
    {
      ...CONTROLLER_DEFAULTS,
      kubeconfig,
      apiGroup: GROUP,
      planResource: defaultPlanResource(GROUP),
      leaseNamespace: 'default',
      allowInsecureHttp: true,
      egressAllow: LOOPBACK,
      showPrivateAnswers: true,
      chatApiUrl: teamchat.apiUrl,
      botApiUrl: botchat.origin,
      statusIntervalMs: 1_000,
      metricsAddress: { host: HOST, port: await ports.take('metrics', flags.metricsPort) },
      healthAddress: { host: HOST, port: await ports.take('health', flags.healthPort) },
      env: {},
    },
    createLog({ format: 'text', level: flags.logLevel }),
  );
  onClose(() => controller.stop(hurry.signal));
  const deposed = controller.deposed.then((reason): never => {
    throw new Error(`the controller has ended: ${reason}`);
  });
  await Promise.race([controller.synced, deposed]);

  console.log(
    banner(
      {
        version: VERSION,
        cluster: cluster.url,
        webhook: webhook.origin,
        teamchat: teamchat.origin,
        botchat: botchat.origin,
        metrics: controller.metricsUrl,
        health: controller.healthUrl,
        kubeconfig,
        moved: ports.moved,
      },
      paint,
    ),
  );
  const since = (namespace: string, plan: string): number | undefined => written.get(`${namespace}/${plan}`);
  showDeliveries(receivers, since, paint, (line) => {
    console.log(line);
  });
  await Promise.race([nights(player, api, controller, flags, stop.signal), deposed]);
  await controller.stop(hurry.signal);
  const { delivered, failed, dropped, suppressed } = controller.totals();
  console.log('');
  if (suppressed > 0) console.log(`suppressed ${suppressed}, as the configurations of the sinks have it`);
  // The control plane ends, too, and with it what it keeps.
  const left = controller.pending();
  if (left > 0) console.log(`left undelivered ${left}`);
  console.log(`delivered ${delivered}, failed ${failed}, dropped ${dropped}`);
  return flags.once && failed + dropped + left > 0 ? EXIT.failed : EXIT.ok;
}

const plansOf = (api: Api) => api.list(`${GROUP}/${API_VERSION}`, 'HibernatePlan');

/**
 * One night, or night after night until the signal; every write was seen by the controller when it resolves, unless
 * the signal came first.
 */
async function nights(
  player: Player,
  api: Api,
  controller: Controller,
  flags: DevFlags,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const writes = await player.night(await plansOf(api));
    const seen = writes.map((last) => controller.seen(last.namespace, last.name, last.resourceVersion));
    await Promise.race([Promise.all(seen), aborted(signal)]);
    if (flags.once) return;
    const pause = BETWEEN_NIGHTS_MS / flags.speed;
    if (!signal.aborted)
      console.log(`\nthe next night begins in ${Math.round(pause / 1000)} s; Ctrl-C stops\n`);
    await sleep(systemClock, pause, signal);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener('abort', () => {
        resolve();
      });
  });
}
