import { describe, expect, it } from 'vitest';
import { NO_CONNECTOR, type Connector } from '../resources/connectors.ts';
import { renderBuiltin } from './builtin.ts';
import { exampleSource } from './example.ts';
import { sharedMessage } from './shared-message.ts';

describe('a shared message', () => {
  const example = exampleSource('Failure', 'teamchat', 'shutdown');
  const source = { ...example, plan: { ...example.plan, view: 1 } };

  it('is made once for each event, plan and key', () => {
    let count = 0;
    const make = (): number => ++count;
    expect(sharedMessage(source, 'a', make)).toBe(1);
    expect(sharedMessage({ ...source, sinkName: 'other' }, 'a', make)).toBe(1);
    expect(sharedMessage(source, 'b', make)).toBe(2);
    expect(sharedMessage({ ...source, plan: { ...source.plan, view: 2 } }, 'a', make)).toBe(3);
    expect(sharedMessage({ ...source, event: { ...source.event } }, 'a', make)).toBe(4);
    expect(sharedMessage({ ...source, plan: example.plan }, 'a', make)).toBe(5);
    expect(sharedMessage(source, 'b', make)).toBe(2);
  });

  it('is made again when many others have been made meanwhile, each time', () => {
    let count = 0;
    const make = (): number => ++count;
    const old = { ...source, event: { ...source.event } };
    for (let time = 0; time < 3; time++) {
      const before = count;
      expect(sharedMessage(old, 'a', make)).toBe(before + 1);
      expect(sharedMessage(old, 'a', make)).toBe(before + 1);
      for (let other = 0; other < 512; other++)
        sharedMessage({ ...source, event: { ...source.event } }, 'a', make);
    }
  });

  it('is not kept with hundreds of others of its event', () => {
    const event = { ...source.event };
    const make = (): object => ({});
    const first = sharedMessage({ ...source, event }, 'a', make);
    for (let other = 0; other < 512; other++) sharedMessage({ ...source, event }, `${other}`, make);
    expect(sharedMessage({ ...source, event }, 'a', make)).not.toBe(first);
  });

  it('is kept although an older one with its key is forgotten', () => {
    const event = { ...source.event };
    const make = (): object => ({});
    sharedMessage({ ...source, event }, 'a', make);
    for (let other = 0; other < 511; other++) sharedMessage({ ...source, event }, `${other}`, make);
    const renewed = { ...source, event, plan: { ...source.plan, view: 2 } };
    const last = sharedMessage(renewed, 'a', make);
    expect(sharedMessage(renewed, 'a', make)).toBe(last);
  });

  it('that could not be made is not kept: the next sink tries again', () => {
    let isBroken = true;
    const connector = (): Connector => {
      if (isBroken) throw new Error('the time limit');
      return NO_CONNECTOR;
    };
    const plan = { ...source.plan, connector };
    const own = { ...source, event: { ...source.event }, plan };
    expect(renderBuiltin('teamchat', own, 4_000)).not.toContain('*Targets:*');
    isBroken = false;
    expect(renderBuiltin('teamchat', own, 4_000)).toContain('*Targets:*');
  });
});
