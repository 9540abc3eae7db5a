import { describe, expect, it } from 'vitest';
import type { Answer, FromWorker, Job } from './job.ts';
import { LONGEST_MS, Runner, type WorkerEvents } from './runner.ts';
import { EXAMPLE_EVENT } from './work.ts';

const job = (template: string): Job => ({
  ...{ template, sink: 'webhook', event: EXAMPLE_EVENT, timezone: 'UTC', timedOut: false },
});
const answer = (text: string): FromWorker => ({
  kind: 'answer',
  answer: { picture: { chat: undefined, label: 'it', text } } as Answer,
});

/** A runner with workers that do what a test says, and a clock that it turns. */
function setting() {
  const workers: { readonly jobs: Job[]; ended: boolean; readonly events: WorkerEvents }[] = [];
  let timers: { readonly ms: number; readonly run: () => void }[] = [];
  const runner = new Runner({
    start(events) {
      const worker = { jobs: [] as Job[], ended: false, events };
      workers.push(worker);
      return {
        post: (each) => worker.jobs.push(each),
        end: () => (worker.ended = true),
      };
    },
    after(ms, run) {
      const timer = { ms, run };
      timers.push(timer);
      return () => (timers = timers.filter((each) => each !== timer));
    },
  });
  const last = () => {
    const worker = workers.at(-1);
    if (worker === undefined) throw new Error('no worker was started');
    return worker;
  };
  return {
    runner,
    workers,
    last,
    say: (message: FromWorker) => {
      last().events.said(message);
    },
    /** The time of the job is over. */
    pass: () => {
      const [timer] = timers;
      expect(timer?.ms).toBe(LONGEST_MS);
      timers = timers.slice(1);
      timer?.run();
    },
    timers: () => timers.length,
  };
}

describe('the runner', () => {
  it('waits for the worker, and gives its answer', async () => {
    const { runner, last, say, timers } = setting();
    const outcome = runner.run(job('a'));
    expect([last().jobs, timers()]).toEqual([[], 0]);
    say({ kind: 'ready' });
    expect(last().jobs).toEqual([job('a')]);
    say(answer('A'));
    expect(await outcome).toMatchObject({
      kind: 'answer',
      answer: { picture: { text: 'A' } },
    });
    expect(timers()).toBe(0);
  });

  it('runs one job at a time, and of those that wait the newest', async () => {
    const { runner, last, say } = setting();
    say({ kind: 'ready' });
    const outcomes = ['a', 'b', 'c'].map((text) => runner.run(job(text)));
    expect(last().jobs).toEqual([job('a')]);
    say(answer('A'));
    expect(last().jobs).toEqual([job('a'), job('c')]);
    say(answer('C'));
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['answer', 'replaced', 'answer']);
  });

  it('ends a worker that takes too long; a new one says what is sent then', async () => {
    const { runner, workers, last, say, pass } = setting();
    say({ kind: 'ready' });
    const outcome = runner.run(job('endless'));
    const [first] = workers;
    pass();
    expect([first?.ended, workers.length]).toEqual([true, 2]);
    say({ kind: 'ready' });
    expect(last().jobs).toEqual([{ ...job('endless'), timedOut: true }]);
    // What the old one still says does not count.
    first?.events.said(answer('late'));
    say(answer('plain'));
    expect(await outcome).toMatchObject({ answer: { picture: { text: 'plain' } } });

    const next = runner.run(job('good'));
    say(answer('good'));
    expect(await next).toMatchObject({ answer: { picture: { text: 'good' } } });
  });

  it('does not run what is old when its time is over', async () => {
    const { runner, last, say, pass } = setting();
    say({ kind: 'ready' });
    const old = runner.run(job('endless'));
    const next = runner.run(job('next'));
    pass();
    expect(await old).toEqual({ kind: 'replaced' });
    say({ kind: 'ready' });
    expect(last().jobs).toEqual([job('next')]);
    say(answer('next'));
    expect(await next).toMatchObject({ kind: 'answer' });
  });

  it('gives up on a browser that is too slow even for that', async () => {
    const { runner, say, pass } = setting();
    say({ kind: 'ready' });
    const outcome = runner.run(job('endless'));
    pass();
    say({ kind: 'ready' });
    pass();
    expect(await outcome).toMatchObject({ kind: 'failed' });
  });

  it('sends a job again after the worker has loaded what it needs, which takes no time of the job', async () => {
    const { runner, last, say, timers } = setting();
    say({ kind: 'ready' });
    const outcome = runner.run(job('zones'));
    say({ kind: 'loading' });
    expect(timers()).toBe(0);
    say({ kind: 'ready' });
    expect(last().jobs).toEqual([job('zones'), job('zones')]);
    say(answer('zones'));
    expect(await outcome).toMatchObject({ kind: 'answer' });
  });

  it('says why there is no answer, and starts anew', async () => {
    const { runner, workers, last, say } = setting();
    const unloaded = runner.run(job('a'));
    last().events.broke();
    expect(await unloaded).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('reload') as string,
    });
    const failed = runner.run(job('b'));
    expect(workers).toHaveLength(2);
    say({ kind: 'ready' });
    say({ kind: 'failed', message: 'odd' });
    expect(await failed).toMatchObject({ kind: 'failed', message: expect.stringContaining('odd') as string });
  });

  it('ends with its worker', async () => {
    const { runner, last, say } = setting();
    say({ kind: 'ready' });
    const outcomes = [runner.run(job('a')), runner.run(job('b'))];
    runner.close();
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['replaced', 'replaced']);
    expect(last().ended).toBe(true);
  });
});
