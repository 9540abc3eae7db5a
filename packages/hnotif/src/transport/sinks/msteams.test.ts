import { bytesOf, judgeMessage } from '@hnotif/judges/msteams';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { exampleSource } from '@hnotif/core/render';
import { ManualClock } from '../../../../core/src/testing/clock.ts';
import { anEvent } from '../../../../core/src/testing/events.ts';
import { aDelivery, anAttempt, sinkSettings } from '../../../../core/src/testing/sinks.ts';
import { serve, transport } from '../testing/server.ts';
import { readSink } from '@hnotif/core/sinks';
import { MSTEAMS } from '../../../../core/src/sinks/msteams/msteams.ts';
import { customMessage, FORMS } from '../../../../core/src/sinks/msteams/message.ts';
import type { TeamsMessage } from '../../../../core/src/sinks/msteams/card.ts';
import { readMsteamsConfig } from '../../../../core/src/sinks/msteams/config.ts';

const URL_OF_FLOW = 'https://x.environment.api.powerplatform.com/powerautomate/workflows/a1?sig=b2';
const read = (json: unknown) => readMsteamsConfig(json, () => undefined);

describe('the configuration', () => {
  it('needs only the address', () => {
    expect(read({ webhook_url: ` ${URL_OF_FLOW}\n` })).toMatchObject({
      ok: true,
      config: { rate: { perSecond: 1, burst: 4 }, coalesceProgress: false },
      notes: [],
    });
  });

  it.each<[object, RegExp]>([
    [{}, /^webhook_url: is missing; give/],
    [{ webhook_url: 7 }, /^webhook_url: must be a string, found a number/],
    [{ webhook_url: 'flow' }, /^webhook_url: is not an absolute URL/],
    [{ webhook_url: URL_OF_FLOW, rate_limit: { rate: 0 } }, /^rate_limit\.rate: must be above 0/],
  ])('%j is one problem, with its remedy', (json, problem) => {
    expect(read(json)).toEqual({ ok: false, problems: [expect.stringMatching(problem)] });
  });

  it.each<[object, RegExp]>([
    [{ url: 'x' }, /^field url is not known/],
    [{ title: 'x' }, /^field title is not known/],
    [{ webhook_url: 'https://hooks.slack.com/services/T0/B0/x' }, /use a sink of type teamchat/],
    [{ webhook_url: 'https://contoso.webhook.office.com/webhookb2/x' }, /make a workflow/],
  ])('has a note for %j', (json, note) => {
    const reading = read({ webhook_url: URL_OF_FLOW, ...json });
    expect(reading.ok && reading.notes).toEqual([expect.stringMatching(note)]);
  });
});

test.each([
  [202, '', { kind: 'delivered' }],
  [200, '1', { kind: 'delivered' }],
  [200, '<!doctype html>sign in', { kind: 'rejected-configuration', reason: 'NotAChat' }],
  [302, '', { kind: 'rejected-configuration', reason: 'Redirected' }],
  [400, '{"error":{"code":"InvalidRequestContent"}}', { kind: 'continue' }],
  [
    400,
    '{"error":{"code":"WorkflowTriggerIsNotEnabled"}}',
    { kind: 'rejected-configuration', reason: 'WorkflowOff' },
  ],
  [400, '{"error":{"code":"constructor"}}', { kind: 'continue' }],
  [400, '{"error":null}', { kind: 'continue' }],
  [401, '', { kind: 'rejected-configuration', reason: 'Unauthorized' }],
  [404, '', { kind: 'rejected-configuration', reason: 'WorkflowNotFound' }],
  [429, '', { kind: 'throttled', retryAfterMs: 7_000 }],
  [500, '', { kind: 'transient' }],
  [502, '', { kind: 'ambiguous' }],
  [503, '', { kind: 'throttled', retryAfterMs: 7_000 }],
])('an answer of %i %s means %o', async (status, body, outcome) => {
  const sent: string[] = [];
  const { url } = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => sent.push(chunk.toString()));
    const headers = status === 429 || status === 503 ? { 'retry-after': '7' } : {};
    request.on('end', () => response.writeHead(status, headers).end(body));
  });
  const settings = sinkSettings({ transport: transport(), clock: new ManualClock() });
  const reading = readSink('msteams', JSON.stringify({ webhook_url: url.href }), settings);
  if (!reading.ok) throw new Error(reading.problems.join());
  const delivery = aDelivery(
    anEvent('Failure', 1, { errorMessage: 'no quota **now** [x](https://e.test/)' }),
  );
  expect(await reading.sink.deliver(delivery, anAttempt())).toMatchObject(outcome);
  expect(judgeMessage(JSON.parse(sent.join('')))).toEqual({ kind: 'accepted', unknown: [] });
});

