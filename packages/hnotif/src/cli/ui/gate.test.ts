import { describe, expect, it } from 'vitest';
import { judge, type Asked } from './gate.ts';

const PORT = 8082;
const TOKEN = 'a-token-of-this-run';
const COOKIE = `hnotif-ui-${PORT}=${TOKEN}`;

const asks = ({ headers, ...more }: Partial<Asked> = {}) =>
  judge(
    { method: 'GET', url: '/', ...more, headers: { host: `127.0.0.1:${PORT}`, cookie: COOKIE, ...headers } },
    PORT,
    TOKEN,
  );

describe('the gate of the page', () => {
  it.each([
    ['the page, with the cookie', {}],
    ['by the other name of this machine', { headers: { host: `localhost:${PORT}` } }],
    ['with other cookies beside it', { headers: { cookie: `a=b; ${COOKIE}; c=d` } }],
    [
      'from the page itself',
      { headers: { origin: `http://127.0.0.1:${PORT}`, 'sec-fetch-site': 'same-origin' } },
    ],
    ['the head of it', { method: 'HEAD' }],
  ])('opens for %s', (_, asked) => {
    expect(asks(asked)).toMatchObject({ kind: 'pass', path: '/' });
  });

  it('lets in whoever opens the address with the token', () => {
    expect(asks({ url: `/?token=${TOKEN}`, headers: { cookie: undefined } })).toEqual({ kind: 'enter' });
  });

  it.each([
    ['no cookie', { headers: { cookie: undefined } }, 401],
    ['the cookie of another run', { headers: { cookie: `hnotif-ui-${PORT}=other` } }, 401],
    ['the cookie of another port', { headers: { cookie: `hnotif-ui-9=${TOKEN}` } }, 401],
    ['a wrong token', { url: '/?token=x' }, 401],
    ['the token at another path', { url: `/api/board?token=${TOKEN}`, headers: { cookie: undefined } }, 401],
    ['a name that was bound to this address', { headers: { host: `evil.example:${PORT}` } }, 421],
    ['no name', { headers: { host: undefined } }, 421],
    ['another port', { headers: { host: '127.0.0.1:1' } }, 421],
    ['the origin of another site', { headers: { origin: 'https://evil.example' } }, 403],
    ['the origin of no site', { headers: { origin: 'null' } }, 403],
    ['another site that embeds it', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['another port of this machine', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['a POST', { method: 'POST' }, 405],
    ['an address that is not valid', { url: 'http://[' }, 400],
  ])('stays shut for %s', (_, asked: Partial<Asked>, status) => {
    expect(asks(asked)).toMatchObject({ kind: 'refuse', status });
  });
});
