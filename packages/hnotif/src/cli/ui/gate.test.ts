import { describe, expect, it } from 'vitest';
import { judge, type Asked } from './gate.ts';

const PORT = 8082;
const TOKEN = 'a-token-of-this-run';
const ORIGIN = `http://127.0.0.1:${PORT}`;
const JSON_BODY = { 'content-type': 'application/json' };
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
    ['from the page itself', { headers: { origin: ORIGIN, 'sec-fetch-site': 'same-origin' } }],
    ['the head of it', { method: 'HEAD' }],
    ['an action of the page', { method: 'POST', headers: { ...JSON_BODY, origin: ORIGIN } }],
  ])('opens for %s', (_, asked) => {
    expect(asks(asked)).toMatchObject({ kind: 'pass', path: '/' });
  });

  it('opens at port 80, which browsers leave out', () => {
    const headers = { host: 'localhost', origin: 'http://localhost', cookie: `hnotif-ui-80=${TOKEN}` };
    expect(judge({ method: 'GET', url: '/', headers }, 80, TOKEN)).toMatchObject({ kind: 'pass' });
  });

  it('lets in a user who opens the address with the token', () => {
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
    ['a DELETE', { method: 'DELETE' }, 405],
    ['an action without an origin', { method: 'POST', headers: JSON_BODY }, 403],
    [
      'an action of another site',
      { method: 'POST', headers: { ...JSON_BODY, origin: 'https://evil.example' } },
      403,
    ],
    ['a form', { method: 'POST', headers: { origin: ORIGIN, 'content-type': 'text/plain' } }, 415],
    [
      'an action without the cookie',
      { method: 'POST', headers: { ...JSON_BODY, origin: ORIGIN, cookie: undefined } },
      401,
    ],
    ['an address that is not valid', { url: 'http://[' }, 400],
  ])('stays shut for %s', (_, asked: Partial<Asked>, status) => {
    expect(asks(asked)).toMatchObject({ kind: 'refuse', status });
  });
});
