import { useEffect, useRef, useState } from 'preact/hooks';
import { oneAtATime } from './one-at-a-time.ts';

/** An answer of the server. `failed`: a sentence that says why there is none. */
export type Asked<T> =
  | { readonly state: 'asking' }
  | { readonly state: 'found'; readonly value: T }
  | { readonly state: 'failed'; readonly why: string };

/**
 * Asks the server, and again when the address or `version` changes; until then the last answer stands. A question is never given up because
 * `version` has changed: what changes all the time would never have an answer. Undefined: nothing is asked.
 */
export function useAnswer<T>(path: string | undefined, version?: unknown): Asked<T> {
  const [asked, setAsked] = useState<{ readonly path: string | undefined; readonly answer: Asked<T> }>();
  const again = useRef<(() => void) | undefined>(undefined);
  useEffect(() => {
    if (path === undefined) return;
    const ended = new AbortController();
    again.current = oneAtATime(() =>
      ask<T>(path, ended.signal).then(
        (answer) => {
          setAsked({ path, answer });
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
    again.current?.();
  }, [path, version]);
  return asked === undefined || asked.path !== path ? { state: 'asking' } : asked.answer;
}

/** Rejects only when it is aborted. */
async function ask<T>(path: string, signal: AbortSignal): Promise<Asked<T>> {
  try {
    return { state: 'found', value: await answerTo<T>(path, signal) };
  } catch (error) {
    signal.throwIfAborted();
    return { state: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}

/** An answer of the server. Rejects with an error whose message is a sentence. */
export async function answerTo<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal: signal ?? null }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new Error(`the program does not answer (${String(error)})`);
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  return (await response.json()) as T;
}
