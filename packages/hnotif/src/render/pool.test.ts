import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Clock, systemClock } from '../clock.ts';
import { ManualClock } from '../testing/clock.ts';
import { compile } from './compile.ts';
import { templateContext } from './context.ts';
import { exampleSource } from './example.ts';
import { TemplatePool } from './pool.ts';
import { FAKE_WORKER, workerOf } from './testing/fake-worker.ts';
import type { TemplateSource } from './template.ts';

const source = exampleSource('Failure', 'teamchat', 'shutdown');
const template = (text: string): TemplateSource => ({ name: 'chat/template.gotpl', text });

function pool(clock: Clock, options: { readonly size?: number; readonly worker?: URL } = {}): TemplatePool {
  const made = new TemplatePool({ clock, ...options });
  onTestFinished(() => made.close());
  return made;
}

/** A pool of fake workers, whose templates are commands, and the clock that it goes by. */
function fakes(size = 2, worker = FAKE_WORKER) {
  const clock = new ManualClock();
  const templates = pool(clock, { size, worker });
  return {
    clock,
    templates,
    render: (text: string, signal?: AbortSignal) => templates.render(template(text), source, signal),
    /** Waits until the next timer is this one. */
    timer: (ms: number) =>
      vi.waitFor(
        () => {
          expect(clock.nextIn).toBe(ms);
        },
        { interval: 5, timeout: 30_000 },
      ),
  };
}

describe('templates in workers', () => {
  it.each([
    '{{ .Plan }}: {{ .ErrorMessage | escapeSlack }}',
    '{{ range .Targets }}{{ .Name }} {{ .Connector }}\n{{ end }}',
    '{{ toJson . }}',
  ])('give what they give in the process: %s', async (text) => {
    expect(await pool(systemClock).render(template(text), source)).toEqual({
      ok: true,
      text: compile(template(text)).execute(templateContext(source)),
    });
  });

  it.each([
    ['TemplateParseFailed', 'a\n{{ if }}', ', line 2: missing value for if'],
    [
      'TemplateParseFailed',
      '{{ env "HOME" }}',
      ', line 1: function "env" not defined (templates do not see the environment: what they need is to be in their data)',
    ],
    [
      'TemplateExecutionFailed',
      'a\n{{ .PlanName }}',
      ", line 2, column 3: can't evaluate field PlanName in type sink.Payload",
    ],
    [
      'TemplateTooLarge',
      '{{ repeat 99999999 "x" }}',
      ', line 1, column 3: exceeded the memory limit (67108864 bytes)',
    ],
    [
      'TemplateTooLarge',
      '{{ range until 200000 }}0123456789{{ end }}',
      ', line 1, column 9: exceeded the output limit (1048576 characters)',
    ],
    ['TemplateTooLarge', 'x'.repeat(300_000), ': exceeded the source limit (262144 characters)'],
    [
      'TemplateTooLarge',
      '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
      ', line 1, column 28: exceeded maximum template depth (100000)',
    ],
    ['TemplateTooLarge', '{{ if .Plan }}'.repeat(10_000), ', line 1: exceeded maximum nesting depth (1000)'],
  ])('that fail give %s (%#)', async (reason, text, message) => {
    expect(await pool(systemClock).render(template(text), source)).toEqual({
      ok: false,
      reason,
      message: `template chat/template.gotpl${message}`,
    });
  });

  it.each([
    '{{ $l := until 1000 }}{{ range $l }}{{ range $l }}{{ range $l }}{{ end }}{{ end }}{{ end }}',
    '{{ range until 1000 }}{{ regexFindAll "(.*?,){11}P" (repeat 2000 "1,2,") -1 | len }}{{ end }}',
    '{{ $l := until 900000 }}{{ range until 100 }}{{ $x := sortAlpha $l }}{{ end }}',
  ])('that would run for ever end: %s', async (text) => {
    const rendered = await pool(systemClock).render(template(text), source);
    expect(rendered.ok ? rendered.text : rendered.reason).toMatch(/^Template(TimedOut|TooLarge)$/);
  });

  it('are checked without being run', async () => {
    const templates = pool(systemClock);
    expect(await templates.check(template('{{ .Plan.Name }}'))).toBeUndefined();
    expect(await templates.check(template('{{ .PlanName }}'))).toEqual({
      ok: false,
      reason: 'TemplateDoubtful',
      message:
        'template chat/template.gotpl, line 1, column 3: sink.Payload has no field PlanName; did you mean .Plan.Name?; an event that comes there gets plain text',
    });
    expect(await templates.check(template('{{ end }}'))).toEqual({
      ok: false,
      reason: 'TemplateParseFailed',
      message: 'template chat/template.gotpl, line 1: unexpected {{end}}',
    });
  });
});

