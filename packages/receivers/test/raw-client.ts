import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  /** Undefined without an HTTP answer. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The code of the error that ended the exchange, if there was one. */
  readonly error: string | undefined;
}

interface RawRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Disconnects after this number of bytes of the answer's body. */
  readonly enough?: number;
}

/** One request on a new connection. Never rejects, but returns how it ended. */
export function send(url: string, options: RawRequest = {}): Promise<RawAnswer> {
  const { method = 'POST', headers = {}, body = '{}', enough = Infinity } = options;
  return new Promise((resolve) => {
    const req = request(url, { method, headers, agent: false });
    req.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ status: undefined, headers: {}, body: '', error: error.code });
    });
    req.on('response', (res) => {
      let text = '';
      let size = 0;
      const done = (error?: string): void => {
        resolve({ status: res.statusCode, headers: res.headers, body: text, error });
      };
      res.on('data', (chunk: Buffer) => {
        size += chunk.length;
        // A small part of it is enough.
        if (text.length < 100_000) text += chunk.toString();
        if (size < enough) return;
        done(`enough: ${size >= enough}`);
        req.destroy();
      });
      res.on('end', () => {
        done();
      });
      res.on('error', (error: NodeJS.ErrnoException) => {
        done(error.code);
      });
    });
    req.end(body);
  });
}

/** Sends bytes unchanged, and collects the answer until the other side ends the connection. */
export async function talk(
  port: number,
  bytes: string,
  seen: (text: string) => void = () => {},
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    seen(text);
  });
  socket.on('error', () => {}); // A reset: 'close' follows.
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

/** Sends bytes unchanged. Returns how the other side ended the connection: `end`, or the error's code. */
export function endingOf(port: number, bytes: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.resume();
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code);
    });
    socket.on('end', () => {
      resolve('end');
    });
    socket.write(bytes);
  });
}

/** A POST as bytes. */
export function post(body: string, path = '/'): string {
  return `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
