/**
 * Measures the way of an event through the running service, and the sizes of its files:
 * `node --import tsx scripts/event-way.ts [--way] [--sizes]`. `--way` lists the frames, `--sizes` the large files and functions.
 *
 * The service runs in this process, with the embedded control plane and the receiver simulators, while one event of a lone plan goes its
 * way. Each function of `packages/hnotif` and `packages/core` reports when it is entered (`instrument.ts`), also each closure.
 *
 * - A frame is a call of a function that is still on the call stack when the event, or what follows from it, is handed over: to a later
 *   turn of the event loop, or to the point where the way ends. A timer, a promise or a queue is a hand-over, and the frames before it and
 *   after it are added. A function that returned a value and was done is no frame. Constructors, accessors and the clock, which is the
 *   timer itself, are none.
 * - After an answer, the functions that waited for it and return its result are frames, too: from the one that called the transport to the
 *   one that acts on the result.
 * - The watch event begins with `watch`, which has read a line. The wire is `Client.dispatch` of undici, which `Connections.send` calls.
 *   The answer is what the transport's `post` returns. The journal's request is the first call of its write schedule; the status PUT is
 *   the call of the API client. The answer whose status is measured is a refusal: a success is written together with others, so it goes
 *   through the work queue twice.
 * - An object with state is a class with a field that changes, or with a collection, of which a method was entered for the event: from the
 *   intake to the end of the settlement. `NO_EVENT` lists those that know neither events nor deliveries nor plans: tools and caches.
 * - Product files are those in `src` of `packages/hnotif` and `packages/core`, without tests. A function has the lines from its first
 *   to its last one, with those of its closures.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import ts from 'typescript';
import type { Controller } from '../packages/hnotif/src/controller/controller.ts';
import { HANGS_MS, pause, until } from '../packages/lab/src/wait.ts';
import type { World as LabWorld } from '../packages/lab/src/world.ts';
import { traced } from './instrument.ts';
import { Way, wayTo, type Frame } from './way.ts';

const ROOT = join(import.meta.dirname, '..');
const PRODUCT = ['packages/hnotif/src', 'packages/core/src'];
const isTest = (file: string): boolean => /\.test\.ts$|\/testing\//.test(file);
/** The operator of the lab is no part of the service. */
const isProduct = (file: string): boolean =>
  PRODUCT.some((folder) => file.startsWith(`${folder}/`)) && !isTest(file) && !file.endsWith('/operator.ts');

const WIRE = 'transport/connections.ts#Connections.send';
const POST = 'transport/client.ts#Transport.post';
const REQUEST = 'journal/write-schedule.ts#WriteSchedule.';
const PUT = 'cluster/client.ts#KubeClient.replaceStatus';
const WATCH = 'cluster/watch.ts#watch';
const ATTEMPT = 'dispatch/attempt.ts#';
const CHANGED = 'controller/intake.ts#Intake.changed';
/** Tools and caches that know no event. */
const NO_EVENT =
  /^(fair|routing)\/|^(lazy-collections|slices|cluster\/(answer|api-requests|backoff|content-reader|outage|refusal|server-clock)|controller\/(connectors|templates|watch-health)|dispatch\/request-slots|journal\/(conditions|durability|place|write-pacer)|status\/by-name|transport\/(body|egress|endpoints|refused-connections))\.ts/;
const REPLY = 'sinks/teamchat/thread/post-reply.ts#';
const REPORT = 'controller/feedback.ts#Feedback.settled';

const LISTS_WAY = process.argv.includes('--way');
const lines = (all: readonly string[]): string => all.map((each) => `  ${each}`).join('\n');
const short = (id: string): string => id.replace(/^packages\/(hnotif|core)\/src\//, '');

const stateful = new Set<string>();
const frames: Frame[] = [];

/** Loads the sources with their functions traced, and with the places that they had. */
const tracing: Plugin = {
  name: 'tracing',
  setup(made) {
    made.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@hnotif/') ? undefined : { path, external: true },
    );
    made.onLoad({ filter: /\/packages\/.*\.ts$/ }, ({ path }) => {
      const file = relative(ROOT, path);
      const text = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      if (!isProduct(file)) return { contents: text, loader: 'ts' };
      const { code, stateful: classes } = traced(file, text);
      for (const each of classes) stateful.add(`${file}#${each}`);
      return { contents: code, loader: 'ts' };
    });
  },
};

async function loadWorld(): Promise<typeof LabWorld> {
  const outfile = join(ROOT, 'node_modules/.cache/event-way.mjs');
  const contents = 'export { World } from "./packages/lab/src/world.ts";';
  await build({
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', target: 'es2023', logLevel: 'error' },
    ...{ stdin: { contents, resolveDir: ROOT, loader: 'ts' }, plugins: [tracing] },
  });
  Object.assign(globalThis, { way: new Way((frame) => frames.push(frame)) });
  const { World } = (await import(outfile)) as { World: typeof LabWorld };
  return World;
}

/** The last call of a function on the way of an event. `through`: another one on its way. */
function lastTo(point: string, through = WATCH): readonly Frame[] {
  for (const frame of [...frames].reverse()) {
    if (short(frame.id) !== point) continue;
    const way = wayTo(frame);
    if (way.some(({ id }) => short(id).startsWith(through))) return way;
  }
  throw new Error(`nothing came to ${point} through ${through}`);
}

const fromEvent = (way: readonly Frame[]): readonly Frame[] =>
  way.slice(way.findIndex(({ id }) => short(id) === WATCH));

