import { cutText } from './cut.ts';
import { oneLine } from './one-line.ts';
import { shownOf, withCluster, type Source } from './context.ts';

/** A webhook's whole payload is best below 20 kB, a chat's text below 4,000 characters: this is well within both. */
const LONGEST = 3000;
/** Of a value that is a word or a name. */
const LONGEST_VALUE = 256;

/**
 * What is sent when a template cannot be rendered: event, plan, operation, phase, and where there are any the changed
 * target and the error; a line each. Plain text, without markup; at most 3,000 UTF-16 units, without half characters.
 */
export function plainFallback(source: Source): string {
  const { event, plan } = source;
  const { target, errorMessage } = shownOf(event);
  const value = (text: string): string => cutText(oneLine(text), LONGEST_VALUE);
  const lines = [
    `${withCluster(event.kind, plan)}: ${value(event.namespace)}/${value(event.plan)}`,
    `Operation: ${value(event.operation) || 'N/A'}`,
    `Phase: ${value(event.phase)}`,
  ];
  if (target !== undefined) {
    const line = `Target: ${value(target.name)} (${value(target.executor)}) -> ${value(target.state)}`;
    lines.push(target.message === '' ? line : `${line} - ${oneLine(target.message)}`);
  }
  if (errorMessage !== '') lines.push(`Error: ${oneLine(errorMessage)}`);
  return cutText(lines.join('\n'), LONGEST).toWellFormed();
}
