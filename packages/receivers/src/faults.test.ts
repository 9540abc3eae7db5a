import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ManualTimer } from '../test/manual-timer.ts';
import { endingOf, post, send, talk } from '../test/raw-client.ts';
import { receiversOfTest } from '../test/receivers.ts';
import type { Fault, WebhookReceiver, WebhookReceiverOptions } from './index.ts';

const start = receiversOfTest();

async function faulty(fault: Fault, options?: WebhookReceiverOptions): Promise<WebhookReceiver> {
  const receiver = await start(options);
  receiver.faults.add({ fault });
  return receiver;
}

const answered = (receiver: WebhookReceiver) => receiver.records.map((record) => record.answered);

describe('latency', () => {
  it('answers as ever, but only when its time has come', async () => {
    const timer = new ManualTimer();
    const receiver = await faulty({ kind: 'latency', ms: 250 }, { after: timer.after });
    let answers = 0;
    const answer = send(receiver.url).finally(() => answers++);
    await receiver.waitFor((records) => records.length === 1);
    expect([answers, timer.waiting]).toEqual([0, [250]]);
    timer.fire();
    expect((await answer).status).toBe(200);
    expect(answered(receiver)).toEqual([{ status: 200, fault: 'latency', accepted: true }]);
  });

  it('does not make a bad message good', async () => {
    const timer = new ManualTimer();
    const options = { after: timer.after, schema: { type: 'array' } };
    const receiver = await faulty({ kind: 'latency', ms: 1 }, options);
    const answer = send(receiver.url);
    await receiver.waitFor((records) => records.length === 1);
    timer.fire();
    expect((await answer).status).toBe(422);
    expect(answered(receiver)).toEqual([{ status: 422, fault: 'latency', accepted: false }]);
  });

  it('leaves no timer behind when the receiver is closed', async () => {
    const timer = new ManualTimer();
    const receiver = await faulty({ kind: 'latency', ms: 250 }, { after: timer.after });
    const answer = send(receiver.url);
    await receiver.waitFor((records) => records.length === 1);
    await receiver.close();
    expect((await answer).error).toBe('ECONNRESET');
    expect(timer.waiting).toEqual([]);
  });
});

describe('a status', () => {
  it.each([400, 404, 410, 429, 500, 503])('of %i comes with its body and accepts nothing', async (status) => {
    const receiver = await faulty({ kind: 'status', status, body: 'no' });
    const answer = await send(receiver.url);
    expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([status, 'no', undefined]);
    expect(answered(receiver)).toEqual([{ status, fault: 'status', accepted: false }]);
  });

  it('says when to come again in seconds', async () => {
    const receiver = await faulty({ kind: 'status', status: 429, retryAfter: { inSeconds: 7 } });
    expect((await send(receiver.url)).headers['retry-after']).toBe('7');
  });

  it('says when to come again as a date by the receiver’s clock', async () => {
    const now = () => Date.UTC(2026, 0, 5, 20, 0, 0);
    const receiver = await faulty(
      { kind: 'status', status: 429, retryAfter: { inSeconds: 90, as: 'date' } },
      { now },
    );
    expect((await send(receiver.url)).headers['retry-after']).toBe('Mon, 05 Jan 2026 20:01:30 GMT');
  });

  it('may carry any header, and may have accepted the message all the same', async () => {
    const receiver = await faulty({
      ...{ kind: 'status', status: 429, accepted: true },
      headers: { 'retry-after': 'soon' },
    });
    expect((await send(receiver.url)).headers['retry-after']).toBe('soon');
    expect(answered(receiver)[0]?.accepted).toBe(true);
  });

  it('of success accepts', async () => {
    const receiver = await faulty({ kind: 'status', status: 204 });
    expect((await send(receiver.url)).status).toBe(204);
    expect(answered(receiver)[0]?.accepted).toBe(true);
  });
});

describe('a reset', () => {
  it('before acceptance shows in the head alone, and accepts nothing', async () => {
    const receiver = await faulty({ kind: 'reset-before-accept' });
    expect(await send(receiver.url, { body: '{"a":1}' })).toMatchObject({
      status: undefined,
      error: 'ECONNRESET',
    });
    expect(receiver.records[0]).toMatchObject({
      rawBody: Buffer.alloc(0),
      complete: false,
      answered: { status: undefined, fault: 'reset-before-accept', accepted: false },
    });
  });

  it('before acceptance may let some of the body pass', async () => {
    const receiver = await faulty({ kind: 'reset-before-accept', afterBytes: 3 });
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n';
    expect(await talk(receiver.port, `${head}{"a`)).toBe('');
    expect(receiver.records[0]).toMatchObject({ rawBody: Buffer.from('{"a'), answered: { accepted: false } });
  });

  it('before acceptance comes after the body where a rule had to read it', async () => {
    const receiver = await start();
    receiver.faults.add({ match: { json: () => true }, fault: { kind: 'reset-before-accept' } });
    expect((await send(receiver.url, { body: '[1]' })).error).toBe('ECONNRESET');
    expect(receiver.records[0]).toMatchObject({ json: [1], complete: true, answered: { accepted: false } });
  });

  it('after acceptance looks the same to the sender, but the message was taken', async () => {
    const receiver = await faulty({ kind: 'reset-after-accept' });
    expect(await send(receiver.url)).toMatchObject({ status: undefined, error: 'ECONNRESET' });
    expect(answered(receiver)).toEqual([{ status: undefined, fault: 'reset-after-accept', accepted: true }]);
  });

  it.each<Fault>([{ kind: 'reset-before-accept' }, { kind: 'reset-after-accept' }])(
    'is a TCP reset, not an orderly end: $kind',
    async (fault) => {
      const receiver = await faulty(fault);
      expect(await endingOf(receiver.port, post('{}'))).toBe('ECONNRESET');
    },
  );

  it('after acceptance takes no message that is not in order', async () => {
    const receiver = await faulty({ kind: 'reset-after-accept' }, { schema: { type: 'array' } });
    await send(receiver.url);
    expect(answered(receiver)[0]?.accepted).toBe(false);
  });
});

