/** What any JSON receiver takes: JSON that common parsers accept. Pure; runs in Node and in browsers. */
import { DEEPEST, jsonFault, pointerOf } from '../json.ts';
import { verdictOf, type Verdict } from '../verdict.ts';

/**
 * The body of a request. What a receiver requires besides is its own business. Half a surrogate pair is written as an escape, which the
 * grammar of JSON (RFC 8259) permits.
 */
export function judgeBody(body: unknown): Verdict {
  const fault = jsonFault(body);
  if (fault?.what !== 'depth') return verdictOf([]);
  const rule = `is nested deeper than ${DEEPEST} levels`;
  return verdictOf([
    { place: { pointer: pointerOf(fault.path) }, rule, error: 'invalid JSON', remedy: 'nest less' },
  ]);
}
