import { expect, it } from 'vitest';
import { EVENT_KINDS } from '@hnotif/core/resources';
import { compile, templateContext, exampleSource, withExampleNotification } from '@hnotif/core/render';
import { fromPlain, toPlain } from './job.ts';

const everything = compile({ name: 't', text: '{{ toJson . }}' });

it.each(EVENT_KINDS)('%s is the same after the copy to a worker', (kind) => {
  const source = withExampleNotification(exampleSource(kind, 'botchat', 'wakeup'));
  const crossed = fromPlain(structuredClone(toPlain(source)));
  expect(everything.execute(templateContext(crossed))).toBe(everything.execute(templateContext(source)));
});

it('keeps the position of a target that the plan does not list any more', () => {
  const source = exampleSource('ExecutionProgress', 'botchat', 'wakeup');
  const crossed = fromPlain(toPlain({ ...source, event: { ...source.event, targets: [] } }));
  expect(crossed.plan.connector('orders-db').region).toBe('eu-central-1');
  expect(crossed.plan.connector('nowhere').region).toBe('');
});