describe('a body', () => {
  it('that is truncated ends before its Content-Length', async () => {
    const receiver = await faulty({ kind: 'truncated-body', body: 'abc', missingBytes: 5 });
    expect(await send(receiver.url)).toMatchObject({
      status: 200,
      headers: { 'content-length': '8' },
      body: 'abc',
      error: 'ECONNRESET',
    });
    expect(answered(receiver)[0]).toMatchObject({ status: 200, accepted: true });
  });

  it('that is huge comes whole to who wants it', async () => {
    const receiver = await faulty({ kind: 'huge-body', mebibytes: 2, status: 500 });
    const size = 2 * 1024 * 1024;
    const answer = await send(receiver.url, { enough: size });
    expect(answer).toMatchObject({ status: 500, error: 'enough: true' });
    expect(answer.headers['content-length']).toBe(String(size));
    expect(answered(receiver)[0]?.accepted).toBe(false);
  });

  it('that is huge ends where it says', async () => {
    const receiver = await faulty({ kind: 'huge-body', mebibytes: 1.3 });
    expect(await send(receiver.url)).toMatchObject({ status: 200, error: undefined });
  });

  it('that never ends goes on until the sender hangs up', async () => {
    const receiver = await faulty({ kind: 'endless-body' });
    const answer = await send(receiver.url, { enough: 5 * 1024 * 1024 });
    expect(answer).toMatchObject({ status: 200, error: 'enough: true' });
    expect(answer.headers['content-length']).toBeUndefined();
  });

  it('that never ends is ended by close()', async () => {
    const receiver = await faulty({ kind: 'endless-body' });
    const answer = send(receiver.url);
    await receiver.waitFor((records) => records.length === 1);
    await receiver.close();
    expect((await answer).error).toBe('ECONNRESET');
  });
});

describe('a redirect', () => {
  it('names the place, and accepts nothing', async () => {
    const receiver = await faulty({ kind: 'redirect', location: 'http://127.0.0.1:1/other' });
    const answer = await send(receiver.url);
    expect([answer.status, answer.headers.location]).toEqual([307, 'http://127.0.0.1:1/other']);
    expect(answered(receiver)).toEqual([{ status: 307, fault: 'redirect', accepted: false }]);
  });

  it('may have another status', async () => {
    const receiver = await faulty({ kind: 'redirect', status: 302, location: '/' });
    expect((await send(receiver.url)).status).toBe(302);
  });
});

describe('a slow drip', () => {
  it('sends the body one byte at a time', async () => {
    const timer = new ManualTimer();
    const receiver = await faulty({ kind: 'slow-drip', gapMs: 40, body: 'abcd' }, { after: timer.after });
    const seen: string[] = [];
    const whole = talk(receiver.port, post('{}'), (text) => {
      // The next byte is sent after this one was received, so each byte is seen alone.
      if (!text.includes('\r\n\r\n') || text.endsWith('\r\n\r\n')) return;
      seen.push(text.slice(text.indexOf('\r\n\r\n') + 4));
      expect(timer.waiting).toEqual([40]);
      timer.fire();
    });
    expect(await whole).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*content-length: 4\r\n[^]*abcd$/);
    expect(seen).toEqual(['a', 'ab', 'abc', 'abcd']);
  });

  it('may send the head so, too', async () => {
    const timer = new ManualTimer();
    const fault: Fault = { kind: 'slow-drip', gapMs: 40, body: 'a', part: 'all', status: 503 };
    const receiver = await faulty(fault, { after: timer.after });
    let pieces = 0;
    const text = await talk(receiver.port, post('{}'), () => {
      pieces++;
      timer.fire();
    });
    expect(text).toMatch(/^HTTP\/1.1 503 Service Unavailable\r\n/);
    expect(pieces).toBe(text.length);
    expect(answered(receiver)[0]).toMatchObject({ status: 503, accepted: false });
  });
});

