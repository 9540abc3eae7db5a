import type { Clock } from '@hnotif/core/clock';
import type { Head, Inbox, Leader } from '@hnotif/core/page';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { KubeError } from '../../cluster/error.ts';
import type { Leaders } from '../../explain/leader.ts';
import { readLeaders } from '../gather.ts';
import type { Io } from '../io.ts';
import { neededRight, type Session } from '../session.ts';
import { parseAction, perform, rightsIn, type Commands } from './actions.ts';
import { ClusterBoard } from './cluster-board.ts';
import { ClusterView } from './cluster-view.ts';
import { Feed } from './feed.ts';
import { sentMessage } from './sent-message.ts';
import { questionsAbout } from './questions.ts';
import { startUiServer, type UiServer } from './server.ts';

/** Between two looks at the Lease (milliseconds). */
const LOOK_MS = 3_000;

export interface PageOptions {
  readonly session: Session;
  readonly io: Pick<Io, 'env' | 'clock' | 'signal'>;
  readonly commands: Commands;
  readonly log: Logger;
  /** 0: any free port. */
  readonly port: number;
  /** The namespace to show; undefined: all, or that of the session if the user may not see all. */
  readonly namespace: string | undefined;
  /** What the receivers of this process got; undefined: there are none. */
  readonly inbox?: Inbox;
}

/** Starts the page. Rejects with a `NoPage`, or with the error of `listen`. */
export async function openPage(options: PageOptions): Promise<UiServer> {
  const { session, io, commands, log, port, inbox } = options;
  const { clock } = io;
  const { namespace, narrowed } = await scopeOf(options);
  const feed = new Feed(randomBytes(6).toString('hex'));
  const reading = unknown('reading the cluster …');
  let leaders = reading;
  const { message, state } = reading.worst;
  const head: Head = {
    ...{ leader: message, serving: state, unseen: narrowed, hasMessages: inbox !== undefined },
    ...(namespace !== undefined && { namespace }),
  };
  const now = (): number => session.client.serverClock.now();
  const view = new ClusterView({ session, clock, log, namespace });
  const board = new ClusterBoard(view, clock, now, feed, head);
  const showHead = (): void => {
    const { worst } = view.isSynced ? leaders : reading;
    board.setHead(worst, [...narrowed, ...view.unseen]);
  };
  const unfollow = inbox?.follow((item) => {
    board.addMessage(item);
  });
  const server = await startUiServer({
    ...{ port, feed, token: randomBytes(24).toString('base64url') },
    snapshot: function* () {
      yield* board.snapshot();
      if (inbox) yield { messages: inbox.list(), now: now() };
    },
    questions: {
      ...questionsAbout(view, session, () => leaders),
      '/api/rights': (query) => rightsIn(query.get('namespace') ?? '', session),
      ...(inbox && { '/api/message': (query) => messageOf(inbox, query) }),
    },
    actions: { '/api/action': (body) => perform(parseAction(body), commands, io) },
  });
  view.start(board, showHead);
  const unwatch = watchLeaders(session, clock, view, (found) => {
    leaders = found;
    showHead();
  });
  return {
    url: server.url,
    close: async () => {
      unwatch();
      unfollow?.();
      board.stop();
      await Promise.all([view.stop(), server.close()]);
    },
  };
}

/** Nobody is known to lead, anywhere. */
function unknown(message: string): Leaders {
  const leader: Leader = { state: 'unknown', message };
  return { in: () => leader, worst: leader };
}

/** Reads now and then who leads, until the function that it returns is called. */
function watchLeaders(
  session: Session,
  clock: Clock,
  view: ClusterView,
  found: (leaders: Leaders) => void,
): () => void {
  let cancel = (): void => undefined;
  let isOpen = true;
  const look = async (): Promise<void> => {
    const leaders = await readLeaders(session, view.notifications()).catch((error: unknown) =>
      unknown(
        `it is not known whether an instance is active: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
    if (!isOpen) return;
    found(leaders);
    cancel = clock.after(LOOK_MS, () => void look());
  };
  void look();
  return () => {
    isOpen = false;
    cancel();
  };
}

/** A message by its id, or the one that a delivery became. */
const messageOf = (inbox: Inbox, query: URLSearchParams) =>
  query.has('delivery') ? sentMessage(inbox, query.get('delivery') ?? '') : inbox.get(query.get('id') ?? '');

/** Which namespaces the user may see. Somebody without rights for all gets the one of the context. */
async function scopeOf({
  session,
  namespace,
}: PageOptions): Promise<{ readonly namespace: string | undefined; readonly narrowed: readonly string[] }> {
  if (namespace !== undefined) return { namespace, narrowed: [] };
  try {
    await session.client.list(session.plans, undefined, { limit: 1, item: () => undefined });
    return { namespace: undefined, narrowed: [] };
  } catch (error) {
    // Other errors may pass. The reflector of the plans reports them.
    if (!(error instanceof KubeError) || error.status !== 403) return { namespace: undefined, narrowed: [] };
    const narrowed = `only namespace ${session.namespace ?? 'default'} is shown: you may not list ${session.plans.plural} in all namespaces; choose another one with --namespace, or ask for ${neededRight(session.plans)}`;
    return { namespace: session.namespace ?? 'default', narrowed: [narrowed] };
  }
}
