import { REQUEST_WAITS, type RequestWait } from '@hnotif/core/page';
import { MOST_REQUESTS, type MadeRequest } from '../dispatch/made-requests.ts';

/** The status that is not written. */
const USUAL = 200;
/** The answer of the request before, once more. */
const SAME = '=';

/**
 * The requests of a delivery in a few bytes: `12 503 ServiceUnavailable retry 800, 9 = paused 2000, 8`. Each has the time that it took
 * (milliseconds), its answer, and why and how long the delivery waited. Without an answer it was a 200. `+140`: so many are left out.
 */
export function requestsText(all: readonly MadeRequest[]): string {
  let before = '';
  return all
    .map(({ tookMs, status, reason, wait, omitted }) => {
      const isUsual = status === USUAL && reason === undefined;
      const answer = isUsual ? '' : [status ?? '-', reason ?? ''].join(' ').trim();
      const shown = answer !== '' && answer === before ? SAME : answer;
      before = answer;
      const parts = [tookMs, shown, wait === undefined ? '' : `${wait.why} ${wait.ms}`];
      return [...parts, omitted === undefined ? '' : `+${omitted}`].filter((part) => part !== '').join(' ');
    })
    .join(', ');
}

/** Longer texts are not of hnotif. */
const LONGEST = 1_024;
const REQUEST =
  /^(\d{1,12})(?: (?:(=)|(-|\d{3})(?: ([A-Z]\w{0,63}))?))?(?: ([a-z]{3,12}) (\d{1,12}))?(?: \+(\d{1,9}))?$/;

/** Undefined: hnotif did not write the text. */
export function parseRequests(text: string): readonly MadeRequest[] | undefined {
  if (text.length > LONGEST) return undefined;
  const parts = text.split(', ');
  if (parts.length > MOST_REQUESTS) return undefined;
  const all: MadeRequest[] = [];
  let before: Pick<MadeRequest, 'status' | 'reason'> = {};
  for (const part of parts) {
    const found = REQUEST.exec(part);
    if (found === null) return undefined;
    const [, took, same, status, reason, why, ms, omitted] = found;
    if (why !== undefined && !isWait(why)) return undefined;
    if (same === undefined) before = answerOf(status, reason);
    all.push({
      tookMs: Number(took),
      ...before,
      ...(why !== undefined && { wait: { why, ms: Number(ms) } }),
      ...(omitted !== undefined && { omitted: Number(omitted) }),
    });
  }
  return all;
}

const answerOf = (status = String(USUAL), reason?: string): Pick<MadeRequest, 'status' | 'reason'> => ({
  ...(status !== '-' && { status: Number(status) }),
  ...(reason !== undefined && { reason }),
});

const isWait = (word: string): word is RequestWait => (REQUEST_WAITS as readonly string[]).includes(word);
