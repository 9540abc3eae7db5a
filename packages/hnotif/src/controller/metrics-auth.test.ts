import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { KubeError } from '../cluster/error.ts';
import type { TokenVerdict } from '../cluster/reviews.ts';
import type { Answer } from '../observe/http.ts';
import { ManualClock, settle } from '../../../core/src/testing/clock.ts';
import { MetricsAuth } from './metrics-auth.ts';

const PAGE: Answer = { status: 200, contentType: 'text/plain', body: 'up 1\n' };

/** An API server that answers what `answers` says, or nothing before `open`. */
function setUp(answer: (token: string) => TokenVerdict | KubeError = () => 'allowed') {
  const clock = new ManualClock();
  const lines: string[] = [];
  const asked: string[] = [];
  const held: { gate: Promise<void> | undefined } = { gate: undefined };
  const auth = new MetricsAuth({
    clock,
    log: pino({}, { write: (line) => lines.push(line) }),
    async review(token, signal) {
      asked.push(token);
      await Promise.race([
        held.gate,
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(new KubeError(0, 'Timeout', `no answer for ${token}`));
          });
        }),
      ]);
      const verdict = answer(token);
      if (verdict instanceof KubeError) throw verdict;
      return verdict;
    },
  });
  const route = auth.guard(() => PAGE);
  const get = async (authorization: string | undefined, address = '10.0.0.1') =>
    (await route({ authorization, address })).status;
  return { clock, lines, asked, held, get, route };
}

describe('access to the metrics', () => {
  it('needs a token of a user with the right', async () => {
    const verdicts: Record<string, TokenVerdict> = { good: 'allowed', poor: 'forbidden' };
    const { get, asked, route } = setUp((token) => verdicts[token] ?? 'unauthenticated');
    expect(await get('Bearer good')).toBe(200);
    expect(await get('bearer  good')).toBe(200);
    expect(await get('Bearer poor')).toBe(403);
    expect(await get('Bearer other')).toBe(401);
    for (const none of [undefined, '', 'Bearer', 'Bearer ', 'Basic Z29vZDo=', 'Bearer a b'])
      expect(await get(none)).toBe(401);
    expect(asked).toEqual(['good', 'poor', 'other']);
    expect(await route({ authorization: undefined, address: '' })).toMatchObject({
      headers: { 'www-authenticate': 'Bearer' },
    });
  });

  it('is reviewed again after a minute, and sooner for a refused token', async () => {
    let verdict: TokenVerdict = 'forbidden';
    const { get, asked, clock } = setUp(() => verdict);
    expect(await get('Bearer a')).toBe(403);
    verdict = 'allowed';
    await clock.advance(9_999);
    expect(await get('Bearer a')).toBe(403);
    await clock.advance(1);
    expect(await get('Bearer a')).toBe(200);
    verdict = 'unauthenticated';
    await clock.advance(59_999);
    expect(await get('Bearer a')).toBe(200);
    await clock.advance(1);
    expect(await get('Bearer a')).toBe(401);
    expect(asked).toHaveLength(3);
  });

  it('is reviewed once for requests at the same time', async () => {
    const { get, asked } = setUp();
    expect(await Promise.all(Array.from({ length: 20 }, () => get('Bearer a')))).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
    expect(asked).toHaveLength(1);
  });

  it('is 503 while the API server cannot review tokens, which is logged once a minute, with the remedy and no token', async () => {
    let broken = true;
    const { get, lines, clock } = setUp((token) =>
      broken ? new KubeError(403, 'Forbidden', token) : 'allowed',
    );
    expect([await get('Bearer canary'), await get('Bearer canary')]).toEqual([503, 503]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('let hnotif create tokenreviews');
    expect(lines[0]).not.toContain('canary');
    await clock.advance(60_000);
    expect([await get('Bearer canary'), lines.length]).toEqual([503, 2]);
    broken = false;
    expect(await get('Bearer canary')).toBe(200);
  });

  it('does not wait for a silent API server', async () => {
    const { get, held, clock } = setUp();
    held.gate = new Promise(() => undefined);
    const asked = get('Bearer a');
    await clock.advance(5_000);
    expect(await asked).toBe(503);
  });

  it('keeps reviews for other addresses when one address guesses tokens', async () => {
    const { get, asked, held, clock, lines } = setUp((token) =>
      token === 'good' ? 'allowed' : 'unauthenticated',
    );
    let open: () => void = () => undefined;
    held.gate = new Promise((resolve) => (open = resolve));
    const guesses = Array.from({ length: 50 }, (_, i) => get(`Bearer ${i}`, '10.6.6.6'));
    await settle();
    const good = get('Bearer good');
    await settle();
    expect(asked).toEqual(['0', '1', 'good']);
    open();
    expect(await good).toBe(200);
    await clock.advance(5_000);
    // Twenty at once and ten a second: what has no turn in time is told, as it may be why a scraper gets none.
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
    const flood = Array.from({ length: 100 }, (_, i) => get(`Bearer more${i}`, '10.6.6.6'));
    await clock.advance(5_000);
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 503]));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('TooManyTokens');
  });

  it('keeps an allowed token when many are guessed', async () => {
    const { get, asked, clock } = setUp((token) => (token === 'good' ? 'allowed' : 'unauthenticated'));
    expect(await get('Bearer good')).toBe(200);
    for (let i = 0; i < 200; i++) {
      const guess = get(`Bearer ${i}`);
      await clock.advance(100);
      await guess;
    }
    expect(await get('Bearer good')).toBe(200);
    expect(asked.filter((token) => token === 'good')).toHaveLength(1);
  });
});
