import { describe, expect, it } from 'vitest';
import type { Fault } from './fault.ts';
import { FaultRules, type FaultMatch, type RequestHead } from './rules.ts';

const fault: Fault = { kind: 'status', status: 503 };
const other: Fault = { kind: 'hang' };

const head = (more: Partial<RequestHead> = {}): RequestHead => ({
  path: '/hook?x=1',
  headers: { 'x-team': 'night', 'set-cookie': ['a', 'b'] },
  id: 'm1',
  attempt: 1,
  ...more,
});

function rules(random: () => number = () => 0): {
  faults: FaultRules;
  ask: (more?: Partial<RequestHead>, body?: unknown) => Promise<Fault | undefined>;
  reads: () => number;
} {
  const faults = new FaultRules(random);
  let reads = 0;
  const ask = (more?: Partial<RequestHead>, body?: unknown) =>
    faults.choose(head(more), () => {
      reads++;
      return Promise.resolve(body);
    });
  return { faults, ask, reads: () => reads };
}

describe('a rule', () => {
  it.each<[string, FaultMatch, boolean]>([
    ['nothing', {}, true],
    ['the path without its query', { path: '/hook' }, true],
    ['another path', { path: '/other' }, false],
    ['the call', { call: 'hook' }, true],
    ['another call', { call: 'hook?x=1' }, false],
    ['a header in any case', { headers: { 'X-Team': 'night' } }, true],
    ['a header by a pattern', { headers: { 'x-team': /^n/ } }, true],
    ['a header with another value', { headers: { 'x-team': 'nigh' } }, false],
    ['a header that is not there', { headers: { 'x-none': /.*/ } }, false],
    ['a header that came more than once', { headers: { 'set-cookie': 'a, b' } }, true],
    ['the id', { id: 'm1' }, true],
    ['another id', { id: 'm2' }, false],
    ['the attempt', { attempt: 1 }, true],
    ['another attempt', { attempt: 2 }, false],
    ['one thing that holds and one that does not', { id: 'm1', path: '/other' }, false],
  ])('that asks for %s', async (_what, match, matches) => {
    const { faults, ask } = rules();
    faults.add({ match, fault });
    expect(await ask()).toEqual(matches ? fault : undefined);
  });

  it('may ask for the n-th request for which the rest holds', async () => {
    const { faults, ask } = rules();
    faults.add({ match: { id: 'm1', nth: 2 }, fault });
    expect([await ask(), await ask({ id: 'm2' }), await ask(), await ask()]).toEqual([
      undefined,
      undefined,
      fault,
      undefined,
    ]);
  });

  it('may look at the JSON, which is read for such a rule alone', async () => {
    const { faults, ask, reads } = rules();
    faults.add({ match: { path: '/other', json: () => true }, fault: other });
    faults.add({ match: { json: (body) => body === 'bad' }, fault });
    expect(await ask({ path: '/other' }, 'bad')).toEqual(other);
    expect(await ask({}, 'good')).toBeUndefined();
    expect(await ask({}, 'bad')).toEqual(fault);
    expect(reads()).toBe(3);
    faults.clear();
    faults.add({ fault });
    await ask();
    expect(reads()).toBe(3);
  });

  it('is spent after its times, and then the next one has its turn', async () => {
    const { faults, ask } = rules();
    faults.add({ times: 2, fault });
    faults.add({ fault: other });
    expect([await ask(), await ask(), await ask()]).toEqual([fault, fault, other]);
  });

  it('holds with its probability, and spares count toward nothing', async () => {
    const throws = [0.5, 0.49, 0.9, 0];
    const { faults, ask } = rules(() => throws.shift() ?? 1);
    faults.add({ probability: 0.5, times: 2, fault });
    expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([
      undefined,
      fault,
      undefined,
      fault,
      undefined,
    ]);
  });

  it('can be removed by its handle, by itself, or with all others', async () => {
    const { faults, ask } = rules();
    const rule = { fault };
    const remove = faults.add({ fault: other });
    faults.add(rule);
    expect(await ask()).toEqual(other);
    remove();
    expect(await ask()).toEqual(fault);
    faults.remove(rule);
    expect(await ask()).toBeUndefined();
    faults.add(rule);
    faults.clear();
    expect(await ask()).toBeUndefined();
  });
});