describe('a worker', () => {
  it('that runs too long is ended and replaced', async () => {
    const { render, timer, clock } = fakes(1);
    const before = await render('who');
    const endless = render('endless');
    await timer(1250);
    await clock.advance(1249);
    const waiting = render('who');
    await clock.advance(1);
    expect(await endless).toEqual({
      ok: false,
      reason: 'TemplateTimedOut',
      message: 'template chat/template.gotpl: exceeded the time limit (1000 ms)',
    });
    const after = await waiting;
    expect(after.ok).toBe(true);
    expect(after).not.toEqual(before);
  });

  it('that dies is replaced, and its job done', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hnotif-pool-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { render } = fakes();
    expect(await render(`die-once ${join(folder, 'flag')}`)).toMatchObject({ ok: true });
  });

  it.each([
    ['exit', 'it exited with 3'],
    ['throw', 'thrown in the worker'],
  ])('that dies of every attempt fails: %s', async (command, why) => {
    const { render } = fakes();
    expect(await render(command)).toEqual({
      ok: false,
      reason: 'TemplateWorkerFailed',
      message: `template chat/template.gotpl: its worker failed twice: ${why}`,
    });
    expect(await render('who')).toMatchObject({ ok: true });
  });

  it('that takes too much memory dies alone', async () => {
    const { render } = fakes();
    expect(await render('hog')).toEqual({
      ok: false,
      reason: 'TemplateTooLarge',
      message: 'template chat/template.gotpl: exceeded the memory of a worker (128 MiB)',
    });
  });

  it('has its share of memory, and sees nothing of the environment', async () => {
    const { render } = fakes();
    expect(await render('surroundings')).toEqual({ ok: true, text: '[128,{}]' });
  });

  it('that never starts is given up', async () => {
    const { render, timer, clock } = fakes(1, workerOf('for (;;);'));
    const rendered = render('who');
    for (let attempt = 0; attempt < 2; attempt++) {
      await timer(10_000);
      await clock.advance(10_000);
    }
    expect(await rendered).toMatchObject({
      reason: 'TemplateWorkerFailed',
      message: expect.stringContaining('it did not start within 10 s') as string,
    });
  });

  it('that is not there fails', async () => {
    const { render } = fakes(1, new URL('file:///nowhere/template-worker.mjs'));
    expect(await render('who')).toMatchObject({
      reason: 'TemplateWorkerFailed',
      message: expect.stringContaining('/nowhere/template-worker.mjs') as string,
    });
  });

  it('is kept for the next job, and ended after a minute without one', async () => {
    const { render, clock } = fakes();
    const first = await render('who');
    await clock.advance(59_999);
    expect(await render('who')).toEqual(first);
    await clock.advance(60_000);
    expect(clock.timers).toBe(0);
    expect(await render('who')).not.toEqual(first);
  });
});

