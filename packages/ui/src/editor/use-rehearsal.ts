import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from './job.ts';
import { Runner } from './runner.ts';
import type { JobEvent } from './sources.ts';
import { startWorker } from './start-worker.ts';
import type { Work } from './work.ts';

/** After the last key, until the message is made anew (milliseconds). */
const TYPED_MS = 150;

export interface Rehearsed {
  /** Of which template. */
  readonly template: string;
  readonly answer: Answer | undefined;
  /** Why there is no answer. */
  readonly failure: string | undefined;
}

const after = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => {
    clearTimeout(timer);
  };
};

/** What becomes of the work. Undefined: it is not known yet. `event`: undefined while its plan is read. */
export function useRehearsal(work: Work | undefined, event: JobEvent | undefined): Rehearsed | undefined {
  const [made, setMade] = useState<Rehearsed>();
  const runner = useRef<Runner | undefined>(undefined);

  useEffect(() => {
    runner.current = new Runner({ start: startWorker, after });
    return () => {
      runner.current?.close();
    };
  }, []);

  const { template, sink } = work ?? {};
  useEffect(() => {
    if (template === undefined || sink === undefined || event === undefined) return;
    // The first message is made at once.
    return after(made === undefined ? 0 : TYPED_MS, () => {
      const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
      void runner.current
        ?.run({ ...{ template, sink, event, timezone }, timedOut: false })
        .then((outcome) => {
          if (outcome.kind === 'replaced') return;
          setMade({
            template,
            answer: outcome.kind === 'answer' ? outcome.answer : undefined,
            failure: outcome.kind === 'failed' ? outcome.message : undefined,
          });
        });
    });
  }, [template, sink, event]);

  return made;
}