const bodyOf = ({ attachments: [{ content }] }: TeamsMessage) => content.body;
const shown = (message: TeamsMessage): readonly string[] =>
  bodyOf(message).map((each) => (each.type === 'TextBlock' ? each.text : each.inlines[0].text));

describe('a card', () => {
  it('of a failure, as it is sent', () => {
    const { attachments } = FORMS.builtin(exampleSource('Failure', 'msteams', 'shutdown'));
    expect(attachments[0].content).toMatchObject({
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        { inlines: [{ type: 'TextRun', text: '❌ Hibernation Failed', weight: 'Bolder' }] },
        { inlines: [{ text: 'Plan: web-shop' }] },
        ...Array.from({ length: 10 }, () => ({ type: 'RichTextBlock' })),
      ],
    });
  });

  it('has buttons for the links of a plan', () => {
    const { plan, ...source } = exampleSource('Failure', 'msteams', 'shutdown');
    const annotations = { 'hibernation.dev/runbook-url': 'https://wiki.test/night' };
    const { attachments } = FORMS.builtin({ ...source, plan: { ...plan, annotations } });
    expect(attachments[0].content.actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Runbook', url: 'https://wiki.test/night' },
    ]);
  });

  it('shows the texts of a plan as they are, and calls no function in them', () => {
    const { event, ...rest } = exampleSource('Failure', 'msteams', 'shutdown');
    const errorMessage = '**x** [y](https://e.test/) <at>all</at> {{DATE(2017-02-13T20:46:30Z)}}';
    for (const form of [FORMS.builtin, FORMS.plain]) {
      const message = form({ ...rest, event: { ...event, errorMessage } });
      expect(bodyOf(message).every(({ type }) => type === 'RichTextBlock')).toBe(true);
      expect(shown(message)).toContain(`Error: ${errorMessage.replace('{{', '{\u2060{')}`);
    }
  });

  it('says how many lines are missing', () => {
    const { event, ...rest } = exampleSource('Success', 'msteams', 'shutdown');
    const target = { name: 'ディスク'.repeat(20), executor: 'rds', state: 'Completed', message: '' };
    const message = FORMS.builtin({ ...rest, event: { ...event, targets: Array(2_000).fill(target) } });
    expect(shown(message).at(-1)).toMatch(/^… (\d+ more lines|and \d+ more)$/);
    expect(judgeMessage(message).kind).toBe('accepted');
  });

  it('is within the limit, whatever a template gives', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', 'é', '🌙', '\u0001', 'x'),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40_000 }), (part, count) => {
        const output = part.repeat(Math.ceil(count / (part.length || 1))).toWellFormed();
        const message = customMessage(output);
        expect(judgeMessage(message).kind).toBe('accepted');
        expect(bytesOf(message.attachments[0].content)).toBeLessThanOrEqual(20 * 1024);
        if (output.length < 2_000) expect(shown(message)).toEqual([output]);
      }),
      { seed: 5, numRuns: 60 },
    );
  });

  it('of an empty output is none', () => {
    const { problem } = MSTEAMS.judgeOutput(' \n', { parseMode: 'HTML' });
    expect(problem).toContain('the output is empty');
  });
});
