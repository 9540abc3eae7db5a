import { expect, test } from 'vitest';
import { readWebhookConfig } from './config.ts';

const URL_TEXT = 'https://hooks.example.com/path?token=canary-token';
const SIGNING = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const read = (json: unknown) => readWebhookConfig(json, () => undefined);
const problemsOf = (json: unknown): readonly string[] => {
  const reading = read(json);
  return reading.ok ? [] : reading.problems;
};
/** The problems of a configuration that is good but for these fields. */
const withFields = (fields: object): readonly string[] => problemsOf({ url: URL_TEXT, ...fields });

test('a url is enough', () => {
  const reading = read({ url: URL_TEXT });
  if (!reading.ok) throw new Error(reading.problems.join());
  expect(reading.config.url.reveal()).toBe(URL_TEXT);
  expect(reading.config.headers).toEqual([]);
  expect(reading.config.signingSecrets).toEqual([]);
  expect(reading.notes).toEqual([]);
});

test('every value that may be a credential is kept as a secret', () => {
  const reading = read({
    url: URL_TEXT,
    headers: { 'X-Api-Key': 'canary-key', Authorization: 'Bearer canary' },
    signing_secret: SIGNING,
    enable_renderer: false,
  });
  if (!reading.ok) throw new Error(reading.problems.join());
  expect(reading.config.headers.map(([name, value]) => [name, value.reveal()])).toEqual([
    ['X-Api-Key', 'canary-key'],
    ['Authorization', 'Bearer canary'],
  ]);
  expect(reading.config.signingSecrets.map((secret) => secret.reveal())).toEqual([SIGNING]);
  expect(JSON.stringify(reading)).not.toMatch(/canary|MfKQ/);
});

test('a list of signing secrets allows rotation', () => {
  expect(withFields({ signing_secret: [SIGNING, SIGNING] })).toEqual([]);
  expect(withFields({ signing_secret: [SIGNING, SIGNING, SIGNING, SIGNING] })).toEqual([
    'signing_secret: at most 3 may be given; remove the oldest',
  ]);
  expect(withFields({ signing_secret: [] })).toEqual([
    'signing_secret: is an empty list; leave it out to send without a signature',
  ]);
});

test('unknown fields are accepted and reported, unless the name may be a value', () => {
  const reading = read({ url: URL_TEXT, header: {}, 'Bearer canary-123': 1 });
  expect(reading.ok && reading.notes).toEqual([
    'field header is not known and has no effect; did you mean headers?',
    '1 more field is not known and has no effect',
  ]);
});

test.each<[string, object, string]>([
  ['url of another type', { url: 12345678 }, 'url: must be a string, found a number; '],
  ['a port beyond all', { url: 'https://canary.test:99999/' }, 'url: is not a valid URL; check its host'],
  ['a zone', { url: 'https://[fe80::1%25lo]/canary' }, 'url: is not a valid URL; check its host'],
  [
    'a line break in url',
    { url: 'https://canary.test/a\r\nb' },
    'url: holds a line break or a tab; remove it',
  ],
  [
    'a template in url',
    { url: 'https://canary.test/{{ .Plan.Name }}?of={{ .Event }}' },
    'url: holds a template ({{ … }}), which is not replaced in an address; write the address without it',
  ],
  [
    'a template in url that is encoded',
    { url: 'https://canary.test/%7B%7B%20.Plan.Name%20%7D%7D' },
    'url: holds a template ({{ … }}), which is not replaced in an address; ',
  ],
  ['url relative', { url: '/canary' }, 'url: is not an absolute URL; '],
  ['url with a user', { url: 'https://canary@host/' }, 'url: holds a user name or password; '],
  ['headers a list', { headers: ['canary'] }, 'headers: must be an object of strings, found a list; '],
  ['headers null', { headers: null }, 'headers: must be an object of strings, found null; '],
  [
    'a value of another type',
    { headers: { 'X-A': 12345678 } },
    'headers.X-A: must be a string, found a number; ',
  ],
  ['a value with LF at its end', { headers: { 'X-A': 'canary\n' } }, 'headers.X-A: holds a line break; '],
  ['a value with NUL', { headers: { 'X-A': 'canary\0' } }, 'headers.X-A: holds a character '],
  ['a value beyond Latin-1', { headers: { 'X-A': 'canary€' } }, 'headers.X-A: holds a character '],
  [
    'a name that is no token',
    { headers: { 'X-A: canary': 'x' } },
    'headers: the name of entry 1 is not a header name; ',
  ],
  ['an empty name', { headers: { '': 'canary' } }, 'headers: the name of entry 1 is not a header name; '],
  [
    'names that differ by case',
    { headers: { 'X-A': 'canary', 'x-a': 'x' } },
    'headers: X-A and x-a are the same header; ',
  ],
  [
    'a value that is far too long',
    { headers: { 'X-A': 'canary'.repeat(2_000) } },
    'headers.X-A: is longer than 8192 characters; ',
  ],
  [
    'more headers than any receiver takes',
    { headers: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, 'canary'])) },
    'headers: at most 50 may be given; ',
  ],
  [
    'a url that is far too long',
    { url: `https://host/${'canary'.repeat(2_000)}` },
    'url: is longer than 8000 ',
  ],
  [
    'Content-Length',
    { headers: { 'content-length': '12345678' } },
    'headers.content-length: may not be set, ',
  ],
  [
    'Transfer-Encoding',
    { headers: { 'Transfer-Encoding': 'chunked' } },
    'headers.Transfer-Encoding: may not be set, ',
  ],
  ['Connection', { headers: { Connection: 'close' } }, 'headers.Connection: may not be set, '],
  [
    'Proxy-Authorization',
    { headers: { 'Proxy-Authorization': 'canary' } },
    'headers.Proxy-Authorization: may not be set, ',
  ],
  ['our id', { headers: { 'Webhook-Id': 'canary' } }, 'headers.Webhook-Id: may not be set, '],
  [
    'our signature',
    { headers: { 'webhook-signature': 'canary' } },
    'headers.webhook-signature: may not be set, ',
  ],
  [
    'our timestamp',
    { headers: { 'webhook-timestamp': '12345678' } },
    'headers.webhook-timestamp: may not be set, ',
  ],
  [
    'a renderer in quotes',
    { enable_renderer: 'canary' },
    'enable_renderer: must be true or false, found a string; ',
  ],
  [
    'a signing secret without its prefix',
    { signing_secret: 'canary' },
    'signing_secret: is not of the form ',
  ],
  [
    'a signing secret of another type',
    { signing_secret: 12345678 },
    'signing_secret: must be a string, found a number; ',
  ],
])('%s is one problem that names the field and the remedy, never the value', (_what, fields, start) => {
  const problems = withFields(fields);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.startsWith(start), problems[0]).toBe(true);
  expect(problems[0]).not.toMatch(/canary|12345678/);
});

