import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { receiversOfTest } from '../../test/receivers.ts';
import { post, send, talk } from '../../test/raw-client.ts';
import { startWebhookReceiver } from '../index.ts';

const start = receiversOfTest();

describe('a webhook receiver', () => {
  it('keeps a message as it came and answers 200', async () => {
    const receiver = await start({ path: '/hook', now: () => 1_767_643_200_000 });
    const answer = await send(`${receiver.url}?x=1`, {
      headers: { 'Webhook-Id': 'm1', 'X-Team': 'night' },
      body: '{"event":"Start","ü":1}',
    });
    expect(answer).toMatchObject({ status: 200, body: '{"accepted":true}', error: undefined });
    const [record] = receiver.records;
    expect(record).toMatchObject({
      number: 1,
      arrivedAt: 1_767_643_200_000,
      method: 'POST',
      path: '/hook?x=1',
      headers: { 'x-team': 'night' },
      rawBody: Buffer.from('{"event":"Start","ü":1}'),
      complete: true,
      json: { event: 'Start', ü: 1 },
      jsonError: undefined,
      id: 'm1',
      attempt: 1,
      signature: 'absent',
      schemaErrors: [],
      answered: { status: 200, fault: undefined, accepted: true },
    });
    expect(record?.arrivedMonotonic).toBeTypeOf('number');
  });

  it('reports a message before it answers', async () => {
    const receiver = await start();
    const order: string[] = [];
    receiver.onRecord(({ id }) => order.push(`record ${id}`));
    await send(receiver.url, { headers: { 'webhook-id': 'm1' } });
    order.push('answer');
    expect(order).toEqual(['record m1', 'answer']);
  });

  it('counts the attempts of an id, and what was accepted twice', async () => {
    const receiver = await start();
    for (const id of ['m1', 'm2', 'm1', 'm1']) await send(receiver.url, { headers: { 'webhook-id': id } });
    await send(receiver.url);
    expect(receiver.records.map(({ id, attempt }) => [id, attempt])).toEqual([
      ['m1', 1],
      ['m2', 1],
      ['m1', 2],
      ['m1', 3],
      ['', 1],
    ]);
    expect(receiver.stats()).toMatchObject({ requests: 5, accepted: 5, duplicates: 2, hanging: 0 });
  });

  it('keeps what is not JSON with the reason, and takes it unless a schema says otherwise', async () => {
    const receiver = await start();
    expect((await send(receiver.url, { body: '{"a":' })).status).toBe(200);
    expect(receiver.records[0]).toMatchObject({ json: undefined, answered: { accepted: true } });
    expect(receiver.records[0]?.jsonError).toMatch(/JSON/);

    const strict = await start({ schema: { type: 'object', required: ['context'] } });
    expect((await send(strict.url, { body: '{"a":' })).status).toBe(422);
    expect((await send(strict.url, { body: '{}' })).body).toContain("required property 'context'");
    expect((await send(strict.url, { body: '{"context":{}}' })).status).toBe(200);
    expect(strict.records.map(({ answered }) => answered.accepted)).toEqual([false, false, true]);
    expect(strict.records[0]?.schemaErrors[0]).toMatch(/^the body is not JSON: /);
    expect(strict.stats()).toMatchObject({ schemaFailures: 2, accepted: 1 });
  });

  it('with secrets takes signed messages alone', async () => {
    const receiver = await start({
      signingSecrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      now: () => 1614265330_000,
    });
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    expect((await send(receiver.url, { headers, body: '{"test": 2432232314}' })).status).toBe(200);
    expect((await send(receiver.url, { headers, body: '{"test": 1}' })).body).toContain(
      'no signature matches',
    );
    expect((await send(receiver.url, { body: '{"test": 2432232314}' })).status).toBe(401);
    expect(receiver.records.map(({ signature, answered }) => [signature, answered.accepted])).toEqual([
      ['valid', true],
      ['invalid', false],
      ['absent', false],
    ]);
    expect(receiver.stats().invalidSignatures).toBe(1);
  });

  it('refuses other paths than its own, and other methods than POST', async () => {
    const receiver = await start({ path: '/hook' });
    expect((await send(receiver.url.replace('/hook', '/hooks'))).status).toBe(404);
    const put = await send(receiver.url, { method: 'PUT' });
    expect([put.status, put.headers.allow]).toEqual([405, 'POST']);
    expect(receiver.records.map(({ method, answered }) => [method, answered.accepted])).toEqual([
      ['POST', false],
      ['PUT', false],
    ]);
  });

  it('keeps what came of a message whose sender hung up, and judges it not', async () => {
    const receiver = await start({
      schema: { type: 'object' },
      signingSecrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    const socket = connect(receiver.port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\nwebhook-signature: v1,x\r\n\r\n{"half',
    );
    await once(socket, 'connect');
    socket.end();
    const [record] = await receiver.waitFor((records) => records.length > 0 && records);
    expect(record).toMatchObject({
      complete: false,
      signature: 'unchecked',
      schemaErrors: [],
      answered: { status: undefined, fault: undefined, accepted: false },
    });
  });

  it('serves many messages over one connection', async () => {
    const receiver = await start();
    const last = post('{"n":3}').replace('host: x', 'host: x\r\nconnection: close');
    const text = await talk(receiver.port, post('{"n":1}') + post('{"n":2}') + last);
    expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3);
    expect(receiver.records.map(({ json }) => json)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('keeps no more records than its limit', async () => {
    const receiver = await start({ keep: 2 });
    for (let n = 0; n < 4; n++) await send(receiver.url);
    expect(receiver.records.map(({ number }) => number)).toEqual([3, 4]);
  });

  it('rejects with EADDRINUSE when its port is taken', async () => {
    const { port } = await start();
    await expect(startWebhookReceiver({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('rejects a bad secret or schema when it starts', async () => {
    await expect(startWebhookReceiver({ signingSecrets: ['abc'] })).rejects.toThrow(TypeError);
    await expect(startWebhookReceiver({ schema: { type: 'objekt' } })).rejects.toThrow(/schema is invalid/);
  });

  it('frees its port when it is closed, however often', async () => {
    const receiver = await start();
    const port = Number(new URL(receiver.url).port);
    await Promise.all([receiver.close(), receiver.close()]);
    // Another program can have the free port for a moment.
    await expect.poll(async () => (await send((await start({ port })).url)).status).toBe(200);
  });
});
