import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import type { Resolve } from './lookups.ts';
import { post, serve, transport, unusedPort } from './testing/server.ts';

/** A DNS that gives one list of addresses after the other, and the last one for ever. */
function dns(...answers: (readonly string[])[]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: (name, done) => {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(name);
      done(
        null,
        answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  };
}

/** A local receiver with a name; `asked` counts its requests. */
async function named(
  name: string,
  headers: Record<string, string> = {},
): Promise<{ url: URL; asked: () => number }> {
  let requests = 0;
  const { url } = await serve((_request, response) => {
    requests++;
    response.writeHead(200, headers).end();
  });
  url.hostname = name;
  return { url, asked: () => requests };
}

const METADATA = '169.254.169.254';
const REFUSED = { kind: 'failed', reason: 'EgressRefused', sent: false };

test.each([
  ['metadata', METADATA],
  ['mapped metadata', `::ffff:${METADATA}`],
  ['NAT64 metadata', `64:ff9b::${METADATA}`],
  ['IPv6 link-local', 'fe80::1'],
  ['IPv6 link-local with a zone', 'fe80::1%lo'],
  ['this host', '0.0.0.0'],
  ['unspecified', '::'],
])('a name whose address is %s is refused before anything is sent', async (_what, address) => {
  const { resolve } = dns([address]);
  const reply = await post(transport({ resolve }), new URL('https://hooks.example/secret-path'));
  expect(reply).toMatchObject(REFUSED);
  expect(reply).toHaveProperty('message', expect.stringContaining('hooks.example may not be connected to'));
  expect(JSON.stringify(reply)).not.toMatch(/169\.254|fe80|secret-path/);
});

test('a name that changes its address is looked up once for a connection, which uses that address', async () => {
  const { url, asked } = await named('rebind.example');
  const { resolve, asked: looks } = dns(['127.0.0.1'], [METADATA]);
  expect(await post(transport({ resolve }), url)).toMatchObject({ status: 200 });
  expect(looks).toEqual(['rebind.example']);
  expect(asked()).toBe(1);
});

test('each new connection is checked', async () => {
  const { url, asked } = await named('rebind.example', { connection: 'close' });
  const { resolve, asked: looks } = dns(['127.0.0.1'], [METADATA], ['127.0.0.1']);
  const clock = new ManualClock();
  const client = transport({ resolve, clock });
  expect(await post(client, url)).toMatchObject({ status: 200 });
  // An answer is cached for a few seconds.
  expect(await post(client, url)).toMatchObject({ status: 200 });
  expect(looks).toHaveLength(1);
  await clock.advance(5_000);
  expect(await post(client, url)).toMatchObject(REFUSED);
  await clock.advance(5_000);
  expect(await post(client, url)).toMatchObject({ status: 200 });
  expect(asked()).toBe(3);
});

test('denied addresses of a name are never tried, even if no other one answers', async () => {
  const { url, asked } = await named('mixed.example');
  const { resolve } = dns(['127.0.0.1', '127.0.0.2', '::ffff:127.0.0.1']);
  const egress = { deny: ['127.0.0.1'] };
  expect(await post(transport({ resolve, egress }), url)).toMatchObject({ reason: 'ConnectionRefused' });
  expect(asked()).toBe(0);
});

test('the next address of a name is tried if the first one is dead', async () => {
  const { url } = await named('mixed.example');
  const { resolve } = dns([METADATA, '127.0.0.2', '127.0.0.1']);
  expect(await post(transport({ resolve }), url)).toMatchObject({ status: 200 });
});

test('the error of a name without an address, or with a thousand refused ones, is clear', async () => {
  const url = new URL('https://empty.example/');
  expect(await post(transport(dns([])), url)).toMatchObject({
    ...REFUSED,
    message: expect.stringContaining('no address') as unknown,
  });
  const many = Array.from({ length: 1_000 }, (_, index) => `169.254.${index >> 8}.${index & 255}`);
  expect(await post(transport(dns(many)), url)).toMatchObject(REFUSED);
});

test('a DNS answer that is not an address is refused', async () => {
  const url = new URL(`https://odd.example:${await unusedPort()}/`);
  expect(await post(transport(dns(['localhost', '127.1', ''])), url)).toMatchObject(REFUSED);
});

test.each(['localhost', 'localhost.', 'LOCALHOST', 'a.localhost'])(
  'the name %s is checked by its address, like any other',
  async (name) => {
    const url = new URL(`http://${name}:${await unusedPort()}/`);
    const denied = transport({ ...dns(['127.0.0.1']), egress: { deny: ['127.0.0.0/8'] } });
    expect(await post(denied, url)).toMatchObject(REFUSED);
    expect(await post(transport(dns(['192.0.2.1'])), url)).toMatchObject(REFUSED);
  },
);

test('requests that wait for the same name share one look-up', async () => {
  const { url } = await named('slow.example');
  const looks: Parameters<Resolve>[1][] = [];
  const clock = new ManualClock();
  const client = transport({ clock, resolve: (_name, done) => looks.push(done) });
  const replies = Array.from({ length: 10 }, () => post(client, url));
  await settle();
  expect(looks).toHaveLength(1);
  looks.pop()?.(null, [{ address: '127.0.0.1', family: 4 }]);
  for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ status: 200 });
  await clock.advance(5_000);
  const later = post(client, new URL(url.href.replace('http:', 'https:')));
  await settle();
  looks.pop()?.(null, [{ address: METADATA, family: 4 }]);
  expect(await later).toMatchObject(REFUSED);
});

