import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '@hnotif/core/clock';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { compile, templateContext, exampleSource, type TemplateSource } from '@hnotif/core/render';
import { TemplatePool } from './pool.ts';
import { FAKE_WORKER, workerOf } from './testing/fake-worker.ts';

const source = exampleSource('Failure', 'teamchat', 'shutdown');
const template = (text: string, namespace?: string): TemplateSource => ({
  name: 'chat/template.gotpl',
  text,
  namespace,
});

function pool(clock: Clock, options: { readonly size?: number; readonly worker?: URL } = {}): TemplatePool {
  const made = new TemplatePool({ clock, ...options });
  onTestFinished(() => made.close());
  return made;
}

/** A pool of fake workers, whose templates are commands, and its clock. */
function fakes(size = 2, worker = FAKE_WORKER) {
  const clock = new ManualClock();
  const templates = pool(clock, { size, worker });
  return {
    clock,
    templates,
    render: (text: string, signal?: AbortSignal) => templates.render(template(text), source, signal),
    /** The same for a namespace. */
    renderIn: (namespace: string, text: string) => templates.render(template(text, namespace), source),
    /** Waits until the next timer is this one. */
    timer: (ms: number) => expect.poll(() => clock.nextIn, { interval: 5 }).toBe(ms),
  };
}

describe('templates in workers', () => {
  it.each([
    '{{ .Plan }}: {{ .ErrorMessage | escapeSlack }}',
    '{{ range .Targets }}{{ .Name }} {{ .Connector }}\n{{ end }}',
    '{{ toJson . }}',
  ])('give the same result as in the process: %s', async (text) => {
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
      ', line 1: function "env" not defined (templates do not see the environment: put the value into their data)',
    ],
    [
      'TemplateExecutionFailed',
      'a\n{{ .PlanName }}',
      ", line 2, column 4: can't evaluate field PlanName in type sink.Payload",
    ],
    [
      'TemplateTooLarge',
      '{{ repeat 99999999 "x" }}',
      ', line 1, column 4: exceeded the memory limit (67108864 bytes)',
    ],
    [
      'TemplateTooLarge',
      '{{ range until 200000 }}0123456789{{ end }}',
      ', line 1, column 10: exceeded the output limit (1048576 characters)',
    ],
    ['TemplateTooLarge', 'x'.repeat(65_537), ': exceeded the source limit (65536 characters)'],
    [
      'TemplateTooLarge',
      '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
      ', line 1, column 29: exceeded maximum template depth (100000)',
    ],
    ['TemplateTooLarge', '{{ if .Plan }}'.repeat(1_001), ', line 1: exceeded maximum nesting depth (1000)'],
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
  ])('that would never end are ended: %s', async (text) => {
    const rendered = await pool(systemClock).render(template(text), source);
    expect(rendered.ok ? rendered.text : rendered.reason).toMatch(/^Template(TimedOut|TooLarge)$/);
  });

  it('give each of many messages its own text', async () => {
    const templates = pool(systemClock);
    const sources = Array.from({ length: 100 }, (_, i) => ({ ...source, sinkName: `sink-${i}` }));
    const texts = await Promise.all(
      sources.map((each) => templates.render(template('{{ .SinkName }} {{ .Plan.Name }}'), each)),
    );
    expect(texts).toEqual(
      sources.map(({ sinkName, event }) => ({ ok: true, text: `${sinkName} ${event.plan}` })),
    );
  });

  it('are checked without a run', async () => {
    const templates = pool(systemClock);
    expect(await templates.check(template('{{ .Plan.Name }}'))).toBeUndefined();
    expect(await templates.check(template('{{ .PlanName }}'))).toEqual({
      ok: false,
      reason: 'TemplateDoubtful',
      message:
        'template chat/template.gotpl, line 1, column 4: sink.Payload has no field PlanName; did you mean .Plan.Name?; an event that comes there gets plain text',
    });
    expect(await templates.check(template('{{ end }}'))).toEqual({
      ok: false,
      reason: 'TemplateParseFailed',
      message: 'template chat/template.gotpl, line 1: unexpected {{end}}',
    });
  });
});