describe('a request that hangs', () => {
  it('is answered when it is released, and counts as accepted from then', async () => {
    const receiver = await faulty({ kind: 'hang' });
    const answer = send(receiver.url);
    await receiver.waitFor((records) => records.length === 1);
    expect(receiver.stats()).toMatchObject({ hanging: 1, accepted: 0 });
    expect(answered(receiver)).toEqual([{ status: undefined, fault: 'hang', accepted: false }]);
    expect(receiver.release()).toBe(1);
    expect((await answer).status).toBe(200);
    expect(answered(receiver)).toEqual([{ status: 200, fault: 'hang', accepted: true }]);
    expect(receiver.stats()).toMatchObject({ hanging: 0, accepted: 1 });
    expect(receiver.release()).toBe(0);
  });

  it('may have been accepted, though the sender does not know', async () => {
    const receiver = await faulty({ kind: 'hang', accepted: true });
    const answer = send(receiver.url);
    await receiver.waitFor((records) => records.length === 1);
    expect(answered(receiver)[0]?.accepted).toBe(true);
    receiver.release();
    await answer;
    expect(receiver.stats()).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it('is cut by close()', async () => {
    const receiver = await faulty({ kind: 'hang' });
    const answer = send(receiver.url);
    await receiver.waitFor((records) => records.length === 1);
    await receiver.close();
    expect((await answer).error).toBe('ECONNRESET');
    expect(receiver.stats()).toMatchObject({ hanging: 0, connections: 0 });
  });
});

describe('a request that is late', () => {
  it('is accepted when it is released, though its sender has hung up', async () => {
    const receiver = await faulty({ kind: 'late' });
    const sender = request(receiver.url, { method: 'POST', agent: false }).on('error', () => undefined);
    sender.end('{}');
    await receiver.waitFor((records) => records.length === 1);
    expect(answered(receiver)).toEqual([{ status: undefined, fault: 'late', accepted: false }]);
    sender.destroy();
    await expect.poll(() => receiver.stats().connections).toBe(0);
    expect(receiver.stats()).toMatchObject({ hanging: 1, accepted: 0 });
    expect(receiver.release()).toBe(1);
    expect(answered(receiver)).toEqual([{ status: undefined, fault: 'late', accepted: true }]);
    expect(receiver.stats()).toMatchObject({ hanging: 0, accepted: 1 });
  });

  it('is accepted and answered when its time has come', async () => {
    const timer = new ManualTimer();
    const receiver = await faulty({ kind: 'late', ms: 250 }, { after: timer.after });
    const amended: boolean[] = [];
    receiver.onAmended((record) => amended.push(record.answered.accepted));
    const answer = send(receiver.url);
    await receiver.waitFor((records) => records.length === 1);
    expect(amended).toEqual([]);
    expect([answered(receiver)[0]?.accepted, timer.waiting]).toEqual([false, [250]]);
    timer.fire();
    expect((await answer).status).toBe(200);
    expect(answered(receiver)).toEqual([{ status: 200, fault: 'late', accepted: true }]);
    expect(amended).toEqual([true]);
  });

  it('leaves no timer behind when it is released or the receiver is closed', async () => {
    const timer = new ManualTimer();
    const receiver = await faulty({ kind: 'late', ms: 250 }, { after: timer.after });
    const first = send(receiver.url);
    await receiver.waitFor((records) => records.length === 1);
    receiver.release();
    await first;
    const second = send(receiver.url);
    await receiver.waitFor((records) => records.length === 2);
    expect(timer.waiting).toEqual([250]);
    await receiver.close();
    await second;
    expect(timer.waiting).toEqual([]);
    expect(receiver.stats()).toMatchObject({ hanging: 0, accepted: 1 });
  });
});

describe('garbage', () => {
  it('is not HTTP', async () => {
    const receiver = await faulty({ kind: 'garbage', bytes: '\u0000\u0001 what?\r\n\r\n' });
    expect(await send(receiver.url)).toMatchObject({ status: undefined, error: 'HPE_INVALID_CONSTANT' });
    expect(answered(receiver)).toEqual([{ status: undefined, fault: 'garbage', accepted: false }]);
  });
});

describe('rules over HTTP', () => {
  it('spoil each message once, and let its second attempt pass', async () => {
    const receiver = await start();
    receiver.faults.add({ match: { attempt: 1 }, fault: { kind: 'status', status: 503 } });
    const statuses: (number | undefined)[] = [];
    for (const id of ['m1', 'm2', 'm1', 'm2'])
      statuses.push((await send(receiver.url, { headers: { 'webhook-id': id } })).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
  });

  it('may look into the message', async () => {
    const receiver = await start();
    receiver.faults.add({
      match: { json: (body) => (body as { event?: unknown }).event === 'Failure' },
      fault: { kind: 'status', status: 500 },
    });
    expect((await send(receiver.url, { body: '{"event":"Start"}' })).status).toBe(200);
    expect((await send(receiver.url, { body: '{"event":"Failure"}' })).status).toBe(500);
  });
});
