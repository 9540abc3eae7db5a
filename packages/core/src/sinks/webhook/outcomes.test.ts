import { expect, test } from 'vitest';
import { FAILURES } from '../../requests/reply.ts';
import type { Answer, FailureReason } from '../../requests/reply.ts';
import { outcomeOfFailure } from '../outcome-table.ts';
import type { Outcome } from '../outcome.ts';
import { degradationOf, outcomeOfAnswer } from './outcomes.ts';

const NOW = Date.UTC(2026, 0, 5);
const answer = (status: number, headers: Record<string, string> = {}, body = ''): Answer => ({
  kind: 'answer',
  status,
  headers,
  body,
  truncated: false,
  hidden: false,
});
const kindOf = (status: number): string => outcomeOfAnswer(answer(status), [], NOW).kind;

test('only 2xx is a success', () => {
  for (let status = 200; status < 600; status++) expect(kindOf(status) === 'delivered').toBe(status < 300);
});

test('a success with an HTML page is reported, and one with a short text is not, whatever its type', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' };
  const page = '<!DOCTYPE html><html><body>Log in</body></html>';
  expect(degradationOf(answer(200, html, page))).toEqual({
    reason: 'WebPageAnswered',
    message: expect.stringMatching(/^the receiver answered 200 with an HTML page: is url/) as string,
  });
  expect(outcomeOfAnswer(answer(200, html, page), [], NOW).kind).toBe('delivered');
  for (const [headers, body] of [
    [html, 'ok'],
    [html, ''],
    [{}, page],
    [{ 'content-type': 'application/json' }, '{"page":"<html>"}'],
  ] as const)
    expect(degradationOf(answer(200, headers, body))).toBeUndefined();
});

test('every redirect is a fault of the configuration', () => {
  for (let status = 300; status < 400; status++) {
    const outcome = outcomeOfAnswer(answer(status, { location: 'https://elsewhere.example' }), [], NOW);
    expect(outcome).toMatchObject({
      kind: 'rejected-configuration',
      reason: status === 304 ? 'NotModified' : 'Redirected',
    });
  }
});

test.each([
  [408, 'transient', 'RequestTimeout'],
  [425, 'transient', 'TooEarly'],
  [500, 'transient', 'ServerError'],
  [501, 'transient', 'ServerError'],
  [503, 'transient', 'ServiceUnavailable'],
  [599, 'transient', 'ServerError'],
  [502, 'ambiguous', 'BadGateway'],
  [504, 'ambiguous', 'GatewayTimeout'],
  [429, 'throttled', 'TooManyRequests'],
  [400, 'rejected-payload', 'BadRequest'],
  [409, 'rejected-payload', 'Rejected'],
  [413, 'rejected-payload', 'PayloadTooLarge'],
  [422, 'rejected-payload', 'Rejected'],
  [401, 'rejected-configuration', 'Unauthorized'],
  [403, 'rejected-configuration', 'Forbidden'],
  [404, 'rejected-configuration', 'NotFound'],
  [405, 'rejected-configuration', 'MethodNotAllowed'],
  [410, 'rejected-configuration', 'Gone'],
])('%i is %s for the reason %s', (status, kind, reason) => {
  const outcome = outcomeOfAnswer(answer(status), [], NOW);
  expect(outcome).toMatchObject({ kind, reason });
  expect('message' in outcome && outcome.message).toContain(`the receiver answered ${status}; `);
});

test.each([401, 403])('the remedy of a %i mentions headers only if the user has them', (status) => {
  const told = (hasHeaders: boolean) => {
    const outcome = outcomeOfAnswer(answer(status), [], NOW, hasHeaders);
    return 'message' in outcome ? outcome.message : '';
  };
  expect(told(true)).toContain('the credential in headers');
  expect(told(false)).toContain('if the receiver wants a credential, put it into headers');
});

test('no 4xx except 408, 425 and 429 is retried', () => {
  for (let status = 400; status < 500; status++)
    expect(kindOf(status).startsWith('rejected')).toBe(![408, 425, 429].includes(status));
});

test('a 429 pauses for the time in its header, in seconds or until a date', () => {
  const wait = (value: string) => outcomeOfAnswer(answer(429, { 'retry-after': value }), [], NOW);
  expect(wait('7')).toMatchObject({ kind: 'throttled', retryAfterMs: 7_000 });
  expect(wait('Mon, 05 Jan 2026 00:00:30 GMT')).toMatchObject({ kind: 'throttled', retryAfterMs: 30_000 });
  expect(wait('nonsense')).toMatchObject({ kind: 'throttled', retryAfterMs: undefined });
});

test('a 503 with a time is a throttle, a 500 is not', () => {
  expect(outcomeOfAnswer(answer(503, { 'retry-after': '7' }), [], NOW)).toMatchObject({
    kind: 'throttled',
    reason: 'ServiceUnavailable',
    retryAfterMs: 7_000,
  });
  expect(outcomeOfAnswer(answer(500, { 'retry-after': '7' }), [], NOW).kind).toBe('transient');
});

test("the receiver's own words are in the message, without credentials", () => {
  const said = answer(401, { 'content-type': 'text/plain' }, 'key canary-key\nis unknown');
  const outcome = outcomeOfAnswer(said, ['canary-key'], NOW);
  expect(outcome).toMatchObject({
    message: 'the receiver answered 401, saying "key [redacted] is unknown"; check the credential in headers',
  });
});

const failure = (reason: FailureReason, sent: boolean) =>
  outcomeOfFailure({ kind: 'failed', reason, sent, message: 'at canary-key' }, ['canary-key']);

test('a failure is transient before anything was sent, and ambiguous afterwards', () => {
  for (const reason of ['ConnectionLost', 'TimedOut', 'BadAnswer', 'NetworkError'] as const) {
    expect(failure(reason, false).kind).toBe('transient');
    expect(failure(reason, true).kind).toBe('ambiguous');
  }
});

test('a fault that no retry can correct is a fault of the configuration', () => {
  for (const reason of ['EgressRefused', 'InsecureUrl', 'InvalidRequest'] as const)
    expect(failure(reason, false).kind).toBe('rejected-configuration');
});

test('a request that hnotif ends is not a fault of the receiver, whether sent or not', () => {
  for (const sent of [true, false]) {
    expect(failure('Aborted', sent).kind).toBe('aborted');
    expect(failure('Closed', sent).kind).toBe('aborted');
  }
});

/** A wait is not a failure: its reason is a separate field. */
const whyOf = (outcome: Outcome): object => (outcome.kind === 'wait' ? { ...outcome.why } : outcome);

test.each(['LookupWaited', 'TooManyOpenFiles'] as const)(
  '%s is not a fault of the receiver: it is not an attempt, and is tried again',
  (reason) => {
    expect(failure(reason, false)).toMatchObject({ kind: 'wait', why: { reason } });
  },
);

test('every failure keeps its reason and shows no credential', () => {
  for (const reason of Object.keys(FAILURES) as FailureReason[])
    expect(whyOf(failure(reason, true))).toMatchObject({ reason, message: 'at [redacted]' });
});