describe('a worker', () => {
  it('that runs too long is terminated and replaced', async () => {
    const { render, timer, clock } = fakes(1);
    const before = await render('who');
    const endless = render('endless');
    await timer(15_000);
    await clock.advance(14_999);
    const waiting = render('who');
    await clock.advance(1);
    expect(await endless).toEqual({
      ok: false,
      reason: 'TemplateTimedOut',
      message: 'template chat/template.gotpl: its worker did not answer within 15 s',
    });
    const after = await waiting;
    expect(after.ok).toBe(true);
    expect(after).not.toEqual(before);
  });

  it('that dies is replaced, and its job is done', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hnotif-pool-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { render } = fakes();
    expect(await render(`die-once ${join(folder, 'flag')}`)).toMatchObject({ ok: true });
  });

  it.each([
    ['exit', 'it exited with 3'],
    ['throw', 'thrown in the worker'],
  ])('that dies at every attempt fails the job: %s', async (command, why) => {
    const { render } = fakes();
    expect(await render(command)).toEqual({
      ok: false,
      reason: 'TemplateWorkerFailed',
      message: `template chat/template.gotpl: its worker failed twice: ${why}`,
    });
    expect(await render('who')).toMatchObject({ ok: true });
  });

  it('that takes too much memory dies, and no other', async () => {
    const { render } = fakes();
    expect(await render('hog')).toEqual({
      ok: false,
      reason: 'TemplateTooLarge',
      message: 'template chat/template.gotpl: exceeded the memory of a worker (128 MiB)',
    });
  });

  it('has a limit of memory, and no access to the environment', async () => {
    const { render } = fakes();
    expect(await render('surroundings')).toEqual({ ok: true, text: '[128,{}]' });
  });

  it('that never starts fails its job', async () => {
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

  it('whose file does not exist fails its job', async () => {
    const { render } = fakes(1, new URL('file:///nowhere/template-worker.mjs'));
    expect(await render('who')).toMatchObject({
      reason: 'TemplateWorkerFailed',
      message: expect.stringContaining('/nowhere/template-worker.mjs') as string,
    });
  });

  it('is kept for the next job, and terminated after a minute without one', async () => {
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
  it('never has more workers than its size', async () => {
    const { renderIn } = fakes();
    const threads = await Promise.all(
      Array.from({ length: 20 }, (_, i) => renderIn(`team-${i % 5}`, `who ${i}`)),
    );
    expect(new Set(threads.map((thread) => JSON.stringify(thread))).size).toBe(2);
  });

  it('gives a worker batches; jobs that it has not begun at the end of its turn wait again, at the front', async () => {
    const { render } = fakes();
    const runs = await Promise.all(Array.from({ length: 20 }, () => render('batch')));
    const sizes = [1, ...[16, 14, 9].flatMap((size) => Array<number>(5).fill(size)), 4, 4, 4, 4];
    expect(runs).toEqual(sizes.map((size) => ({ ok: true, text: String(size) })));
  });

  it('puts few targets in a batch, so that the copy is fast', async () => {
    const { templates } = fakes();
    const [target] = source.event.targets;
    const targets = Array.from({ length: 400 }, () => target).filter((each) => each !== undefined);
    const large = { ...source, event: { ...source.event, targets } };
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => templates.render(template('batch'), large)),
    );
    expect(runs.map((run) => run.ok && run.text)).toEqual(['1', '2', '2', '2', '2', '1']);
  });

  it('runs the jobs of a batch one by one after their worker ended, so that one does not fail the others', async () => {
    const { render, timer, clock } = fakes(1);
    const called = new AbortController();
    const first = render('who');
    const jobs = [render('endless'), render('count', called.signal), render('count'), render('batch')];
    expect(await first).toMatchObject({ ok: true });
    await timer(15_000);
    called.abort();
    await clock.advance(15_000);
    await timer(15_000);
    jobs.push(render('batch'));
    await clock.advance(15_000);
    expect(await Promise.all(jobs)).toMatchObject([
      { reason: 'TemplateTimedOut' },
      { reason: 'TemplateWorkerFailed', message: expect.stringContaining('was aborted') as string },
      // An aborted task does not run again.
      { ok: true, text: '1' },
      { ok: true, text: '1' },
      { ok: true, text: '1' },
    ]);
  });

  it('gives a single namespace only one of two workers', async () => {
    const { renderIn } = fakes();
    const threads = await Promise.all(Array.from({ length: 20 }, (_, i) => renderIn('team', `who ${i}`)));
    expect(new Set(threads.map((thread) => JSON.stringify(thread))).size).toBe(1);
  });

  it('keeps the worker that knows a namespace’s templates for it, while there is room for another worker', async () => {
    const { renderIn } = fakes();
    const first = await renderIn('team', 'who');
    const other = await renderIn('other', 'who');
    expect(other).not.toEqual(first);
    expect(await renderIn('other', 'who')).toEqual(other);
    expect(await renderIn('team', 'who')).toEqual(first);
    expect([first, other]).toContainEqual(await renderIn('third', 'who'));
  });

  it('serves a namespace at once while another one has a worker', async () => {
    const { renderIn, timer, clock } = fakes();
    const slow = ['endless 1', 'endless 2', 'endless 3'].map((text) => renderIn('slow', text));
    await timer(15_000);
    for (let message = 0; message < 20; message++)
      expect(await renderIn('other', `who ${message}`)).toMatchObject({ ok: true });
    expect(clock.monotonic()).toBe(0);
    // The second and the third run together, then alone.
    for (let ended = 0; ended < 4; ended++) {
      await timer(15_000);
      await clock.advance(15_000);
    }
    for (const each of slow) expect(await each).toMatchObject({ reason: 'TemplateTimedOut' });
  });

  it('gives namespaces turns by their used time, whatever the number of their templates', async () => {
    const { renderIn } = fakes(1);
    const order: string[] = [];
    const jobs = ['a1 30', 'a2 10', 'a3 10', 'b1 10', 'b2 10', 'b3 10', 'b4 10', 'c1 10'];
    await Promise.all(
      jobs.map((text) => renderIn(text.charAt(0), `took ${text}`).then(() => order.push(text.slice(0, 2)))),
    );
    // The first has begun when the others come.
    expect(order).toEqual(['a1', 'b1', 'c1', 'b2', 'b3', 'a2', 'b4', 'a3']);
  });

  it('pauses a slow template that succeeds, too, and the jobs that wait for it', async () => {
    const { renderIn, clock } = fakes(1);
    const runs = await Promise.all(Array.from({ length: 20 }, () => renderIn('a', 'took slow 850')));
    expect(runs.map(({ ok }) => ok)).toEqual([
      ...Array<boolean>(12).fill(true),
      ...Array<boolean>(8).fill(false),
    ]);
    expect(runs.at(-1)).toEqual({
      ok: false,
      reason: 'TemplateSuspended',
      message:
        'template chat/template.gotpl was not run: the templates of its namespace have 20 s of worker time in a minute, and it has used 10 s of them (a run that meets a limit counts 5 times); make it do less, or send fewer messages with it',
    });
    expect(await renderIn('a', 'who')).toMatchObject({ ok: true });
    expect(await renderIn('b', 'took slow 850')).toMatchObject({ ok: true });
    await clock.advance(61_000);
    expect(await renderIn('a', 'took slow 850')).toMatchObject({ ok: true });
  });

  it('pauses all templates of a namespace when they have used its budget together', async () => {
    const { renderIn } = fakes(1);
    const runs = await Promise.all(Array.from({ length: 40 }, (_, i) => renderIn('a', `took t${i} 850`)));
    expect(runs.filter(({ ok }) => ok)).toHaveLength(24);
    expect(await renderIn('a', 'who')).toMatchObject({ reason: 'TemplateSuspended' });
    expect(await renderIn('b', 'who')).toMatchObject({ ok: true });
  });

  it('answers waiting jobs of a paused template at once, although no worker is free', async () => {
    const { renderIn, timer, clock } = fakes(1);
    const slow = [1, 2, 3].map(() => renderIn('a', 'took slow 10000'));
    const [other, endless] = [renderIn('a', 'who'), renderIn('b', 'endless')];
    expect((await Promise.all(slow)).map(({ ok }) => ok)).toEqual([true, false, false]);
    await timer(15_000);
    await clock.advance(15_000);
    expect(await endless).toMatchObject({ reason: 'TemplateTimedOut' });
    expect(await other).toMatchObject({ ok: true });
  });

  it('pauses a template, and checks of it, after two runs that are too long', async () => {
    const { render, templates, timer, clock } = fakes(1);
    const jobs = [render('endless'), render('endless'), render('endless')];
    // The second and the third run together, then the second alone.
    for (let ended = 0; ended < 3; ended++) {
      await timer(15_000);
      await clock.advance(15_000);
    }
    const reasons = (await Promise.all(jobs)).map((job) => (job.ok ? job.text : job.reason));
    expect(reasons).toEqual(['TemplateTimedOut', 'TemplateTimedOut', 'TemplateSuspended']);
    expect(await templates.check(template('endless'))).toMatchObject({ reason: 'TemplateSuspended' });
    expect(await render('who')).toMatchObject({ ok: true });
    await clock.advance(61_000);
    const again = render('endless');
    await timer(15_000);
    await clock.advance(15_000);
    expect(await again).toMatchObject({ reason: 'TemplateTimedOut' });
  });

  it.each([
    ['worked for long', 'large 2000', 'TemplateSuspended'],
    ['did not work for long', 'large 1', 'TemplateTooLarge'],
  ])('a template that meets a limit and %s: %s gives %s then', async (_, text, reason) => {
    const { render } = fakes(1);
    expect(await render(text)).toMatchObject({ reason: 'TemplateTooLarge' });
    expect(await render(text)).toMatchObject({ reason });
  });

  it('fails a template that is too large to read, without a worker', async () => {
    const { templates } = fakes(1, new URL('file:///nowhere/template-worker.mjs'));
    const large = { ...template(''), tooLarge: ': config map a/chat has 1,000,000 characters' };
    const fault = {
      ok: false,
      reason: 'TemplateTooLarge',
      message: 'template chat/template.gotpl: config map a/chat has 1,000,000 characters',
    };
    expect(await templates.render(large, source)).toEqual(fault);
    expect(await templates.check(large)).toEqual(fault);
    // The fault belongs to this template, not to an empty text.
    const larger = { ...large, tooLarge: ': no room' };
    expect(await templates.check(larger)).toMatchObject({
      message: 'template chat/template.gotpl: no room',
    });
  });

  it('checks a template once, however many sinks use it', async () => {
    const { templates, renderIn } = fakes(1);
    const look = (namespace: string) => templates.check(template('count', namespace));
    await Promise.all(Array.from({ length: 640 }, () => look('a')));
    await look('a');
    await look('b');
    expect(await renderIn('a', 'count')).toEqual({ ok: true, text: '3' });
  });

  it('checks a template again when the last check had no result', async () => {
    const { templates, timer, clock } = fakes(1);
    for (let look = 0; look < 2; look++) {
      const checked = templates.check(template('endless'));
      await timer(15_000);
      await clock.advance(15_000);
      expect(await checked).toMatchObject({ reason: 'TemplateTimedOut' });
    }
  });

  it('reports the namespaces whose templates wait for long', async () => {
    const { templates, timer, clock } = fakes(1, workerOf('for (;;);'));
    const render = (sinkName: string, namespace: string) =>
      templates.render(template('who', namespace), { ...source, sinkName });
    const jobs = [render('a', 'first'), render('a', 'other'), render('b', 'other'), render('b', 'other')];
    await timer(10_000);
    await clock.advance(4_999);
    expect(templates.blocked('other')).toBeUndefined();
    await clock.advance(1);
    expect(templates.blocked('other')?.reason).toBe('TemplatesWaited');
    expect(templates.blocked('first')).toBeUndefined();
    await templates.close();
    await Promise.all(jobs);
  });

  it('lets jobs be cancelled before they wait, while they wait, and while they run', async () => {
    const { render, timer, clock } = fakes(1);
    expect(await render('who', AbortSignal.abort())).toMatchObject({ ok: false });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const jobs = [render('endless', running.signal), render('endless', waiting.signal)];
    const last = render('who');
    running.abort();
    waiting.abort();
    for (const job of await Promise.all(jobs)) expect(job).toMatchObject({ ok: false });
    // The worker of the cancelled job must end first.
    await timer(15_000);
    await clock.advance(15_000);
    expect(await last).toMatchObject({ ok: true });
  });

  it('loses no worker when a value cannot be copied', async () => {
    const { render, templates } = fakes(1);
    const first = await render('who');
    const event = { ...source.event, phase: (() => 'now') as unknown as string };
    expect(await templates.render(template('who'), { ...source, event })).toMatchObject({
      reason: 'TemplateWorkerFailed',
      message: expect.stringContaining('could not be cloned') as string,
    });
    expect(await render('who')).toEqual(first);
  });

  it('settles all jobs when it closes, and accepts no more', async () => {
    const { render, templates, timer, clock } = fakes(1);
    await render('who');
    const jobs = [render('endless'), render('who'), render('endless')];
    await timer(15_000);
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
