import { expect, test } from 'vitest';
import { shownUrl } from './requests.ts';

const SLACK = 'https://slack.com/api';

test.each([
  ['https://slack.com/api/chat.postMessage', 'https://slack.com/api/chat.postMessage'],
  ['https://api.telegram.org/bot1:x/sendMessage', 'https://api.telegram.org/[redacted]/sendMessage'],
  ['https://api.telegram.org/bot1:x/editMessageText', 'https://api.telegram.org/[redacted]/editMessageText'],
  ['https://example.com/secret/chat.hook', 'https://example.com/[redacted]'],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(new URL(url), SLACK)).toBe(shown);
});
