import { readFile, rm } from 'node:fs/promises';
import { startDevCluster } from '@hnotif/devcluster';
import { sleep, systemClock } from '../../clock.ts';
import { startController, type Controller } from '../../controller/controller.ts';
import { CONTROLLER_DEFAULTS, type ControllerOptions } from '../../controller/options.ts';
import { StartError } from '../../controller/start-error.ts';
import { createLog } from '../../observe/log.ts';
import { crds } from '../../resources/crds/crds.ts';
import { API_VERSION, DEFAULT_API_GROUP, defaultPlanResource } from '../../resources/group.ts';
import { LOOPBACK } from '../../transport/special-addresses.ts';
import { VERSION } from '../../version.ts';
import { DEV_DEFAULTS, type DevFlags } from '../dev-flags.ts';
import { EXIT } from '../exit.ts';
import { stopSignal } from '../signals.ts';
import { Api } from './api.ts';
import { addresses, type BannerFacts, kubeconfigLine, legend, title } from './banner.ts';
import { onEnter } from './keys.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { projectPath, readManifests, withReceivers } from './manifests.ts';
import { asksForNight, Player } from './player.ts';
import { Ports } from './ports.ts';
import { EXAMPLE_ORIGINS, showDeliveries, startReceivers } from './receivers.ts';
import { fitted } from './show/frame.ts';
import { type Paint, paintFor } from './show/paint.ts';
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
    const paint = paintFor(process.stderr.isTTY, env);
    const message = printableLine(error instanceof Error ? error.message : String(error));
    printTo(process.stderr, paint)(paint('red', `error: ${message}`));
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
  const print = printTo(process.stdout, paint);
  const warn = printTo(process.stderr, paint);
  print(title(VERSION, paint));
  const stop = new AbortController();
  const hurry = new AbortController();
  void stopSignal().then(() => {
    print('');
    print('stopping: what waits is sent; once more stops at once');
    stop.abort();
    void stopSignal().then(() => {
      hurry.abort();
    });
  });
  const manifests = await readManifests(flags.examples ?? projectPath('examples'));
  const schema = JSON.parse(
    await readFile(projectPath('schemas/webhook-payload.schema.json'), 'utf8'),
  ) as object;

  const ports = new Ports();
  const cluster = await ports.listen('the control plane', flags.port, (port) =>
    startDevCluster({ host: HOST, port, loopbackOnly: true }),
  );
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
    warn: (message) => {
      warn(paint('yellow', `warning: ${printableLine(message)}`));
    },
  });
  await player.meet(await plansOf(api));

  const kubeconfig = await writeKubeconfig(cluster.kubeconfig(), {
    port: cluster.port,
    usualPort: DEV_DEFAULTS.port,
  });
  onClose(() => rm(kubeconfig, { force: true }));

  const options: Omit<ControllerOptions, 'metricsAddress' | 'healthAddress'> = {
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
    env: {},
  };
  const log = createLog({
    format: 'text',
    level: flags.logLevel,
    destination: {
      isTTY: process.stderr.isTTY,
      write: (lines) => {
        lines.trimEnd().split('\n').forEach(warn);
      },
    },
  });
  /** The controller names the flag whose port is taken. */
  const refuses = (flag: string) => (error: unknown) =>
    error instanceof StartError && error.message.startsWith('cannot listen') && error.message.includes(flag);
  const controller = await ports.listen(
    'metrics',
    flags.metricsPort,
    (metrics) =>
      ports.listen(
        'health',
        flags.healthPort,
        (health) =>
          startController(
            {
              ...options,
              metricsAddress: { host: HOST, port: metrics },
              healthAddress: { host: HOST, port: health },
            },
            log,
          ),
        refuses('--health-address'),
      ),
    refuses('--metrics-address'),
  );
  onClose(() => controller.stop(hurry.signal));
  const deposed = controller.deposed.then((reason): never => {
    throw new Error(`the controller has ended: ${reason}`);
  });
  await Promise.race([controller.synced, deposed]);

  const facts: BannerFacts = {
    cluster: cluster.url,
    webhook: webhook.origin,
    teamchat: teamchat.origin,
    botchat: botchat.origin,
    metrics: controller.metricsUrl,
    health: controller.healthUrl,
    kubeconfig,
    moved: ports.moved,
  };
  const showAddresses = (): void => {
    addresses(facts, paint).forEach(print);
  };
  showAddresses();
  const stopKeys = onEnter(process.stdin, showAddresses);
  onClose(() => Promise.resolve(stopKeys?.()));
  legend(stopKeys !== undefined, paint).forEach(print);
  const since = (namespace: string, plan: string): number | undefined => written.get(`${namespace}/${plan}`);
  showDeliveries(receivers, since, paint, print);
  const between = (): void => {
    const seconds = Math.round(BETWEEN_NIGHTS_MS / flags.speed / 1000);
    print('');
    print(`the next night begins in ${seconds} s; Ctrl-C stops`);
    print(`  ${kubeconfigLine(facts, paint)}`);
    print('');
  };
  await Promise.race([nights(player, api, controller, flags, between, stop.signal), deposed]);
  await controller.stop(hurry.signal);
  const { delivered, failed, dropped, suppressed } = controller.totals();
  print('');
  if (flags.once) {
    print(
      'npm start without --once keeps the control plane, and kubectl finds it by the same line each time:',
    );
    print(`  ${kubeconfigLine(facts, paint)}`);
  }
  if (suppressed > 0) print(`suppressed ${suppressed}, as the configurations of the sinks have it`);
  // The control plane ends, too, and with it what it keeps.
  const left = controller.pending();
  if (left > 0) print(paint('red', `left undelivered ${left}`));
  const counts = `delivered ${delivered}, failed ${failed}, dropped ${dropped}`;
  print(failed + dropped > 0 ? paint('red', counts) : counts);
  return flags.once && failed + dropped + left > 0 ? EXIT.failed : EXIT.ok;
}

/** Prints lines, broken between words to the width that the terminal has just then. */
const printTo =
  (stream: NodeJS.WriteStream, paint: Paint) =>
  (line: string): void => {
    const columns = stream.isTTY ? stream.columns || Infinity : Infinity;
    for (const each of fitted(line, columns, paint)) stream.write(`${each}\n`);
  };

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
  between: () => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const writes = await player.night(await plansOf(api));
    const seen = writes.map((last) => controller.seen(last.namespace, last.name, last.resourceVersion));
    await Promise.race([Promise.all(seen), aborted(signal)]);
    if (flags.once) return;
    if (!signal.aborted) between();
    await sleep(systemClock, BETWEEN_NIGHTS_MS / flags.speed, signal);
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
