import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevCluster } from '@hnotif/devcluster';
import { startWebhookReceiver, type WebhookReceiver } from '@hnotif/receivers';
import { sleep, systemClock } from '../../clock.ts';
import { startController, type Controller } from '../../controller/controller.ts';
import { CONTROLLER_DEFAULTS } from '../../controller/options.ts';
import { createLog } from '../../observe/log.ts';
import { crds } from '../../resources/crds/crds.ts';
import { API_VERSION, DEFAULT_API_GROUP, defaultPlanResource } from '../../resources/group.ts';
import { VERSION } from '../../version.ts';
import type { DevFlags } from '../dev-flags.ts';
import { EXIT } from '../exit.ts';
import { stopSignal } from '../signals.ts';
import { Api } from './api.ts';
import { banner } from './banner.ts';
import { projectPath, readManifests, signingSecrets, withReceiver } from './manifests.ts';
import { asksForNight, Player } from './player.ts';
import { Ports } from './ports.ts';
import { deliveryLine, paintFor, type ShownContext } from './show.ts';

const HOST = '127.0.0.1';
/** Where the examples' webhooks point to. */
const EXAMPLE_RECEIVER = 'http://127.0.0.1:8099';
const GROUP = DEFAULT_API_GROUP;
const BETWEEN_NIGHTS_MS = 10_000;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Everything on one machine: the embedded control plane, a receiver, the controller as `hnotif run` starts it (given
 * a kubeconfig file), and a player that writes plan statuses through the night. Answers with the exit code.
 */
export async function dev(flags: DevFlags, env: Env): Promise<number> {
  const closing: (() => Promise<void>)[] = [];
  try {
    return await play(flags, env, (close) => closing.push(close));
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
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
  });
  onClose(() => cluster.close());
  const receiver = await startWebhookReceiver({
    host: HOST,
    port: await ports.take('the receiver', flags.receiverPort),
    schema,
    signingSecrets: signingSecrets(manifests),
    keep: 1_000,
  });
  onClose(() => receiver.close());

  if (flags.once && !manifests.some(asksForNight))
    throw new Error('no plan asks for a night: annotate one with demo.hibernation.dev/night: steady');
  const api = new Api(cluster.url);
  for (const crd of crds(GROUP, { withPlans: true })) await api.create(crd);
  const receiverUrl = `http://${HOST}:${receiver.port}`;
  for (const manifest of withReceiver(manifests, EXAMPLE_RECEIVER, receiverUrl)) await api.create(manifest);

  const written = new Map<string, number>();
  const player = new Player({
    api,
    clock: systemClock,
    speed: flags.speed,
    signal: stop.signal,
    writing: (namespace, name) => written.set(`${namespace}/${name}`, performance.now()),
    warn: (message) => process.stderr.write(`warning: ${message}\n`),
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
      allowInsecureHttp: true,
      statusIntervalMs: 1_000,
      metricsAddress: { host: HOST, port: await ports.take('metrics', flags.metricsPort) },
      healthAddress: { host: HOST, port: await ports.take('health', flags.healthPort) },
      env: {},
    },
    createLog({ format: 'text', level: flags.logLevel }),
  );
  onClose(() => controller.stop(hurry.signal));
  await controller.synced;

  console.log(
    banner(
      {
        version: VERSION,
        cluster: cluster.url,
        receiver: receiverUrl,
        metrics: controller.metricsUrl,
        health: controller.healthUrl,
        kubeconfig,
        moved: ports.moved,
      },
      paint,
    ),
  );
  showDeliveries(receiver, written, paint);
  await nights(player, api, controller, flags, stop.signal);
  await controller.stop(hurry.signal);
  const { delivered, failed, dropped } = controller.totals();
  console.log(`\ndelivered ${delivered}, failed ${failed}, dropped ${dropped}`);
  return flags.once && failed + dropped > 0 ? EXIT.failed : EXIT.ok;
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

/** Prints each message as it arrives, with the time since the write that caused it. */
function showDeliveries(
  receiver: WebhookReceiver,
  written: ReadonlyMap<string, number>,
  paint: ReturnType<typeof paintFor>,
): void {
  receiver.onRecord((record) => {
    if (!record.answered.accepted) {
      console.log(
        `refused: ${record.path} ${record.signatureReason} ${record.schemaErrors.join('; ')}`.trimEnd(),
      );
      return;
    }
    const { context } = record.json as { context: ShownContext & { plan: { namespace: string } } };
    const at = written.get(`${context.plan.namespace}/${context.plan.name}`);
    const latency = at === undefined ? undefined : record.arrivedMonotonic - at;
    console.log(deliveryLine(context, new Date(record.arrivedAt), latency, paint));
  });
}
