import { useEffect, useRef, useState } from 'preact/hooks';
import { oneAtATime } from './one-at-a-time.ts';
import { useStore } from './use-store.ts';

/** An answer of the server. `failed`: a sentence gives the reason. `isMissing`: the server answered that the object does not exist. */
export type Asked<T> =
  | { readonly state: 'asking' }
  | { readonly state: 'found'; readonly value: T }
  | { readonly state: 'failed'; readonly why: string; readonly isMissing: boolean };

/**
 * Asks the server. It asks again when the address or one of `versions` changes, and when the connection is back; until then the last answer
 * stays. A new version does not abort a question: with a version that changes all the time, there would never be an answer. Undefined:
 * nothing is asked.
 */
export function useAnswer<T>(path: string | undefined, ...versions: readonly unknown[]): Asked<T> {
  const [asked, setAsked] = useState<{ readonly path: string | undefined; readonly answer: Asked<T> }>();
  const { link } = useStore();
  const again = useRef<(() => Promise<void>) | undefined>(undefined);
  useEffect(() => {
    if (path === undefined) return;
    const ended = new AbortController();
    again.current = oneAtATime(() =>
      ask<T>(path, ended.signal).then(
        (answer) => {
          setAsked((before) =>
            isKept(before?.answer, answer) && before?.path === path ? before : { path, answer },
          );
        },
        // The view has asked for something else.
        () => undefined,
      ),
    );
    return () => {
      again.current = undefined;
      ended.abort();
    };
  }, [path]);
  useEffect(() => {
    void again.current?.();
  }, [path, link, ...versions]);
  return asked === undefined || asked.path !== path ? { state: 'asking' } : asked.answer;
}

/** The last answer stays while the server does not answer. */
const isKept = (before: Asked<unknown> | undefined, now: Asked<unknown>): boolean =>
  before?.state === 'found' && now.state === 'failed' && !now.isMissing;

/** Rejects only when it is aborted. */
async function ask<T>(path: string, signal: AbortSignal): Promise<Asked<T>> {
  try {
    return { state: 'found', value: await answerTo<T>(path, { signal }) };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    return { state: 'failed', why, isMissing: error instanceof Missing };
  }
}

class Missing extends Error {}

/** An answer of the server. Rejects with an error whose message is a sentence. */
export async function answerTo<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, init).catch(() => {
    init.signal?.throwIfAborted();
    throw new Error('the program does not answer');
  });
  if (!response.ok) {
    const why = (await response.text()).trim();
    throw response.status === 404 ? new Missing(why) : new Error(why);
  }
  return (await response.json()) as T;
}
