import { startAnswering, type Answer, type ReceivedRequest } from '../../answering.ts';
import type { KubeObject } from '../../kube.ts';
import type { Controller } from '../../../../hnotif/src/controller/controller.ts';
import { IN_PROCESS } from '../../loopback.ts';
import { TurnedClock } from '../../turned-clock.ts';
import { HANGS_MS, until } from '../../wait.ts';
import { World } from '../../world.ts';
import type { Cell } from './cells.ts';
import type { Cause } from './outcomes.ts';
import { takeNames } from './names.ts';
import { Shown } from './surfaces.ts';

/** So many sinks are in one notification: of the Events of one no more than 25 are written at once. */
const SINKS = 8;
/** Each look reads all that was shown. */
const LOOK_MS = 50;
/** After so many looks without anything new the clock is turned. */
const PATIENCE = 3;
const MOST_LOOKS = 30;
/** Less than a request may take: what has just been asked for is answered yet. */
const TURN_MS = 6_000;

/** Where receivers hang: until a request has taken too long. */
const LONG_TURN_MS = 10_000;

/** Sinks of one notification, and the plan of which they are told. */
export interface Wave {
  readonly plan: string;
  readonly cells: readonly Cell[];
}

/** A controller, a receiver for all its sinks, and everything that they bring to light. */
export class Stage {
  readonly world: World;
  port = 0;
  readonly shown = new Shown();
  readonly clock = new TurnedClock();
  readonly #cells = new Map<string, Cell>();
  /** Requests so far, by cell. */
  readonly #counts = new Map<string, number>();
  /** In the place of what each cell's receiver would answer. */
  cause: Cause | undefined;
  #controller: Controller | undefined;
  #plans = 0;
  #nights = 0;

  private constructor(world: World) {
    this.world = world;
  }

  static async start(): Promise<Stage> {
    const world = await World.start();
    world.closes(takeNames());
    const stage = new Stage(world);
    const { port, close } = await startAnswering((request) => stage.#answer(request));
    stage.port = port;
    const end = new AbortController();
    world.closes(() => {
      end.abort();
      return close();
    });
    for (const [surface, plural] of Object.entries(FOLLOWED))
      await world.kube.follow(
        world.team().path(plural),
        (object) => {
          stage.#object(surface as keyof typeof FOLLOWED, object);
        },
        end.signal,
      );
    return stage;
  }

  /** Only what hnotif has written: specs are the user's. */
  #object(surface: keyof typeof FOLLOWED, object: KubeObject): void {
    if (surface !== 'status') this.shown.add(surface, JSON.stringify(object));
    else if (object.status !== undefined) this.shown.add(surface, JSON.stringify(object.status));
  }

