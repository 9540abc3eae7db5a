import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { boundedText } from '../../bounded-text.ts';
import { bundled } from '../../bundled.ts';
import type { Change } from '@hnotif/core/page';
import { CommandError } from '../io.ts';
import type { Entry, Feed } from './feed.ts';
import { cookieName, judge, type Asked } from './gate.ts';

/** An answer as JSON. Undefined: there is no such thing. Throws a `CommandError` if the cluster does not tell. */
export type Question = (query: URLSearchParams) => Promise<object | undefined> | object | undefined;

/** Does something for the user. Throws a `ZodError` for a body that it does not know. */
export type Action = (body: unknown) => Promise<object>;

export interface UiServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Of this run. It shows its holder what the user of the program may see. */
  readonly token: string;
  readonly feed: Feed;
  /** The whole board in parts, for a client that begins. */
  readonly snapshot: () => Iterable<Change>;
  /** By path, such as `/api/why`. */
  readonly questions: Readonly<Record<string, Question>>;
  /** By path. */
  readonly actions: Readonly<Record<string, Action>>;
}

export interface UiServer {
  /** The address to open first. It holds the token. */
  readonly url: string;
  close(): Promise<void>;
}

/** The page is not in this build. */
export class NoPage extends Error {}

const HOST = '127.0.0.1';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The page loads its own files alone, and runs nothing that stands in the text of a message. */
const POLICY = [
  ...[
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
  ],
  ...["img-src 'self' data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** The connection of a client that reads too slowly is closed; it connects again (bytes that wait). */
const MOST_UNREAD = 16_000_000;
/** The rest of a large board keeps server and page busy. So the page has this time to paint the first rows (milliseconds). */
const PAINT_MS = 600;
/** Between two beats. A page that hears none knows that it shows the past (milliseconds). */
const BEAT_MS = 5_000;

/** Serves the page on the loopback interface. Rejects with a `NoPage`, or with the error of `listen`. */
export async function startUiServer(options: UiServerOptions): Promise<UiServer> {
  const pages = await readPages();
  const server = createServer((request, response) => {
    respond(request, response, portOf(server), pages, options).catch(() => {
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, HOST, resolve);
  });
  return {
    url: `http://${HOST}:${portOf(server)}/?token=${options.token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

/** All files of the page, by path. */
async function readPages(): Promise<ReadonlyMap<string, { readonly type: string; readonly body: Buffer }>> {
  const folder = fileURLToPath(bundled('ui/'));
  const names = await readdir(folder).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? new NoPage('the image of hnotif has no page: use the package from npm (npm install -g hnotif)')
      : error;
  });
  const files = names.map(async (name) => {
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    return [`/${name}`, { type, body: await readFile(join(folder, name)) }] as const;
  });
  const pages = new Map(await Promise.all(files));
  const index = pages.get('/index.html');
  return index === undefined ? pages : pages.set('/', index);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  pages: Awaited<ReturnType<typeof readPages>>,
  options: UiServerOptions,
): Promise<void> {
  const { method = '', url = '/', headers } = request;
  const asked: Asked = { method, url, headers };
  const verdict = judge(asked, port, options.token);
  const answer = (
    status: number,
    type: string,
    body: string | Buffer,
    more: Record<string, string> = {},
  ): void => {
    response.writeHead(status, {
      ...HEADERS,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      ...more,
    });
    response.end(method === 'HEAD' ? undefined : body);
  };
  const plain = (status: number, message: string): void => {
    answer(status, 'text/plain; charset=utf-8', `${message}\n`);
  };
  if (verdict.kind === 'refuse') {
    plain(verdict.status, verdict.message);
    return;
  }
  if (verdict.kind === 'enter') {
    const cookie = `${cookieName(port)}=${options.token}; Path=/; HttpOnly; SameSite=Strict`;
    answer(303, 'text/plain; charset=utf-8', 'go to /\n', { location: '/', 'set-cookie': cookie });
    return;
  }
  const { path, query } = verdict;
  const json = (found: object): void => {
    answer(200, 'application/json; charset=utf-8', JSON.stringify(found));
  };
  if (method === 'POST') {
    const act = Object.hasOwn(options.actions, path) ? options.actions[path] : undefined;
    if (act === undefined) {
      plain(405, 'only GET and HEAD');
      return;
    }
    try {
      json(await act(await bodyOf(request)));
    } catch (error) {
      if (!(error instanceof BadBody || error instanceof z.ZodError)) throw error;
      plain(
        400,
        error instanceof BadBody ? error.message : `the request is not valid: ${z.prettifyError(error)}`,
      );
    }
    return;
  }
  const page = pages.get(path);
  if (page !== undefined) answer(200, page.type, page.body);
  else if (path === '/api/board') await stream(request, response, options);
  else if (Object.hasOwn(options.questions, path)) {
    try {
      const found = await options.questions[path]?.(query);
      if (found === undefined) plain(404, 'there is no such object');
      else json(found);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      plain(502, error.message);
    }
  } else plain(404, 'there is no such page');
}

/** A body that is too long or no JSON. */
class BadBody extends Error {}

/** The longest body (bytes). It has a few names. */
const LONGEST_BODY = 4_096;

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = await boundedText(request, LONGEST_BODY);
  if (text === undefined) throw new BadBody(`the body is longer than ${LONGEST_BODY} bytes`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BadBody('the body is not JSON');
  }
}

/** Sends the board as server-sent events: all of it, or what the client has missed, then each change. */
async function stream(
  request: IncomingMessage,
  response: ServerResponse,
  { feed, snapshot }: UiServerOptions,
): Promise<void> {
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
  const left = new AbortController();
  const beats = setInterval(() => response.write('event: beat\ndata: {}\n\n'), BEAT_MS);
  response.once('close', () => {
    clearInterval(beats);
    left.abort();
  });
  const send = ({ number, text }: Entry): void => {
    if (response.writableLength > MOST_UNREAD) response.destroy();
    else response.write(`id: ${feed.idOf(number)}\ndata: ${text}\n\n`);
  };
  const id = request.headers['last-event-id'];
  let missed = feed.since(typeof id === 'string' ? id : undefined);
  while (missed === undefined) {
    const begun = feed.idOf(feed.last);
    // Without an id: a client that is lost meanwhile begins again.
    let count = 0;
    for (const part of snapshot()) {
      if (++count === 2) await setTimeout(PAINT_MS, undefined, left);
      if (!response.write(`data: ${JSON.stringify(part)}\n\n`)) await once(response, 'drain', left);
    }
    response.write(`id: ${begun}\nevent: beat\ndata: {}\n\n`);
    missed = feed.since(begun);
  }
  missed.forEach(send);
  response.once('close', feed.follow(send));
}
