import { describe, expect, it } from 'vitest';
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

  it('is made again after many other events', () => {
    let count = 0;
    const make = (): number => ++count;
    const old = { ...source, event: { ...source.event } };
    sharedMessage(old, 'a', make);
    for (let other = 0; other < 256; other++)
      sharedMessage({ ...source, event: { ...source.event } }, 'a', make);
    expect(sharedMessage(old, 'a', make)).toBe(258);
  });
});
