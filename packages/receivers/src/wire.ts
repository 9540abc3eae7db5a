import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** Ends the connection with a TCP reset. */
export function reset({ req }: Pick<Exchange, 'req'>): void {
  req.socket.resetAndDestroy();
}

/** The head of an answer as bytes, for answers that Node's server would not send. */
export function rawHead(status: number, contentLength: number): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`,
    'content-type: text/plain',
    `content-length: ${contentLength}`,
    'connection: close',
    '\r\n',
  ].join('\r\n');
}

/** Sends this number of bytes at the reading speed of the other side. Infinity never ends. */
export function pour(res: ServerResponse, bytes: number): void {
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !res.destroyed) {
      const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
      left -= chunk.length;
      if (!res.write(chunk)) {
        res.once('drain', more);
        return;
      }
    }
    res.end();
  };
  more();
}

/** Sends bytes one by one, then ends the connection. */
export function drip({ req, after }: Pick<Exchange, 'req' | 'after'>, bytes: Buffer, gapMs: number): void {
  const next = (index: number): void => {
    if (index === bytes.length) {
      req.socket.end();
      return;
    }
    req.socket.write(bytes.subarray(index, index + 1));
    after(gapMs, () => {
      next(index + 1);
    });
  };
  next(0);
}
