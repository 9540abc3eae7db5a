import { sendPlain, type Exchange } from './exchange.ts';
import type { Fault, FaultName, RetryAfter } from './fault.ts';
import type { PlainAnswer } from './decision.ts';
import { drip, pour, rawHead, reset } from './wire.ts';

/** The behaviour of one kind of fault. */
interface Behaviour<K extends FaultName> {
  /** The status that it sends, if any. */
  status(fault: Fault<K>, plain: () => PlainAnswer): number | undefined;
  /** Whether a valid message is accepted. */
  accepts(fault: Fault<K>): boolean;
  /** Applies the fault to a request that has been read. */
  play(fault: Fault<K>, exchange: Exchange): void;
}

const success = (status: number): boolean => status >= 200 && status < 300;
const orOk = (fault: { readonly status?: number }): number => fault.status ?? 200;
const acceptsBySuccess = (fault: { readonly status?: number }): boolean => success(orOk(fault));
const nothing = (): undefined => undefined;
const always = (): boolean => true;
const never = (): boolean => false;

const BEHAVIOURS: { readonly [K in FaultName]: Behaviour<K> } = {
  latency: {
    status: (_fault, plain) => plain().status,
    accepts: always,
    play: (fault, exchange) => {
      exchange.after(fault.ms, () => {
        sendPlain(exchange);
      });
    },
  },
  status: {
    status: (fault) => fault.status,
    accepts: (fault) => fault.accepted ?? success(fault.status),
    play: (fault, { res, now }) => {
      const pause = fault.retryAfter && { 'retry-after': retryAfter(fault.retryAfter, now()) };
      res.writeHead(fault.status, { ...pause, ...fault.headers }).end(fault.body ?? '');
    },
  },
  'reset-before-accept': {
    status: nothing,
    accepts: never,
    play: (_fault, exchange) => {
      reset(exchange);
    },
  },
  'reset-after-accept': {
    status: nothing,
    accepts: always,
    play: (_fault, exchange) => {
      reset(exchange);
    },
  },
  'truncated-body': {
    status: orOk,
    accepts: acceptsBySuccess,
    play: (fault, { req }) => {
      const body = fault.body ?? 'this answer ends too ear';
      const length = Buffer.byteLength(body) + (fault.missingBytes ?? 100);
      req.socket.end(rawHead(orOk(fault), length) + body);
    },
  },
  'huge-body': {
    status: orOk,
    accepts: acceptsBySuccess,
    play: (fault, { res }) => {
      const bytes = Math.round(fault.mebibytes * 1024 * 1024);
      res.writeHead(orOk(fault), { 'content-type': 'text/plain', 'content-length': bytes });
      pour(res, bytes);
    },
  },
  'endless-body': {
    status: orOk,
    accepts: acceptsBySuccess,
    play: (fault, { res }) => {
      res.writeHead(orOk(fault), { 'content-type': 'text/plain' });
      pour(res, Infinity);
    },
  },
  redirect: {
    status: (fault) => fault.status ?? 307,
    accepts: never,
    play: (fault, { res }) => {
      res.writeHead(fault.status ?? 307, { location: fault.location }).end();
    },
  },
  'slow-drip': {
    status: orOk,
    accepts: acceptsBySuccess,
    play: (fault, exchange) => {
      const body = fault.body ?? 'drip drip drip';
      const head = rawHead(orOk(fault), Buffer.byteLength(body));
      const slowHead = fault.part === 'all';
      if (!slowHead) exchange.req.socket.write(head);
      drip(exchange, Buffer.from(slowHead ? head + body : body), fault.gapMs);
    },
  },
  hang: {
    status: nothing,
    accepts: (fault) => fault.accepted ?? false,
    play: (_fault, exchange) => {
      exchange.hang();
    },
  },
  late: {
    status: nothing,
    accepts: never,
    play: (fault, exchange) => {
      exchange.late(fault.ms);
    },
  },
  garbage: {
    status: nothing,
    accepts: never,
    play: (fault, { req }) => {
      req.socket.end(fault.bytes ?? 'this is not HTTP\r\n\r\n');
    },
  },
};

/** Whether a receiver with this fault accepts a valid message. */
export function accepts<K extends FaultName>(fault: Fault<K>): boolean {
  const behaviour: Behaviour<K> = BEHAVIOURS[fault.kind];
  return behaviour.accepts(fault);
}

/** The status that is sent with this fault; undefined without an HTTP answer. */
export function statusOf<K extends FaultName>(fault: Fault<K>, plain: () => PlainAnswer): number | undefined {
  const behaviour: Behaviour<K> = BEHAVIOURS[fault.kind];
  return behaviour.status(fault, plain);
}

export function play<K extends FaultName>(fault: Fault<K>, exchange: Exchange): void {
  const behaviour: Behaviour<K> = BEHAVIOURS[fault.kind];
  behaviour.play(fault, exchange);
}

function retryAfter({ inSeconds, as }: RetryAfter, now: number): string {
  return as === 'date' ? new Date(now + inSeconds * 1000).toUTCString() : String(inSeconds);
}
