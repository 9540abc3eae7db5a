import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { SINK_TYPES, type SinkType } from '@hnotif/core/resources';
import {
  BOTCHAT_PROOFS,
  CHANNEL_PROOFS,
  THREAD_PROOFS,
  WEBHOOK_PROOFS,
} from '../../core/src/sinks/proofs.ts';
import type { Example, ProofRow } from '../../core/src/sinks/proof.ts';
import { SINKS } from '@hnotif/core/sinks';
import { PLENTY } from '../../lab/src/objects.ts';
import { TurnedClock } from '../../lab/src/turned-clock.ts';
import { metricsOf, World } from './support/world.ts';

/** Retries and probes that come at once. */
const LIMITS = { backoffMinMs: 1, backoffMaxMs: 5, probeMinMs: 20, probeMaxMs: 50 };

interface Family {
  readonly type: SinkType;
  readonly proofs: Readonly<Record<string, ProofRow>>;
  readonly config: (origin: string, sink: string) => object;
  /** The sink of a request that posts its message; undefined: another request. */
  readonly sinkOf: (request: IncomingMessage, body: string) => string | undefined;
  /** Whether a message is looked for before it is sent again. */
  readonly looksAgain?: true;
  /** Default: a message that is refused is followed by a plainer one. */
  readonly hasOneForm?: true;
  /** The receiver's own answer. */
  readonly good: Exclude<Example, 'lost'>;
}

const lastOf = (path = ''): string | undefined => path.split('/').at(-1);
const byPath = ({ url }: IncomingMessage): string | undefined => lastOf(url);

const FAMILIES: Readonly<Record<string, Family>> = {
  'an incoming webhook of teamchat': {
    type: 'teamchat',
    proofs: CHANNEL_PROOFS,
    config: (origin, sink) => ({ webhook_url: `${origin}/services/${sink}`, rate_limit: PLENTY }),
    sinkOf: byPath,
    good: [200, 'ok'],
  },
  'the Web API of teamchat': {
    type: 'teamchat',
    proofs: THREAD_PROOFS,
    config: (_, sink) => ({
      ...{ delivery_mode: 'thread', bot_token: `xoxb-${sink}`, channel_id: `C0${sink.toUpperCase()}` },
      rate_limit: PLENTY,
    }),
    // A reply would be a second message.
    sinkOf: ({ url, headers }, body) =>
      lastOf(url) === 'chat.postMessage' && !body.includes('thread_ts')
        ? headers.authorization?.replace('Bearer xoxb-', '')
        : undefined,
    looksAgain: true,
    good: [200, '{"ok":true,"channel":"C0THREAD","ts":"1767643200.000200","messages":[]}'],
  },
  botchat: {
    type: 'botchat',
    proofs: BOTCHAT_PROOFS,
    config: (_, sink) => ({ token: `1:${sink}`, chat_id: '-1001', rate_limit: PLENTY }),
    sinkOf: ({ url }) => /^\/bot1:(\w+)\/sendMessage$/.exec(url ?? '')?.[1],
    good: [200, '{"ok":true,"result":{"message_id":1}}'],
  },
  webhook: {
    type: 'webhook',
    proofs: WEBHOOK_PROOFS,
    config: (origin, sink) => ({ url: `${origin}/${sink}` }),
    sinkOf: byPath,
    hasOneForm: true,
    good: [200, 'ok'],
  },
  ...Object.fromEntries(
    SINK_TYPES.flatMap((type) => {
      const { hook } = SINKS[type];
      if (hook === undefined) return [];
      const family: Family = {
        ...{ type, proofs: hook.proofs, sinkOf: byPath, good: hook.success },
        config: (origin, sink) => ({ [hook.field]: `${origin}/hooks/${sink}`, rate_limit: PLENTY }),
      };
      return [[type, family] as const];
    }),
  ),
};

/** A row's example, with the sink that gets it. */
interface Case {
  readonly sink: string;
  readonly row: ProofRow;
  readonly example: Example;
}

const casesOf = (proofs: Family['proofs']): Case[] =>
  Object.entries(proofs).flatMap(([name, row]) =>
    row.examples.map((example, index) => ({ sink: `${name}${index}`, row, example })),
  );

function give(response: ServerResponse, example: Example): void {
  if (example === 'lost') {
    response.destroy();
    return;
  }
  const [status, body] = example;
  response.writeHead(status, { 'content-type': body.startsWith('<!') ? 'text/html' : 'text/plain' });
  response.end(body);
}

/** A receiver that gives each sink its example once, and is good afterwards. `ids`: the `webhook-id` of each message. */
async function receiverOf({ sinkOf, good }: Family, cases: readonly Case[]) {
  const ids = new Map<string, (string | undefined)[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sink = sinkOf(request, Buffer.concat(chunks).toString());
      const before = ids.get(sink ?? '') ?? [];
      const { example } = cases.find((each) => each.sink === sink) ?? {};
      if (sink !== undefined) ids.set(sink, [...before, String(request.headers['webhook-id'])]);
      give(response, example !== undefined && before.length === 0 ? example : good);
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { ids, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it.each(Object.entries(FAMILIES))('each row of the proofs of %s holds', async (_, family) => {
  const { type, proofs, config, hasOneForm = false } = family;
  const cases = casesOf(proofs);
  const { ids, origin } = await receiverOf(family, cases);
  const world = await World.start();
  for (const { sink } of cases) await world.configure(sink, config(origin, sink));
  await world.notification('n', {
    onEvents: ['Start'],
    sinks: cases.map(({ sink: name }) => ({ name, type })),
  });
  await world.plan('orders');
  const clock = new TurnedClock();
  const controller = await world.synced({
    ...{ clock, limits: LIMITS, chatApiUrl: origin, botApiUrl: origin },
    metricsKeptMs: 0,
  });
  await world.hibernate('orders');
  const ended = async (): Promise<number> => {
    const isIdle = (await metricsOf(controller)).includes('\nhnotif_requests_in_flight 0\n');
    // A root is looked for when the first request must have ended. A request that begins now lives through one turn, not through ten seconds.
    if (family.looksAgain === true && isIdle) clock.turn(3_000);
    const { delivered, failed, dropped } = controller.totals();
    return delivered + failed + dropped;
  };
  await expect.poll(ended).toBe(cases.length);

  const of = (sink: string): string[] => world.log.filter((line) => line.includes(`"sink":"${sink}"`));
  for (const { sink, row, example } of cases) {
    const what = `${sink}: ${JSON.stringify(example)}`;
    const sent = ids.get(sink) ?? [];
    if (row.degradation === undefined)
      expect(of(sink).join(''), what).not.toMatch(/AnswerUnknown|WebPageAnswered/);
    else await world.logged(new RegExp(`"sink":"${sink}".*"reason":"${row.degradation}"`));
    if (row.proves === 'arrived') {
      expect(sent, what).toHaveLength(1);
      expect(of(sink).join(''), what).not.toMatch(/sink (parked|quarantined)/);
    } else {
      const isFinal = hasOneForm && example[0] === 400;
      expect(sent.length, what).toBe(isFinal ? 1 : 2);
      expect(new Set(sent).size, what).toBe(1);
    }
  }
});
