import { describe, expect, it } from 'vitest';
import { bytesOf, CARD_TYPE, judgeMessage, LIMITS } from './index.ts';

const message = (card: object) => ({
  type: 'message',
  attachments: [
    { contentType: CARD_TYPE, content: { type: 'AdaptiveCard', version: '1.4', body: [], ...card } },
  ],
});
const text = { type: 'TextBlock', text: 'a' };
const run = { type: 'TextRun', text: 'a' };
const open = { type: 'Action.OpenUrl', title: 'Runbook', url: 'https://example.com/' };

describe('a message', () => {
  it('with the elements that hnotif writes is accepted', () => {
    const body = [text, { type: 'RichTextBlock', inlines: [run, 'b'] }];
    expect(judgeMessage(message({ body, actions: [open] }))).toEqual({ kind: 'accepted', unknown: [] });
  });

  it('with a newer element is accepted, with a note', () => {
    const verdict = judgeMessage(message({ body: [{ type: 'Hologram' }] }));
    expect(verdict).toMatchObject({ kind: 'accepted', unknown: [{ what: 'the element type "Hologram"' }] });
  });

  it.each<[string, unknown, string]>([
    ['no object', [], '/type'],
    ['text alone', { text: 'x' }, '/type'],
    ['no card', { type: 'message', attachments: [] }, '/attachments'],
    ['another card', { type: 'message', attachments: [{ contentType: 'text/plain' }] }, '/attachments/0'],
    ['no version', message({ version: undefined }), '/attachments/0/content/version'],
    ['another type', message({ type: 'Card' }), '/attachments/0/content/type'],
    ['no body', message({ body: undefined }), '/attachments/0/content/body'],
    ['a text as element', message({ body: ['a'] }), '/attachments/0/content/body/0'],
    [
      'a block without text',
      message({ body: [{ type: 'TextBlock' }] }),
      '/attachments/0/content/body/0/text',
    ],
    [
      'runs without text',
      message({ body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun' }] }] }),
      '/attachments/0/content/body/0/inlines',
    ],
    [
      'an action without address',
      message({ actions: [{ ...open, url: 'x' }] }),
      '/attachments/0/content/actions/0/url',
    ],
    [
      'too many actions',
      message({ actions: Array.from({ length: 7 }, () => open) }),
      '/attachments/0/content/actions',
    ],
  ])('with %s is refused', (_, body, pointer) => {
    const verdict = judgeMessage(body);
    expect(verdict.kind === 'refused' && verdict.faults[0].place.pointer).toBe(pointer);
  });

  it.each([
    ['a', 1],
    ['"', 4],
    ['é', 7],
    ['🌙', 14],
  ])('counts %s as Teams stores it', (character, bytes) => {
    expect(bytesOf(character.repeat(2)) - bytesOf(character)).toBe(bytes);
  });

  it('is refused above the limit, and accepted at it', () => {
    const empty = bytesOf(message({ body: [{ ...text, text: '' }] }).attachments[0]?.content);
    const of = (length: number) => judgeMessage(message({ body: [{ ...text, text: 'x'.repeat(length) }] }));
    expect(of(LIMITS.bytes - empty).kind).toBe('accepted');
    expect(of(LIMITS.bytes - empty + 1)).toMatchObject({ faults: [{ error: 'MessageSizeExceeded' }] });
  });
});