describe('the pool', () => {
  it('has no more workers than its size', async () => {
    const { render } = fakes();
    const threads = await Promise.all(Array.from({ length: 20 }, (_, i) => render(`who ${i}`)));
    expect(new Set(threads.map((thread) => JSON.stringify(thread))).size).toBe(2);
  });

  it('gives templates turns', async () => {
    const { render } = fakes(1);
    const order: string[] = [];
    const jobs = ['a', 'a', 'a', 'b', 'a', 'b'];
    await Promise.all(jobs.map((text) => render(text).then(() => order.push(text))));
    // The first has begun when the others come.
    expect(order.join('')).toBe('aababa');
  });

  it('suspends a template that runs too long twice, and those that wait for it', async () => {
    const { render, templates, timer, clock } = fakes(1);
    const jobs = [render('endless'), render('endless'), render('endless')];
    for (let attempt = 0; attempt < 2; attempt++) {
      await timer(1250);
      await clock.advance(1250);
    }
    const reasons = (await Promise.all(jobs)).map((job) => (job.ok ? job.text : job.reason));
    expect(reasons).toEqual(['TemplateTimedOut', 'TemplateTimedOut', 'TemplateSuspended']);
    expect(await render('endless')).toEqual({
      ok: false,
      reason: 'TemplateSuspended',
      message:
        'template chat/template.gotpl worked for long and then met a limit, 2 times within a minute; it is tried again in 5 min, or when it is changed',
    });
    expect(await render('who')).toMatchObject({ ok: true });

    // At once, though the only worker is at work; and whether it can be parsed may be asked.
    const checked = templates.check(template('endless'));
    expect(await render('endless')).toMatchObject({ reason: 'TemplateSuspended' });
    await timer(1250);
    await clock.advance(1250);
    expect(await checked).toMatchObject({ reason: 'TemplateTimedOut' });

    await clock.advance(300_000);
    const again = render('endless');
    await timer(1250);
    await clock.advance(1250);
    expect(await again).toMatchObject({ reason: 'TemplateTimedOut' });
  });

  it.each([
    ['worked for long', 'large 200', 'TemplateSuspended'],
    ['did not work for long', 'large 199', 'TemplateTooLarge'],
  ])('a template that meets a limit and %s: %s gives %s then', async (_, text, reason) => {
    const { render } = fakes(1);
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await render(text)).toMatchObject({ reason: 'TemplateTooLarge' });
    expect(await render(text)).toMatchObject({ reason });
  });

  it('suspends endless loops, whichever limit they meet', async () => {
    const templates = pool(systemClock);
    const endless = template('{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}');
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await templates.render(endless, source)).ok).toBe(false);
    expect(await templates.render(endless, source)).toMatchObject({ reason: 'TemplateSuspended' });
  });

  it('gives owners turns, whatever the number of their templates', async () => {
    const { templates } = fakes(1);
    const order: string[] = [];
    const jobs = ['a1', 'a2', 'a3', 'b1', 'a4', 'b2'];
    await Promise.all(
      jobs.map((text) =>
        templates.render({ ...template(text), owner: text.charAt(0) }, source).then(() => order.push(text)),
      ),
    );
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('lets jobs be called off before, while they wait, and while they run', async () => {
    const { render, timer, clock } = fakes(1);
    expect(await render('who', AbortSignal.abort())).toMatchObject({ ok: false });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const jobs = [render('endless', running.signal), render('endless', waiting.signal)];
    const last = render('who');
    running.abort();
    waiting.abort();
    for (const job of await Promise.all(jobs)) expect(job).toMatchObject({ ok: false });
    // The worker has still to be got back.
    await timer(1250);
    await clock.advance(1250);
    expect(await last).toMatchObject({ ok: true });
  });

  it('loses no worker to what cannot cross', async () => {
    const { render, templates } = fakes(1);
    const first = await render('who');
    const event = { ...source.event, phase: (() => 'now') as unknown as string };
    expect(await templates.render(template('who'), { ...source, event })).toMatchObject({
      reason: 'TemplateWorkerFailed',
      message: expect.stringContaining('could not be cloned') as string,
    });
    expect(await render('who')).toEqual(first);
  });

  it('settles everything when it closes, and takes nothing more', async () => {
    const { render, templates, timer, clock } = fakes(1);
    await render('who');
    const jobs = [render('endless'), render('who'), render('endless')];
    await timer(1250);
    await templates.close();
    for (const job of [...jobs, render('who')])
      expect(await job).toEqual({
        ok: false,
        reason: 'TemplateWorkerFailed',
        message: 'template chat/template.gotpl was not rendered: hnotif is stopping',
      });
    expect(clock.timers).toBe(0);
  });
});
