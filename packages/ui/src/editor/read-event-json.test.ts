import { describe, expect, it } from 'vitest';
import { syntheticSource } from '@hnotif/core/rehearsal';
import { EVENT_KINDS } from '@hnotif/core/resources';
import { payloadOf } from '../../../core/src/sinks/webhook/message.ts';
import { eventJson } from './event-json.ts';
import { readEventJson } from './read-event-json.ts';
import { SINK_NAME } from './sources.ts';

const read = (json: string) => readEventJson(json, SINK_NAME, 'webhook');

describe('an event of one’s own', () => {
  it.each(EVENT_KINDS)('%s is what it was, after it was written as JSON', (kind) => {
    const { event, plan } = syntheticSource(kind, 'webhook', 'wakeup', 3);
    const again = read(eventJson({ event, plan, sinkName: SINK_NAME, sinkType: 'webhook' }));
    expect(again.event).toEqual({ ...event, id: 'own', planUid: 'own' });
    expect([again.plan.labels, again.plan.annotations]).toEqual([plan.labels, plan.annotations]);
    for (const { name } of event.targets) expect(again.plan.connector(name)).toEqual(plan.connector(name));
  });

  it.each(EVENT_KINDS)('may be what a webhook received: %s', (kind) => {
    const source = syntheticSource(kind, 'webhook', 'shutdown', 3);
    const body = payloadOf(source);
    const again = read(JSON.stringify({ ...body, rendered: 'x' }));
    expect(payloadOf({ ...again, sinkName: source.sinkName })).toEqual(body);
  });

  it.each([
    ['', 'there is no JSON; paste an event, or what a webhook received'],
    ['{\n  "event": Start', 'this is not JSON: see line 2, column 12'],
    ['[]', 'the event: must be an object, found a list'],
    ['{}', 'event: is missing; write one of Start, Success'],
    ['{"event":"Party","plan":{"name":"a"}}', 'event: must be one of Start, Success'],
    ['{"event":"Start"}', 'plan: is missing; it must be an object'],
    ['{"event":"Start","plan":{}}', 'plan.name: is missing; it must be a string'],
    ['{"event":"Start","plan":{"name":1}}', 'plan.name: must be a string, found a number'],
    ['{"event":"Start","plan":{"name":"a"},"timestamp":"soon"}', 'timestamp: is not a time'],
    ['{"event":"Start","plan":{"name":"a"},"targets":[{"name":"x"},{}]}', 'targets[1].name: is missing'],
    [
      '{"event":"Start","plan":{"name":"a"},"retryCount":"2"}',
      'retryCount: must be a whole number, found a string',
    ],
    [
      '{"event":"Start","plan":{"name":"a","labels":{"x":1}}}',
      'plan.labels.x: must be a string, found a number',
    ],
    ['{"context":{"event":"Start"}}', 'plan: is missing'],
  ])('%j is refused with the place and the remedy', (json, message) => {
    expect(() => read(json)).toThrow(message);
  });

  it.each(['suspend', 'constructor', '__proto__'])('takes the operation %s as it is', (operation) => {
    expect(read(JSON.stringify({ event: 'Start', plan: { name: 'p' }, operation })).event.operation).toBe(
      operation,
    );
  });

  it('names a few problems at once', () => {
    expect(() => read('{"phase":1,"operation":2,"cycleId":3,"errorMessage":4}')).toThrow(/; and 3 more$/);
  });
});
