import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { sinkSettings } from '../../../testing/sinks.ts';
import type { Poster } from '../../../requests/poster.ts';
import type { Answer, Reply } from '../../../requests/reply.ts';
import { Secret } from '../../../redaction/secret.ts';
import { webApi } from './api.ts';
import { fitText } from '../fit.ts';
import { markEvent, markRoot } from './marker.ts';

type Request = Parameters<Poster['post']>[0];

const answer = (body: string, more: Partial<Answer> = {}): Answer => ({
  kind: 'answer',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
  truncated: false,
  hidden: false,
  ...more,
});

/** An API whose chat gives this answer, and the requests that it got. */
function rig(reply: Reply) {
  const requests: Request[] = [];
  const post: Poster['post'] = (request) => {
    requests.push(request);
    return Promise.resolve(reply);
  };
  const transport = { post } as Poster;
  const api = webApi(new Secret('xoxb-canary'), sinkSettings({ transport, clock: new ManualClock() }));
  const json = () => JSON.parse(String(requests[0]?.body)) as Record<string, unknown>;
  return { api, requests, json };
}

const call = { signal: new AbortController().signal, slot: () => true };
const OK = answer('{"ok":true,"channel":"C9","ts":"1.2","message":{"ts":"1.2"}}');
const QUERY = { channel: 'C1', oldest: 1_000, latest: 61_500, limit: 15, cursor: '' };

