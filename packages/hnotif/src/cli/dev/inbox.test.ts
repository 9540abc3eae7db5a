import { expect, it } from 'vitest';
import { MOST_MESSAGES } from '@hnotif/core/page';
import { inboxOf } from './inbox.ts';
import type { Receivers } from './receivers.ts';

/** Receivers that had so many requests. `looks`: how often the content of one was read. */
function crowded(count: number) {
  const looks = { content: 0, channels: 0 };
  const recordOf = (at: number) => ({
    ...{ number: at + 1, id: `event-${at}`, attempt: 1, arrivedAt: at, path: '/', headers: {} },
    ...{ rawBody: Buffer.from('{}'), answered: { accepted: true, status: 200 } },
  });
  const receiver = (make: (record: ReturnType<typeof recordOf>, at: number) => object) => ({
    origin: 'http://127.0.0.1:1',
    records: Array.from({ length: count }, (_, at) => make(recordOf(at), at)),
    onRecord: () => () => undefined,
  });
  const receivers = {
    webhook: receiver((record) => ({
      ...record,
      get json() {
        looks.content++;
        return {};
      },
      schemaErrors: [],
    })),
    teamchat: {
      ...receiver((record, at) => ({
        ...{ ...record, call: 'chat.postMessage', params: {} },
        message: { channel: 'C1', ts: String(at), text: `message ${at}` },
      })),
      apiUrl: 'http://127.0.0.1:1/api',
      channel: () => ({
        name: 'nights',
        get messages() {
          looks.channels++;
          return [];
        },
      }),
    },
    botchat: receiver((record) => ({ ...record, call: 'getMe', params: {} })),
    msteams: { ...receiver((record) => record), records: [] },
    workflows: new Map(),
  };
  return { inbox: inboxOf(receivers as unknown as Receivers), looks };
}

it('lists the newest, oldest first', () => {
  const { inbox } = crowded(2 * MOST_MESSAGES);
  const listed = inbox.list();
  expect(listed).toHaveLength(MOST_MESSAGES);
  expect(listed.at(-1)).toMatchObject({ at: 2 * MOST_MESSAGES - 1 });
  expect(listed.map(({ at }) => at)).toEqual(listed.map(({ at }) => at).toSorted((a, b) => a - b));
});

it('reads no more requests than it lists, however many there were', () => {
  const { inbox, looks } = crowded(20 * MOST_MESSAGES);
  inbox.list();
  expect(looks.content).toBeLessThanOrEqual(MOST_MESSAGES);
  expect(looks.channels).toBe(0);
});

it('reads only the requests of the message that is asked for', () => {
  const { inbox, looks } = crowded(5_000);
  expect(inbox.get('webhook-17')?.requests.map(({ id }) => id)).toEqual(['webhook-17', 'teamchat-17']);
  expect(looks.content).toBeLessThanOrEqual(2);
  expect(looks.channels).toBe(0);
  inbox.get('teamchat-18');
  expect(looks.channels).toBe(1);
});
