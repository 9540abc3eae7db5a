import { fork } from 'node:child_process';
import { once } from 'node:events';
import { within } from './figures.ts';

/** Another process of the benchmark. It reports its start, and answers each question, one at a time. */
export interface Forked {
  readonly started: unknown;
  readonly ask: (question: string | object) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

const LIMIT_MS = 60_000;

/** Starts `<name>.ts` of this folder, which `run.ts` has bundled. */
export async function startForked(name: string, argument: string): Promise<Forked> {
  const child = fork(new URL(`./${name}.mjs`, import.meta.url), [argument]);
  const answer = async (): Promise<unknown> => {
    const [message] = (await within(LIMIT_MS, `the answer of ${name}`, once(child, 'message'))) as [unknown];
    return message;
  };
  return {
    started: await answer(),
    ask(question) {
      const answered = answer();
      child.send(question);
      return answered;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