/** The frames after the answer to the request of `sent`, up to the last one of `end`. */
function fromAnswer(sent: readonly Frame[], end: readonly Frame[]): readonly Frame[] {
  const common = end.findLastIndex((frame) => sent.includes(frame));
  const post = sent.findIndex(({ id }) => short(id) === POST);
  const returning = sent.slice(sent.indexOf(end[common]!), post).reverse();
  return [...returning, ...end.slice(common + 1)];
}

/** The first call of the write schedule that a settlement caused. */
function journalRequest(): readonly Frame[] {
  const settled = lastTo(REPORT);
  const ways = frames.filter(({ id }) => short(id).startsWith(REQUEST)).map(wayTo);
  const first = ways.find((way) => way.includes(settled.at(-1)!));
  if (first === undefined) throw new Error('no write of the journal was requested');
  return first;
}

type Ways = Readonly<Record<string, readonly Frame[]>>;

/** One webhook of a lone plan: a Start that arrives, and a Success that the receiver refuses. */
async function webhook(world: LabWorld): Promise<Ways> {
  await world.secret('audit');
  await world.notification('audit', { onEvents: ['Start', 'Success'] });
  await world.plan('orders');
  const controller = await world.synced({ leaderElect: false });
  await world.status('audit', ({ matched }) => matched === 1);
  await quiet();
  await world.hibernate('orders');
  await world.received(1);
  await delivered(controller, 1);
  const start = lastTo(WIRE, ATTEMPT);
  const request = journalRequest();
  await quiet();
  const classes = classesOf(start);
  world.receiver.faults.add({ match: {}, fault: { kind: 'status', status: 400 } });
  await world.succeeds('orders');
  await world.status('audit', ({ sinks }) => sinks?.[0]?.consecutiveFailures === 1);
  await controller.stop();
  const known = classes.filter((each) => !NO_EVENT.test(each));
  console.log(
    `objects with state on the way of an event: ${known.length} (with tools and caches ${classes.length})`,
  );
  if (LISTS_WAY) console.log(lines(known.toSorted()));
  return {
    'watch event → wire': fromEvent(start),
    'answer → journal request': fromAnswer(start, request),
    'answer → status PUT': fromAnswer(lastTo(WIRE, ATTEMPT), lastTo(PUT, REPORT)),
  };
}

/** A thread whose root is there: the reply of its second event. */
async function threadReply(world: LabWorld): Promise<Ways> {
  await world.teamchat({ channels: [{ id: 'C0NIGHTS' }], tokens: { 'xoxb-1': {} } });
  const bot = { delivery_mode: 'thread', bot_token: 'xoxb-1', channel_id: 'C0NIGHTS' };
  await world.configure('chat', bot);
  await world.notification('chat', {
    onEvents: ['Start', 'Success'],
    sinks: [{ name: 'chat', type: 'teamchat' }],
  });
  await world.plan('billing');
  const controller = await world.synced({ leaderElect: false, lateMs: 0 });
  await world.hibernate('billing');
  await delivered(controller, 1);
  await quiet();
  await world.succeeds('billing');
  await delivered(controller, 2);
  return { 'watch event → wire, thread reply': fromEvent(lastTo(WIRE, REPLY)) };
}

/** Resolves when nothing was entered for half a second: an event must not join the work of an earlier one. */
async function quiet(): Promise<void> {
  for (let before = -1; before !== frames.length; await pause(500)) before = frames.length;
}

const delivered = (controller: Pick<Controller, 'totals'>, count: number): Promise<boolean> =>
  until(() => controller.totals().delivered === count, {
    what: 'a delivery',
    limitMs: HANGS_MS,
    everyMs: 20,
  });

/** The classes with state of which a method was entered since the plan of this way had changed. */
function classesOf(way: readonly Frame[]): readonly string[] {
  const changed = way.find(({ id }) => short(id) === CHANGED)!;
  const entered = [...fromEvent(way), ...frames.filter((frame) => wayTo(frame).includes(changed))];
  const classes = new Set(entered.map(({ id }) => id.replace(/(#\w+).*$/, '$1')));
  return [...classes].filter((each) => stateful.has(each)).map(short);
}

function sizes(): void {
  const files = PRODUCT.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((file) => file.endsWith('.ts') && !isTest(file)),
  );
  const lengths = files.map(
    (file) => [file, readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1] as const,
  );
  const over = (most: number): readonly string[] =>
    lengths.filter(([, length]) => length > most).map(([file, length]) => `${length} ${file}`);
  const long = files.flatMap((file) => longFunctions(file, 60));
  console.log(
    `product files: ${files.length}; over 300 lines: ${over(300).length}; over 200: ${over(200).length}`,
  );
  console.log(`functions over 60 lines: ${long.length}`);
  if (process.argv.includes('--sizes')) console.log(lines([...over(200).toSorted().reverse(), ...long]));
}

function longFunctions(file: string, most: number): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const line = (at: number): number => source.getLineAndCharacterOfPosition(at).line + 1;
    const [first, last] = [line(node.getStart()), line(node.getEnd())];
    if (ts.isFunctionLike(node) && last - first + 1 > most)
      found.push(`${last - first + 1} ${file}:${first}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const World = await loadWorld();
const all: Record<string, readonly Frame[]> = {};
for (const measure of [webhook, threadReply]) {
  const world = await World.start();
  Object.assign(all, await measure(world));
  await world.close();
  frames.length = 0;
}
for (const [name, way] of Object.entries(all)) {
  const files = new Set(way.map(({ id }) => id.split('#')[0]));
  console.log(`${name}: ${way.length} frames in ${files.size} files`);
  if (LISTS_WAY) console.log(lines(way.map(({ id }, at) => `${at + 1} ${short(id)}`)));
}
sizes();
process.exit();
