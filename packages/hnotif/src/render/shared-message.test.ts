import { describe, expect, it } from 'vitest';
import { exampleSource } from './example.ts';
import { sharedMessage } from './shared-message.ts';

describe('a shared message', () => {
  const source = exampleSource('Failure', 'teamchat', 'shutdown');

  it('is made once for each event, plan and key', () => {
    let count = 0;
    const make = (): number => ++count;
    expect(sharedMessage(source, 'a', make)).toBe(1);
    expect(sharedMessage({ ...source, sinkName: 'other' }, 'a', make)).toBe(1);
    expect(sharedMessage(source, 'b', make)).toBe(2);
    expect(sharedMessage({ ...source, plan: { ...source.plan } }, 'a', make)).toBe(3);
    expect(sharedMessage({ ...source, event: { ...source.event } }, 'a', make)).toBe(4);
    expect(sharedMessage(source, 'a', make)).toBe(1);
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
