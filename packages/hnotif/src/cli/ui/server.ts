import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { boundedText } from '../../bounded-text.ts';
import { bundled } from '../../bundled.ts';
import { CommandError } from '../io.ts';
import { streamBoard, type BoardSource } from './board-stream.ts';
import { cookieName, judge, type Verdict } from './gate.ts';

/** An answer as JSON. Undefined: there is no such thing. Rejects with a `CommandError` if the cluster does not answer. */
export type Question = (query: URLSearchParams) => Promise<object | undefined> | object | undefined;

/** Does something for the user. Throws a `ZodError` for a body that it does not know. */
export type Action = (body: unknown) => Promise<object>;

export interface UiServerOptions extends BoardSource {
  /** 0: any free port. */
  readonly port: number;
  /** Of this run. It shows its holder what the user of the program may see. */
  readonly token: string;
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
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; " +
  "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = new Headers({
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

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

type Pages = ReadonlyMap<string, Pick<Answer, 'type' | 'body'>>;

/** All files of the page, by path. */
async function readPages(): Promise<Pages> {
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

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const plain = (status: number, message: string, headers = {}): Answer => ({
  ...{ status, type: 'text/plain; charset=utf-8', body: `${message}\n`, headers },
});

const json = (found: object): Answer => ({
  ...{ status: 200, type: 'application/json; charset=utf-8', body: JSON.stringify(found) },
});

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  pages: Pages,
  options: UiServerOptions,
): Promise<void> {
  const { method = '', url = '/', headers } = request;
  response.setHeaders(HEADERS);
  const verdict = judge({ method, url, headers }, port, options.token);
  if (verdict.kind === 'pass' && verdict.path === '/api/board' && method !== 'POST') {
    await streamBoard(request, response, options);
    return;
  }
  const { status, type, body, headers: more } = await answerTo(verdict, request, port, pages, options);
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...more });
  response.end(method === 'HEAD' ? undefined : body);
}

async function answerTo(
  verdict: Verdict,
  request: IncomingMessage,
  port: number,
  pages: Pages,
  { token, actions, questions }: UiServerOptions,
): Promise<Answer> {
  if (verdict.kind === 'refuse') return plain(verdict.status, verdict.message);
  if (verdict.kind === 'enter') {
    const cookie = `${cookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Strict`;
    return plain(303, 'go to /', { location: '/', 'set-cookie': cookie });
  }
  const { path, query } = verdict;
  if (request.method === 'POST') return answerToPost(request, own(actions, path));
  const page = pages.get(path);
  if (page !== undefined) return { status: 200, ...page };
  const question = own(questions, path);
  return question === undefined ? plain(404, 'there is no such page') : answerToQuestion(question, query);
}

const own = <T>(all: Readonly<Record<string, T>>, path: string): T | undefined =>
  Object.hasOwn(all, path) ? all[path] : undefined;

async function answerToPost(request: IncomingMessage, act: Action | undefined): Promise<Answer> {
  if (act === undefined) return plain(405, 'only GET and HEAD');
  try {
    return json(await act(await bodyOf(request)));
  } catch (error) {
    if (error instanceof BadBody) return plain(400, error.message);
    if (error instanceof z.ZodError) return plain(400, `the request is not valid: ${z.prettifyError(error)}`);
    throw error;
  }
}

async function answerToQuestion(question: Question, query: URLSearchParams): Promise<Answer> {
  try {
    const found = await question(query);
    return found === undefined ? plain(404, 'there is no such object') : json(found);
  } catch (error) {
    // The cluster does not answer, or refuses: the program itself is well.
    if (!(error instanceof CommandError)) throw error;
    return plain(502, error.message);
  }
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