  async begin(): Promise<void> {
    const base = `http://api.echo.test:${this.port}`;
    this.#controller = await this.world.synced(
      {
        ...IN_PROCESS,
        // With its clock turned, a leader loses its Lease.
        ...{ clock: this.clock, leaderElect: false, statusIntervalMs: 100 },
        kubeApiQps: 100_000,
        kubeApiBurst: 100_000,
        chatApiUrl: `${base}/api`,
        botApiUrl: base,
        limits: { retries: 1, backoffMinMs: 1, backoffMaxMs: 2, pauseMinMs: 1 },
      },
      this.shown.log(),
    );
  }

  /** The notifications of these cells, each with a plan that is to fire it; resolves with the plans' names. */
  async prepare(cells: readonly Cell[]): Promise<Wave[]> {
    const waves: Wave[] = [];
    for (let at = 0; at < cells.length; at += SINKS)
      waves.push({ plan: `p${++this.#plans}`, cells: cells.slice(at, at + SINKS) });
    await Promise.all(
      waves.map(async ({ plan, cells: those }) => {
        for (const cell of those) this.#cells.set(cell.id, cell);
        await Promise.all(
          those.map(({ id, configured, text }) => this.world.team().secret(id, text ?? configured.config)),
        );
        await this.world.notification(plan, {
          // A thread's card is changed by what comes after it.
          onEvents: those.some(({ outcome: { reason } }) => reason === 'RootNotUpdated')
            ? ['Start', 'PhaseChange']
            : ['Start'],
          selector: { matchLabels: { plan } },
          sinks: those.map(({ id, mode: { type, template } }) => ({
            name: id,
            type,
            ...(template !== undefined && { templateRef: { name: 'texts', key: template } }),
          })),
        });
        await this.world.plan(plan, ['db'], { labels: { plan } });
      }),
    );
    return waves;
  }

  /** A night of the plan begins; resolves when that has been told to all these sinks, or could not be. */
  async fire({ plan, cells }: Wave): Promise<void> {
    const [log, Events] = [this.shown.of('log'), this.shown.of('Events')];
    const [logged, told] = [log.length, Events.length];
    const cycle = `night-${++this.#nights}`;
    await this.world.team().begins(plan, { cycle });
    const open = (): string[] => {
      const lines = log.slice(logged);
      return cells.map(({ id }) => id).filter((id) => !lines.some((line) => ended(line, id)));
    };
    await this.#seen(() => open().length === 0, {
      turnMs: this.cause?.turns === true ? LONG_TURN_MS : TURN_MS,
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: never told of: ${open().join(', ')}`);
    });
    // One wave after the other: of Events at most 16 are written at once, and what is too much is not.
    const isTold = ({ id, outcome: { told: as = 'failure' } }: Cell): boolean =>
      as === 'pause' || as === 'doubt' || Events.slice(told).some((event) => event.includes(`"sink ${id}: `));
    const hasNotice = cells.some(({ outcome }) => outcome.told?.endsWith('notice') === true);
    await this.#seen(() => cells.every(isTold), {
      most: MOST_LOOKS,
      turnMs: hasNotice ? TURN_MS : undefined,
    });
  }

  /** Resolves once something is so by what is shown, or after so many looks: what is missing then is tried again. */
  calm(wanted: () => boolean): Promise<void> {
    return this.#seen(wanted, { most: MOST_LOOKS });
  }

  /** …while nothing new is shown, the clock is turned by `turnMs`. */
  async #seen(
    wanted: () => boolean,
    { most = Infinity, turnMs }: { readonly most?: number; readonly turnMs?: number | undefined },
  ): Promise<void> {
    let [seen, quiet, looks] = [-1, 0, 0];
    // It grows: a turn of the clock may end what a slow machine has not done yet.
    let patience = turnMs === LONG_TURN_MS ? 1 : PATIENCE;
    const look = (): boolean => {
      const { count } = this.shown;
      if (count !== seen && wanted()) return true;
      quiet = count === seen ? quiet + 1 : 0;
      seen = count;
      if (turnMs !== undefined && quiet > patience) {
        quiet = 0;
        patience++;
        this.clock.turn(turnMs);
      }
      return looks++ >= most;
    };
    await until(look, { what: 'the expected texts on each surface', limitMs: HANGS_MS, everyMs: LOOK_MS });
  }

  /** Metrics and health as they are now. */
  async look(): Promise<void> {
    const { metricsUrl, healthUrl } = this.#controller ?? { metricsUrl: '', healthUrl: '' };
    for (const [surface, url] of [
      ['metrics', `${metricsUrl}/metrics`],
      ['health', `${healthUrl}/healthz`],
      ['health', `${healthUrl}/readyz`],
    ] as const)
      this.shown.add(surface, await (await fetch(url)).text());
  }

  #answer(request: ReceivedRequest): Answer {
    const cell = this.#cells.get(idIn(request));
    if (cell === undefined) throw new Error(`no sink has ${request.path}`);
    // Whoever looks for a message that may be there finds nothing.
    if (request.path.includes('/conversations.') && cell.outcome.told?.endsWith('notice') !== true)
      return { kind: 'answer', status: 200, body: '{"ok":true,"messages":[]}', type: 'application/json' };
    const count = this.#counts.get(cell.id) ?? 0;
    this.#counts.set(cell.id, count + 1);
    return (this.cause?.answer ?? cell.outcome.answer)(cell.echo, count, request);
  }
}

/** What hnotif writes into the cluster, by surface. */
const FOLLOWED = {
  status: 'hibernatenotifications',
  Events: 'events',
  journals: 'hibernatenotificationjournals',
} as const;

const ended = (line: string, id: string): boolean =>
  line.includes(`"sink":"${id}"`) &&
  /"msg":"(delivered|delivery failed|sink (still )?(parked|quarantined)|delivery put off)"/.test(line);

/** A webhook has it in its path, a bot in its token. */
function idIn({ path, headers }: ReceivedRequest): string {
  const [, bot] = /^\/bot(\d+):/.exec(path) ?? [];
  if (bot !== undefined) return `c${bot}`;
  const [, slack] = /^Bearer xoxb-(c\d+)-/.exec(headers.authorization ?? '') ?? [];
  return path.startsWith('/api/') && slack !== undefined ? slack : (path.split('/')[1] ?? '');
}
