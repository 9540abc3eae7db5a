import { expect, test } from 'vitest';
import { serve, transport } from './testing/server.ts';

test('user, password and fragment of a URL are not sent', async () => {
  const seen: string[] = [];
  const { url } = await serve((request, response) => {
    seen.push(request.url ?? '', ...request.rawHeaders);
    response.end();
  });
  url.username = 'canary';
  url.password = 'canary';
  url.hash = 'canary';
  expect(await transport().post({ url, owner: 'team-a', headers: {}, body: '' })).toMatchObject({
    status: 200,
  });
  expect(seen[0]).toBe('/hook?a=b');
  expect(seen.join()).not.toContain('canary');
  expect(seen.join()).not.toMatch(/authorization/i);
});

test('a path with line breaks stays a path', async () => {
  const seen: string[] = [];
  const { url } = await serve((request, response) => {
    seen.push(request.url ?? '', JSON.stringify(request.headers));
    response.end();
  });
  const evil = new URL(`${url.origin}/a%0d%0aX-Evil:%201\r\nX-Evil: 2?q=\r\nX-Evil: 3`);
  expect(await transport().post({ url: evil, owner: 'team-a', headers: {}, body: '' })).toMatchObject({
    status: 200,
  });
  expect(seen[0]).toBe('/a%0d%0aX-Evil:%201X-Evil:%202?q=X-Evil:%203');
  expect(seen[1]).not.toContain('evil');
});

test.each([
  ['CR LF', { 'x-a': 'canary\r\nx-evil: 1' }],
  ['LF', { 'x-a': 'canary\nx-evil: 1' }],
  ['CR', { 'x-a': 'canary\rx-evil: 1' }],
  ['NUL', { 'x-a': 'canary\0' }],
  ['a character beyond Latin-1', { 'x-a': 'canary\u010d\u010a' }],
  ['a line break in a name', { 'x-a: canary\r\nx-evil': '1' }],
  ['a space in a name', { 'x a': 'canary' }],
  ['no name', { '': 'canary' }],
  ['a length of its own', { 'content-length': '1000' }],
  ['chunks of its own', { 'transfer-encoding': 'chunked' }],
  ['an upgrade', { upgrade: 'canary' }],
  ['an expectation', { expect: '100-continue' }],
])(
  'headers with %s are a fault of the data: the error shows no value, and nothing is sent',
  async (_what, headers) => {
    let requests = 0;
    const { url } = await serve((_request, response) => {
      requests++;
      response.end();
    });
    const reply = await transport().post({ url, owner: 'team-a', headers: headers, body: 'x' });
    expect(reply).toMatchObject({ kind: 'failed', reason: 'InvalidRequest', sent: false });
    expect(JSON.stringify(reply)).not.toContain('canary');
    expect(requests).toBe(0);
  },
);

test('nothing is sent if leadership was lost while connecting; the connection serves the next request', async () => {
  let requests = 0;
  const { url } = await serve((request, response) => {
    requests++;
    request.resume().on('end', () => response.end());
  });
  let mayPost = true;
  const client = transport({ mayPost: () => mayPost });
  const request = { owner: 'team-a', url, headers: {}, body: '' };
  // The request was allowed when it was made. Connecting takes time.
  const late = client.post(request);
  mayPost = false;
  expect(await late).toMatchObject({ kind: 'failed', reason: 'Aborted', sent: false });
  mayPost = true;
  expect(await client.post(request)).toMatchObject({ kind: 'answer' });
  expect(requests).toBe(1);
});
