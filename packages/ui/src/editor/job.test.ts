import { describe, expect, it } from 'vitest';
import { answer, type Job } from './job.ts';
import type { SinkId } from './sinks.ts';
import type { JobEvent } from './sources.ts';
import { EXAMPLE_EVENT } from './work.ts';

const ask = (template: string, sink: SinkId, more: Partial<Job> = {}) =>
  answer({
    ...{ template, sink, event: EXAMPLE_EVENT, timezone: 'Europe/Berlin', timedOut: false },
    ...more,
  });

describe('a message', () => {
  it('is drawn as its chat shows it, by the clock of the reader', async () => {
    const slack = await ask('*{{ .Plan.Name }}* {{ .Event }}', 'slack-text');
    expect(slack).toMatchObject({ marks: [], faults: [], notes: [], picture: { chat: 'teamchat' } });
    const html = slack.picture?.chat === 'teamchat' ? slack.picture.html : '';
    expect(html).toContain('<b>web-shop</b>');
    expect(html).toContain('9:00 PM');
    const telegram = await ask('<b>{{ .Plan.Name }}</b>', 'telegram-html');
    expect(telegram.picture).toMatchObject({
      chat: 'botchat',
      html: expect.stringContaining('<b>web-shop</b>') as string,
    });
    expect((await ask('a line', 'webhook')).picture).toEqual({
      ...{ chat: undefined, label: 'The field “rendered”' },
      text: 'a line',
    });
  });

  it('in a thread is the card and its reply, whatever the template is', async () => {
    const { requests, notes, picture } = await ask('{{ .Nothing }}', 'slack-thread-json');
    expect(requests).toHaveLength(2);
    expect(notes).toEqual([expect.stringContaining('threads always use the built-in layouts')]);
    expect(picture).toMatchObject({ html: expect.stringContaining('1 reply') as string });
  });

  it('that is built in has the layout and the number of targets of its sink', async () => {
    const event = { ...EXAMPLE_EVENT, targets: 3 } as const;
    const [whole, compact, two] = await Promise.all(
      (['slack-default', 'slack-compact', 'slack-two-targets'] as const).map((sink) =>
        ask('{{ .Nothing }}', sink, { event }),
      ),
    );
    for (const made of [whole, compact, two])
      expect(made?.notes).toEqual(['The template has no effect: this sink has none.']);
    const bodies = [whole, compact, two].map((made) => JSON.stringify(made?.requests));
    expect(new Set(bodies).size).toBe(3);
    expect(bodies.map((body) => body.includes('… and 1 more'))).toEqual([false, false, true]);
  });

  it.each<[string, string, SinkId, RegExp]>([
    [
      'a template that fails',
      '{{ index .Targets 7 }}',
      'slack-text',
      /^template night-words\/template\.gotpl, line 1/,
    ],
    ['an empty output', '{{ "" }}', 'slack-text', /Failure: the output is empty/],
    ['no blocks', 'no JSON', 'slack-json', /the output is not JSON/],
    [
      'blocks that Slack refuses',
      '{"blocks":[{"type":"header"}]}',
      'slack-json',
      /Slack would refuse it: \/blocks\/0: .* \(invalid_blocks\)/,
    ],
    [
      'markup that Telegram refuses',
      '<b>{{ .Plan.Name }}',
      'telegram-html',
      /^Telegram would refuse it: .*can't parse entities/,
    ],
    [
      'characters that need a backslash',
      '{{ .ErrorMessage }}',
      'telegram-markdown',
      /^Telegram would refuse it/,
    ],
  ])('has a fault for %s', async (_, template, sink, fault) => {
    const { faults, requests } = await ask(template, sink);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
    expect(requests).toHaveLength(1);
  });

  it('marks the place that fails with this event', async () => {
    const { marks } = await ask('x {{ index .Targets 7 }}', 'slack-text');
    expect(marks).toEqual([expect.objectContaining({ from: 5, to: 10, severity: 'error' })]);
    expect(marks[0]?.message).toMatch(/^with this event: /);
  });

  it.each([
    ['A plan has changed.', /^the message is the same for each event/],
    ['{{ .Event }} %!d(string=a)', /is an error of printf/],
  ])('of %s may be a mistake, and a note says so', async (template, note) => {
    const { isDoubtful, marks, notes } = await ask(template, 'slack-text');
    expect({ isDoubtful, marks }).toEqual({ isDoubtful: true, marks: [] });
    expect(notes).toEqual([expect.stringMatching(note)]);
    expect(await ask('{{ .Event }}', 'slack-text')).toMatchObject({ isDoubtful: false, notes: [] });
  });

  it('marks nothing that fails with another event', async () => {
    const fails = '{{ if eq .Event "Start" }}{{ index .Targets 7 }}{{ end }}x';
    expect(await ask(fails, 'slack-text')).toMatchObject({ marks: [], faults: [] });
  });

  it('marks no place twice', async () => {
    const { marks } = await ask('{{ .Nothing }}', 'slack-text');
    expect(marks).toHaveLength(1);
  });

  it('of a template that was ended is plain text, as the controller sends it', async () => {
    const { faults, picture, marks, limit } = await ask('{{ .PlanName }}', 'webhook', {
      timedOut: true,
    });
    expect(limit).toBe('time');
    expect(faults).toEqual(['template night-words/template.gotpl: exceeded the time limit (1000 ms)']);
    expect(picture).toMatchObject({ text: expect.stringContaining('web-shop') as string });
    expect(marks).toEqual([]);
  });
});

describe('an event', () => {
  it('of a plan of the cluster has its targets as they are', async () => {
    const object = {
      metadata: { namespace: 'payments', name: 'ledger', uid: 'u' },
      spec: { targets: [{ name: 'db', type: 'rds' }] },
      status: { phase: 'Error', currentOperation: 'wakeup', errorMessage: 'no capacity' },
    };
    const event: JobEvent = { from: 'plan', kind: 'Failure', namespace: 'payments', name: 'ledger', object };
    const { picture } = await ask(
      '{{ .Plan }} {{ .Operation }} {{ .ErrorMessage }} {{ len .Targets }}',
      'webhook',
      { event },
    );
    expect(picture).toMatchObject({ text: 'payments/ledger wakeup no capacity 1' });
  });

  it.each<[string, JobEvent, string]>([
    ['no object', { from: 'plan', kind: 'Start', namespace: 'a', name: 'b', object: 7 }, 'cannot be read'],
    ['JSON that is none', { from: 'json', text: '{' }, 'this is not JSON'],
  ])('is refused when it is %s, and the template is still checked', async (_, event, problem) => {
    const made = await ask('{{ .PlanName }}', 'webhook', { event });
    expect(made).toMatchObject({ requests: [], picture: undefined, faults: [] });
    expect(made.eventProblem).toContain(problem);
    expect(made.marks).toHaveLength(1);
  });
});