test('of a hundred thousand unknown fields ten are named and the rest is counted', () => {
  const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [nameOf(index), 1]));
  const reading = read({ url: URL_TEXT, ...unknown });
  const notes = reading.ok ? reading.notes : [];
  expect(notes).toHaveLength(11);
  expect(notes.at(-1)).toBe('99990 more fields are not known and have no effect');
});

const nameOf = (index: number): string =>
  `field_${[...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;

test('every fault is reported, not only the first', () => {
  expect(problemsOf({ url: 'nowhere', headers: { Host: 'x', te: 'y' }, enable_renderer: 1 })).toHaveLength(4);
});

test('a header value may have a tab, spaces and Latin-1 characters', () => {
  expect(withFields({ headers: { 'X-A': 'a\tb c é ÿ ~' } })).toEqual([]);
});

test('the error of a url that must not receive requests is that of the transport', () => {
  const refused = readWebhookConfig({ url: 'http://hooks.example.com/' }, (url) => `no ${url.protocol}`);
  expect(refused).toEqual({ ok: false, problems: ['url: no http:'] });
});

test.each([
  [{ headers: { 'X-Plan': '{{ .Plan.Name }}', 'X-A': 'a' } }, /^headers\.X-Plan: holds a placeholder /],
  [{ headers: { Authorization: 'Bearer ${TOKEN}' } }, /^headers\.Authorization: holds a placeholder /],
  [{ headers: { Authorization: 'Bearer $(TOKEN)' } }, /^headers\.Authorization: holds a placeholder /],
  [{ method: 'PUT' }, /^field method is .*: each message is a POST$/],
  [
    { tls: { insecureSkipVerify: true } },
    /^field tls is .*: certificates are the keys tls\.crt, tls\.key and ca\.crt /,
  ],
  [{ ca: 'canary' }, /^field ca is .*: certificates are the keys/],
])('%j is accepted with a note', (fields, note) => {
  const reading = read({ url: URL_TEXT, ...fields });
  expect(reading.ok && reading.notes).toEqual([expect.stringMatching(note)]);
});

test('a header may hold JSON, a link or a dollar', () => {
  const reading = read({
    url: URL_TEXT,
    headers: { Link: '<https://a.example>', 'X-A': '{"a":{"b":1}}', 'X-B': '$1' },
  });
  expect(reading).toMatchObject({ ok: true, notes: [] });
});

test.each([
  [
    'insecure_skip_verify',
    'certificates are always checked; certificates are the keys tls.crt, tls.key and ca.crt',
  ],
  ['client_cert', 'certificates are the keys tls.crt'],
  ['template', 'templateRef of the sink'],
  ['username', 'headers may hold {"Authorization": "Basic …"}'],
  ['mute_time_intervals', 'write spec.muteSchedule in the notification'],
])('%s, as others have it, has a remedy', (field, remedy) => {
  const reading = read({ url: URL_TEXT, [field]: 'canary' });
  expect(reading.ok && reading.notes).toEqual([
    expect.stringContaining(`field ${field} is not known and has no effect: ${remedy}`),
  ]);
});
