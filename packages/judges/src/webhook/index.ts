/** What any JSON receiver takes: JSON that all common parsers accept. Pure; runs in Node and in browsers. */
import { DEEPEST, jsonFault, pointerOf } from '../json.ts';
import { verdictOf, type Verdict } from '../verdict.ts';

/** The body of a request. What a receiver requires besides is its own business. */
export function judgeBody(body: unknown): Verdict {
  const fault = jsonFault(body);
  if (fault === undefined) return verdictOf([]);
  const pointer = pointerOf(fault.path);
  return fault.what === 'depth'
    ? verdictOf([
        {
          place: { pointer },
          rule: `is nested deeper than ${DEEPEST} levels`,
          error: 'invalid JSON',
          remedy: 'nest less',
        },
      ])
    : verdictOf([
        {
          place: { pointer },
          rule: 'has half a surrogate pair, which is not a character',
          error: 'invalid JSON',
          remedy: 'cut texts between characters',
        },
      ]);
}
