import { expect, it } from 'vitest';
import type { Inbox, MessageDetail, MessageItem } from '@hnotif/core/page';
import { sentMessage } from './sent-message.ts';

const ID = 'abcdefghij23abcdefghij23';

/** An inbox with these messages, the oldest first. */
function inboxWith(...items: readonly (Partial<MessageItem> & { readonly body?: unknown })[]): Inbox {
  const all = items.map(({ body = '', ...item }, at) => ({
    ...{ id: String(at), receiver: 'teamchat', eventId: '', ...item },
    request: { body },
  })) as unknown as readonly MessageDetail[];
  return {
    list: () => all,
    get: (id) => all.find((each) => each.id === id),
    follow: () => () => undefined,
  };
}

const marked = (metadata: unknown) => ({ body: { text: 'x', metadata } });
const OURS = marked({ event_type: 'hnotif_event', event_payload: { delivery: ID } });

it('is found by the id of the webhook, the last of its requests', () => {
  const webhook = { receiver: 'webhook', eventId: ID } as const;
  const inbox = inboxWith(webhook, webhook, { receiver: 'webhook', eventId: 'other' });
  expect(sentMessage(inbox, ID.slice(0, 12))?.id).toBe('1');
});

it('is found by the metadata in Slack', () => {
  expect(sentMessage(inboxWith(OURS, marked({ event_payload: { root: ID } })), ID.slice(0, 12))?.id).toBe(
    '0',
  );
});

it('is not found by nothing, in other texts, or in bodies of any form', () => {
  const odd = [undefined, null, 5, 'text', [], { metadata: 5 }, { metadata: { event_payload: [ID] } }];
  const inbox = inboxWith(...odd.map((body) => ({ body })), OURS);
  for (const id of ['', 'zzzzzzzzzzzz']) expect(sentMessage(inbox, id)).toBeUndefined();
});