describe('a posted message', () => {
  it('is JSON with the token in the header', async () => {
    const { api, requests, json } = rig(OK);
    await api.post({ text: fitText('hi') }, { channel: 'C1', thread: '1.1' }, markEvent('d1'), call);
    expect(requests[0]?.url.href).toBe('https://slack.com/api/chat.postMessage');
    expect(requests[0]?.headers).toEqual({
      accept: 'application/json',
      authorization: 'Bearer xoxb-canary',
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'hnotif/1.2.3',
    });
    expect(json()).toEqual({
      channel: 'C1',
      text: 'hi',
      thread_ts: '1.1',
      metadata: { event_type: 'hnotif_event', event_payload: { delivery: 'd1' } },
      parse: 'none',
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it('reports its place, with Slack’s id of the channel', async () => {
    const posted = await rig(OK).api.post({ text: fitText('hi') }, { channel: '#ops' }, undefined, call);
    expect(posted).toMatchObject({ ok: true, value: { channel: 'C9', ts: '1.2', threaded: true } });
  });

  it.each([
    ['"thread_ts":"1.1"', true],
    ['"type":"message"', false],
  ])('in a thread was posted if the answer has %s', async (has, threaded) => {
    const { api } = rig(answer(`{"ok":true,"channel":"C9","ts":"1.2","message":{${has}}}`));
    const posted = await api.post({ text: fitText('hi') }, { channel: 'C9', thread: '1.1' }, undefined, call);
    expect(posted).toMatchObject({ ok: true, value: { threaded } });
  });

  it('was posted in its thread although the answer is cut off', async () => {
    const { api } = rig(
      answer('{"ok":true,"channel":"C9","ts":"1.2","message":{"text":"', { truncated: true }),
    );
    const posted = await api.post({ text: fitText('hi') }, { channel: 'C9', thread: '1.1' }, undefined, call);
    expect(posted).toMatchObject({ ok: true, value: { ts: '1.2', threaded: true } });
  });

  it('is ambiguous if the answer does not say where it is', async () => {
    const posted = await rig(answer('{"ok":true}')).api.post(
      { text: fitText('hi') },
      { channel: 'C' },
      undefined,
      call,
    );
    expect(posted).toMatchObject({ ok: false, outcome: { kind: 'ambiguous', reason: 'BadAnswer' } });
  });

  it('has a text that was measured: the compiler accepts no other', async () => {
    // @ts-expect-error A string is not `Fitted`.
    expect(await rig(OK).api.post({ text: 'hi' }, { channel: 'C1' }, undefined, call)).toMatchObject({
      ok: true,
    });
  });

  it('has no half characters', async () => {
    const { api, json } = rig(OK);
    await api.post(
      { text: fitText('a\ud800b'), blocks: [{ type: 'x', t: '\udc00' }] },
      { channel: 'C1' },
      undefined,
      call,
    );
    expect(json()).toMatchObject({ text: fitText('a\ufffdb'), blocks: [{ type: 'x', t: '\ufffd' }] });
  });
});

it('an update has text and blocks, because Slack keeps a field that is missing', async () => {
  const { api, json } = rig(answer('{"ok":true,"channel":"C1","ts":"1.1"}'));
  const at = { channel: 'C1', ts: '1.1' };
  expect(
    await api.update({ text: fitText('hi'), mrkdwn: false }, at, markRoot('r', 'Failed'), call),
  ).toMatchObject({
    ok: true,
    value: undefined,
  });
  expect(json()).toEqual({
    channel: 'C1',
    ts: '1.1',
    text: 'hi',
    blocks: [],
    parse: 'none',
    metadata: { event_type: 'hnotif_root', event_payload: { root: 'r', status: 'Failed' } },
  });
});

describe('a history', () => {
  it('is requested with a form', async () => {
    const { api, requests } = rig(answer('{"ok":true,"messages":[]}'));
    await api.replies({ ...QUERY, thread: '1.1', cursor: 'x=&y' }, call);
    expect(requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(String(requests[0]?.body)))).toEqual({
      channel: 'C1',
      ts: '1.1',
      oldest: '1.000000',
      latest: '61.500000',
      limit: '15',
      cursor: 'x=&y',
      include_all_metadata: 'true',
    });
  });

  it('has only our messages', async () => {
    const messages = [
      { ts: '5.5', metadata: markRoot('r', 'Completed') },
      { ts: '4.4', metadata: markEvent('d1') },
      { ts: '3.3', metadata: { event_type: 'hnotif_root', event_payload: { root: 'old', status: 'Odd' } } },
      { ts: '2.2', metadata: { event_type: 'hnotif_root', event_payload: { root: 7 } } },
      { ts: '2.1', metadata: { event_type: 'other', event_payload: { root: 'r' } } },
      { ts: 1, metadata: markEvent('d2') },
      { ts: '1.1' },
      null,
    ];
    const body = { ok: true, messages, response_metadata: { next_cursor: 'c' } };
    expect(await rig(answer(JSON.stringify(body))).api.history(QUERY, call)).toMatchObject({
      ok: true,
      value: {
        count: 8,
        cursor: 'c',
        oldest: 1_100,
        ours: [
          { ts: '5.5', marker: { id: 'root:r', status: 'Completed' } },
          { ts: '4.4', marker: { id: 'event:d1', status: undefined } },
          { ts: '3.3', marker: { id: 'root:old', status: undefined } },
        ],
      },
    });
  });
});

describe('a call that fails', () => {
  it.each<[Reply, string, string]>([
    [answer('{"ok":false,"error":"message_not_found"}'), 'message_not_found', 'rejected-payload'],
    [answer('{"ok":true,"messages":[', { truncated: true }), 'truncated', 'ambiguous'],
    [answer('{"ok":false,"error":"ratelimited"}', { status: 429 }), 'ratelimited', 'throttled'],
    [{ kind: 'failed', sent: true, reason: 'TimedOut', message: 'slow' }, '', 'ambiguous'],
    [{ kind: 'failed', sent: false, reason: 'ConnectTimeout', message: 'slow' }, '', 'transient'],
    [answer('<html>', { headers: { 'content-type': 'text/html' } }), '', 'rejected-configuration'],
  ])('%j has the outcome %s, %s', async (reply, code, kind) => {
    expect(await rig(reply).api.history(QUERY, call)).toMatchObject({ ok: false, code, outcome: { kind } });
  });

  it('shows no token', async () => {
    const { api } = rig(answer('{"ok":false,"error":"no_permission for xoxb-canary"}'));
    const called = await api.history(QUERY, call);
    expect(JSON.stringify(called.ok || called.outcome)).toContain('[redacted]');
    expect(JSON.stringify(called.ok || called.outcome)).not.toContain('canary');
  });
});