test('a look-up that never ends times out, and the error names the DNS', async () => {
  const clock = new ManualClock();
  const reply = post(transport({ clock, resolve: () => {} }), new URL('https://slow.example/'));
  await clock.advance(3_000);
  expect(await reply).toMatchObject({
    ...{ kind: 'failed', reason: 'NameLookupFailed', sent: false },
    message: expect.stringContaining('no answer within 3 s') as string,
  });
});

test('the time limit of a request begins after its look-up', async () => {
  const clock = new ManualClock();
  const { url, server } = await serve(() => {});
  url.hostname = 'slow.example';
  const looks: Parameters<Resolve>[1][] = [];
  const reply = post(transport({ clock, resolve: (_name, done) => looks.push(done) }), url);
  await clock.advance(2_900);
  looks.pop()?.(null, [{ address: '127.0.0.1', family: 4 }]);
  await once(server, 'request');
  expect(clock.nextIn).toBe(10_000);
  await clock.advance(10_000);
  expect(await reply).toMatchObject({ reason: 'TimedOut', sent: true });
});

test('nothing is sent if leadership was lost during the look-up', async () => {
  const { url, asked } = await named('slow.example');
  const looks: Parameters<Resolve>[1][] = [];
  let leads = true;
  const client = transport({ mayPost: () => leads, resolve: (_name, done) => looks.push(done) });
  const reply = post(client, url);
  await settle();
  leads = false;
  looks.pop()?.(null, [{ address: '127.0.0.1', family: 4 }]);
  expect(await reply).toMatchObject({ reason: 'Aborted', sent: false });
  expect(asked()).toBe(0);
});

test('names without an answer delay no other namespace, and the error names the cause of the wait', async () => {
  const clock = new ManualClock();
  const { url } = await named('good.example');
  const warnings: string[] = [];
  const client = transport({
    ...{ clock, lookups: 4, warn: (reason, message) => warnings.push(`${reason}: ${message}`) },
    resolve: (name, done) => {
      if (name === 'good.example') done(null, [{ address: '127.0.0.1', family: 4 }]);
    },
  });
  const hanging = Array.from({ length: 32 }, (_, index) =>
    post(client, new URL(`https://never-${index}.example/`), { owner: 'team-b' }),
  );
  await settle();
  expect(await post(client, url, { owner: 'team-a' })).toMatchObject({ status: 200 });
  await clock.advance(6_000);
  const reasons = (await Promise.all(hanging)).map((reply) => reply.kind === 'failed' && reply.reason);
  expect(reasons.filter((reason) => reason === 'NameLookupFailed')).toHaveLength(2);
  expect(reasons.filter((reason) => reason === 'LookupWaited')).toHaveLength(30);
  expect(warnings).toEqual([expect.stringMatching(/^LookupWaited: .*namespace team-b .*remove sinks/)]);
});
