import { describe, expect, it } from 'vitest';
import { describeRequest, type RequestRecord } from './record.ts';
import { Records as AnyRecords } from './records.ts';

interface Finding {
  readonly found?: string;
}

class Records extends AnyRecords<Finding> {
  constructor(keep: number) {
    super(keep, (record) => `${describeRequest(record)}${record.found ?? ''}`);
  }
}

const draft = (
  id: string,
  more: Partial<RequestRecord & Finding> = {},
): Omit<RequestRecord, 'number'> & Finding => ({
  arrivedAt: 0,
  arrivedMonotonic: 0,
  method: 'POST',
  path: '/hook',
  headers: {},
  rawBody: Buffer.from('{}'),
  complete: true,
  id,
  attempt: 1,
  answered: { status: 200, fault: undefined, accepted: true },
  ...more,
});
const refused = { answered: { status: 503, fault: 'status', accepted: false } } as const;

describe('records', () => {
  it('are kept up to a number, the oldest going first, and go on counting', () => {
    const records = new Records(2);
    for (const id of ['a', 'b', 'c']) records.add(draft(id));
    expect(records.all.map(({ number, id }) => [number, id])).toEqual([
      [2, 'b'],
      [3, 'c'],
    ]);
    expect(records.counts()).toMatchObject({ requests: 3, accepted: 3, duplicates: 0 });
  });

  it('forget an id with its last record, not before', () => {
    const records = new Records(2);
    expect(records.nextAttempt('a')).toBe(1);
    records.add(draft('a'));
    expect(records.nextAttempt('a')).toBe(2);
    records.add(draft('a'));
    records.add(draft('b'));
    expect(records.nextAttempt('a')).toBe(3);
    records.add(draft('b'));
    records.add(draft('b'));
    expect(records.nextAttempt('a')).toBe(1);
  });

  it('count as duplicates what was accepted before under the same id', () => {
    const records = new Records(10);
    records.add(draft('a', refused));
    records.add(draft('a'));
    records.add(draft('a'));
    records.add(draft(''));
    records.add(draft(''));
    expect(records.counts()).toEqual({
      requests: 5,
      accepted: 4,
      duplicates: 1,
      faults: 1,
    });
  });

  it('tell each listener until it is removed, though another throws', async () => {
    const records = new Records(10);
    const seen: string[] = [];
    const uncaught: unknown[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => uncaught.push(error));
    try {
      const removeBad = records.onRecord(() => {
        throw new Error('mine');
      });
      const remove = records.onRecord((record) => seen.push(record.id));
      records.add(draft('a'));
      removeBad();
      remove();
      records.add(draft('b'));
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      for (const each of others) process.on('uncaughtException', each);
    }
    expect(seen).toEqual(['a']);
    expect(uncaught).toEqual([new Error('mine')]);
  });

  it('need room for one at least', () => {
    expect(() => new Records(0)).toThrow(RangeError);
  });
});

describe('waiting for records', () => {
  it('ends at once when they are there', async () => {
    const records = new Records(10);
    records.add(draft('a'));
    expect(await records.waitFor((all) => all.find(({ id }) => id === 'a')?.number)).toBe(1);
  });

  it('ends with the record that makes it true, and with a changed one', async () => {
    const records = new Records(10);
    const arrived = records.waitFor((all) => all.length === 2 && all);
    const accepted = records.waitFor((all) => all[0]?.answered.accepted === true && all.length);
    records.add(draft('a', refused));
    records.add(draft('b'));
    expect((await arrived).map(({ id }) => id)).toEqual(['a', 'b']);
    records.amend(1, { answered: { status: 200, fault: undefined, accepted: true }, found: 'late' });
    expect(await accepted).toBe(2);
    expect(records.all[0]).toMatchObject({ id: 'a', found: 'late' });
    expect(records.counts().accepted).toBe(2);
  });

  it('fails after its time with a list of what did arrive', async () => {
    const records = new Records(10);
    records.add(draft('a', { ...refused, found: ', signature: old' }));
    records.add(draft(''));
    await expect(records.waitFor(() => false, 0)).rejects.toThrow(
      'nothing arrived within 0 ms that was waited for; what arrived: \n' +
        '  #1 POST /hook, id a attempt 1, 2 bytes, answered 503 by fault status, not accepted, ' +
        'signature: old\n  #2 POST /hook, 2 bytes, answered 200, accepted',
    );
  });

  it('fails with what the predicate throws', async () => {
    const records = new Records(10);
    const wait = records.waitFor((all) => {
      if (all.length > 0) throw new Error('not that one');
      return false;
    });
    records.add(draft('a'));
    await expect(wait).rejects.toThrow('not that one');
  });

  it('fails at the end', async () => {
    const records = new Records(1);
    const wait = records.waitFor(() => false);
    records.close();
    await expect(wait).rejects.toThrow('the receiver was closed; what arrived: nothing');
  });
});
