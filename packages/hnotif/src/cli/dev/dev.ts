import { readFile, rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import { startDevCluster } from '@hnotif/devcluster';
import { sleep, systemClock } from '@hnotif/core/clock';
import type { Controller } from '../../controller/controller.ts';
import { createLog } from '../../observe/log.ts';
import { crds, API_VERSION, DEFAULT_API_GROUP } from '@hnotif/core/resources';
import { LOOPBACK } from '../../transport/special-addresses.ts';
import { VERSION } from '@hnotif/core/version';
import { clusterArguments } from '../cluster-flags.ts';
import { DEV_DEFAULTS, type DevFlags } from '../dev-flags.ts';
import { EXIT } from '../exit.ts';
import { CommandError, type RunCommand } from '../io.ts';
import { openSession } from '../session.ts';
import { stopSignal } from '../signals.ts';
import { openPage } from '../ui/page.ts';
import { Api, type Manifest } from './api.ts';
import { addresses, kubeconfigLine, legend, title } from './banner.ts';
import { DEV_HOST, startDevController } from './controller.ts';
import { inboxOf } from './inbox.ts';
import { onEnter } from './keys.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { projectPath, readManifests, withReceivers } from './manifests.ts';
import { allSeen } from './all-seen.ts';
import { asksForNight, Player } from './player.ts';
import { Ports } from './ports.ts';
import { EXAMPLE_ORIGINS, showDeliveries, startReceivers, type Receivers } from './receivers.ts';
import { fitted } from './show/frame.ts';
import { type Paint, paintFor } from '../paint.ts';
import { collectWhenQuiet, keepHeapSmall } from '../small-heap.ts';
import { printableLine } from '../printable.ts';

export { NoPicture, pictureOf } from './picture.ts';
export { contentLines } from './show/teamchat.ts';

const GROUP = DEFAULT_API_GROUP;
const BETWEEN_NIGHTS_MS = 10_000;
type Env = Readonly<Record<string, string | undefined>>;

/**
 * Runs everything on one machine: the embedded control plane, the receivers, the controller, and a player that writes plan statuses
 * through the nights. Returns the exit code.
 */
export async function dev(flags: DevFlags, env: Env, run: RunCommand): Promise<number> {
  keepHeapSmall();
  const stopCollecting = collectWhenQuiet(systemClock);
  const closing: (() => Promise<void>)[] = [];
  try {
    return await play(flags, env, run, (close) => closing.push(close));
  } catch (error) {
    const paint = paintFor(process.stderr.isTTY, env);
    const message = printableLine(error instanceof Error ? error.message : String(error));
    printTo(process.stderr, paint)(paint('red', `error: ${message}`));
    return error instanceof CommandError ? error.exit : EXIT.failed;
  } finally {
    for (const close of closing.reverse()) await close();
    stopCollecting();
  }
}

type OnClose = (close: () => Promise<void>) => void;

async function play(flags: DevFlags, env: Env, run: RunCommand, onClose: OnClose): Promise<number> {
  const paint = paintFor(process.stdout.isTTY, env);
  const print = printTo(process.stdout, paint);
  const warn = printTo(process.stderr, paint);
  const manifests = await readManifests(flags.examples ?? projectPath('examples'));
  print(title(VERSION, paint));
  const { stop, hurry } = stopOnSignals(print);
  const ports = new Ports();
  const { cluster, receivers, api } = await startWorld(flags, manifests, ports, onClose);

  const written = new Map<string, number>();
  const player = new Player({
    api,
    clock: systemClock,
    speed: flags.speed,
    signal: stop,
    writing: (namespace, name) => written.set(`${namespace}/${name}`, performance.now()),
    warn: (message) => {
      warn(paint('yellow', `warning: ${printableLine(message)}`));
    },
  });
  await player.meet(await plansOf(api));
  const { port } = cluster;
  const kubeconfig = await writeKubeconfig(cluster.kubeconfig(), { port, usualPort: DEV_DEFAULTS.port });
  onClose(() => rm(kubeconfig, { force: true }));

  const log = logTo(warn, flags.logLevel);
  const controller = await startDevController(flags, ports, receivers, kubeconfig, log);
  onClose(() => controller.stop(hurry));
  const leadershipLost = controller.leadershipLost.then((reason): never => {
    throw new Error(`the controller has ended: ${reason}`);
  });
  await Promise.race([controller.synced, leadershipLost]);

  const page = await startPage(flags, ports, receivers, { kubeconfig, env, run, log, onClose });
  const showAddresses = (): void => {
    const { moved } = ports;
    addresses({ page, cluster: cluster.url, receivers, controller, kubeconfig, moved }, paint).forEach(print);
  };
  showAddresses();
  const stopKeys = onEnter(process.stdin, showAddresses);
  onClose(() => Promise.resolve(stopKeys?.()));
  legend(stopKeys !== undefined, paint).forEach(print);
  showDeliveries(receivers, (namespace, plan) => written.get(`${namespace}/${plan}`), paint, print);
  const line = `  ${kubeconfigLine({ kubeconfig }, paint)}`;
  const between = (): void => {
    const seconds = Math.round(BETWEEN_NIGHTS_MS / flags.speed / 1000);
    ['', `the next night begins in ${seconds} s; Ctrl-C stops`, line, ''].forEach(print);
  };
  await Promise.race([nights(player, api, controller, flags, between, stop), leadershipLost]);
  await controller.stop(hurry);
  (flags.once ? ['', KEEPS_RUNNING, line] : ['']).forEach(print);
  const undelivered = printTotals(controller, paint, print);
  return flags.once && undelivered > 0 ? EXIT.failed : EXIT.ok;
}

const KEEPS_RUNNING =
  'npm start without --once keeps the control plane running, with the same kubeconfig each time:';

/** The log of the controller as lines among the others. */
const logTo = (warn: (line: string) => void, level: string): Logger =>
  createLog({
    ...{ format: 'text', level },
    destination: {
      isTTY: process.stderr.isTTY,
      write: (lines) => {
        lines.trimEnd().split('\n').forEach(warn);
      },
    },
  });

/** The first signal stops, the second one hurries the stop. */
function stopOnSignals(print: (line: string) => void): { stop: AbortSignal; hurry: AbortSignal } {
  const stop = new AbortController();
  const hurry = new AbortController();
  void stopSignal().then(() => {
    print('');
    print('stopping: waiting deliveries are sent; Ctrl-C again stops at once');
    stop.abort();
    void stopSignal().then(() => {
      hurry.abort();
    });
  });
  return { stop: stop.signal, hurry: hurry.signal };
}

/** Starts the control plane and the receivers, and applies the examples. */
async function startWorld(flags: DevFlags, manifests: readonly Manifest[], ports: Ports, onClose: OnClose) {
  const schema = JSON.parse(
    await readFile(projectPath('schemas/webhook-payload.schema.json'), 'utf8'),
  ) as object;
  const cluster = await ports.listen('the control plane', flags.port, (port) =>
    startDevCluster({ host: DEV_HOST, port, loopbackOnly: true }),
  );
  onClose(() => cluster.close());
  const receivers = await startReceivers({ host: DEV_HOST, ports, flags, manifests, schema, onClose });
  if (flags.once && !manifests.some(asksForNight))
    throw new Error('no plan has a night to play: annotate one with demo.hibernation.dev/night: steady');
  const api = new Api(cluster.url);
  onClose(() => api.close());
  for (const crd of crds(GROUP, { withPlans: true })) await api.create(crd);
  const moves = new Map([
    [EXAMPLE_ORIGINS.webhook, receivers.webhook.origin],
    [EXAMPLE_ORIGINS.teamchat, receivers.teamchat.origin],
    [EXAMPLE_ORIGINS.msteams, receivers.msteams.origin],
  ]);
  for (const manifest of withReceivers(manifests, moves)) await api.create(manifest);
  return { cluster, receivers, api };
}

interface PageSettings {
  readonly kubeconfig: string;
  readonly env: Env;
  readonly run: RunCommand;
  readonly log: Logger;
  readonly onClose: OnClose;
}

/** Starts the page. Returns its address. */
async function startPage(
  flags: DevFlags,
  ports: Ports,
  receivers: Receivers,
  { kubeconfig, env, run, log, onClose }: PageSettings,
): Promise<string> {
  const { signal } = new AbortController();
  const access = { kubeconfig, apiGroup: GROUP, allNamespaces: true };
  const io = { env, clock: systemClock, signal, err: () => undefined };
  const session = await openSession(access, io);
  onClose(() => session.client.close());
  const inbox = inboxOf(receivers);
  const { teamchat, botchat } = receivers;
  const commands = {
    ...{ run, cluster: clusterArguments(access) },
    addresses: [
      ...['--allow-insecure-http', '--egress-allow', LOOPBACK.join(',')],
      ...['--chat-api-url', teamchat.apiUrl, '--bot-api-url', botchat.origin],
    ],
  };
  const page = await ports.listen('the page', flags.uiPort, (port) =>
    openPage({ session, io, commands, log, port, namespace: undefined, inbox }),
  );
  onClose(() => page.close());
  return page.url;
}

/** Prints how deliveries have ended. Returns how many were not delivered. */
function printTotals(controller: Controller, paint: Paint, print: (line: string) => void): number {
  const { delivered, failed, dropped, suppressed } = controller.totals();
  if (suppressed > 0) print(`suppressed ${suppressed} by the sinks’ configurations`);
  // The control plane ends, too, so its journals are lost.
  const left = controller.pending();
  if (left > 0) print(paint('red', `left undelivered ${left}`));
  const counts = `delivered ${delivered}, failed ${failed}, dropped ${dropped}`;
  print(failed + dropped > 0 ? paint('red', counts) : counts);
  return failed + dropped + left;
}

/** Prints lines, wrapped to the present width of the terminal. */
const printTo =
  (stream: NodeJS.WriteStream, paint: Paint) =>
  (line: string): void => {
    const columns = stream.isTTY ? stream.columns || Infinity : Infinity;
    for (const each of fitted(line, columns, paint)) stream.write(`${each}\n`);
  };

const plansOf = (api: Api) => api.list(`${GROUP}/${API_VERSION}`, 'HibernatePlan');

/** Plays one night, or nights until the signal. Resolves when the controller has seen every write, or after the signal. */
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
    const seen = allSeen(
      writes,
      ({ namespace, name, resourceVersion }) => controller.seen(namespace, name, resourceVersion),
      () => plansOf(api),
    );
    await Promise.race([seen, aborted(signal)]);
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
