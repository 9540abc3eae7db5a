/** Checks the required content of a message, and that values do not change its layout. */
import type { LifecycleEvent } from '@hnotif/core/lifecycle';

/** The visible text: without blanks, marks, joiners, and the signs of markup. */
export const plain = (text: string): string =>
  text.toWellFormed().replace(/[^\p{L}\p{N}\p{P}\p{S}]|[*_~`ˋ\ufffd\u2800]/gu, '');

/** The shown texts of a teamchat message, unescaped. If there are blocks, `text` is not shown. */
export function seenInTeamchat(message: object): string {
  const { text, blocks } = message as { readonly text?: string; readonly blocks?: readonly unknown[] };
  const texts = blocks === undefined ? [text ?? ''] : textObjects(blocks).map((each) => each.text);
  return texts
    .join('\n')
    .replace(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The least number of characters that must be left of a cut value. */
const BEGINNING = 6;
/** Of such a value a cut may leave only the signs before its first letter: no room has a letter with so many accents. */
const HEAPED = /^[*_~`]+\p{L}\p{M}{40}/u;

/** Whether a text contains a value, whole or with a mark of the cut. Both are compared as `plain` text. */
function isReadable(seen: string, value: string): boolean {
  const wanted = plain(value);
  if (seen.includes(wanted)) return true;
  for (let at = seen.indexOf('…'); at >= 0; at = seen.indexOf('…', at + 1)) {
    if (HEAPED.test(value)) return true;
    // The text before the mark of the cut, if it is the beginning of the value.
    for (let units = Math.min(at, wanted.length); units > 0; units--)
      if (seen.startsWith(wanted.slice(0, units), at - units)) {
        // There is room for only a few letters with a hundred accents each.
        if (units >= BEGINNING || /\p{M}{3}|\p{Cf}|\p{Cc}/u.test(value)) return true;
        break;
      }
  }
  return false;
}

/** The heading in the contract; `''`: it has none. */
export function headingOf({ kind, operation, targets, retryCount, targetExecution }: LifecycleEvent): string {
  const what = operation === 'shutdown' ? 'Hibernation' : 'Wake-Up';
  switch (kind) {
    case 'Start':
      return `${what} Starting (${targets.length} targets)`;
    case 'Success':
      return `${what} Completed`;
    case 'Failure':
      return `${what} Failed`;
    case 'Recovery':
      return `${what} Retrying (attempt ${retryCount})`;
    case 'ExecutionProgress':
      return targetExecution === undefined ? '' : 'Target Progress';
    case 'PhaseChange':
      return 'Phase Change';
  }
}

export interface Wanted {
  readonly heading: string;
  /** Whether the message lists the failed targets, or shows their number. */
  readonly lists?: boolean;
  /** Whether the message names the changed target. Default true. */
  readonly changes?: boolean;
  /** The error of Failure and Recovery. Default: the event's own error. */
  readonly errorMessage?: string;
}

/** The missing parts of an event's message. `seen`: its visible text. */
export function missingIn(seen: string, event: LifecycleEvent, wanted: Wanted): string[] {
  const text = plain(seen);
  const faults: string[] = [];
  if (!text.includes(plain(wanted.heading))) faults.push(`no heading "${wanted.heading}"`);
  if (!isReadable(text, event.plan)) faults.push('the name of the plan is missing');
  const tellsError = event.kind === 'Failure' || event.kind === 'Recovery';
  const error = wanted.errorMessage ?? (tellsError ? event.errorMessage : '');
  const [first = ''] = error.split(/[\r\n\u2028\u2029]/).filter((line) => plain(line) !== '');
  if (!isReadable(text, first)) faults.push('the error is missing');
  const { targetExecution: changed } = event;
  if (
    wanted.changes !== false &&
    event.kind === 'ExecutionProgress' &&
    changed !== undefined &&
    !isReadable(text, changed.name)
  )
    faults.push('the name of the changed target is missing');
  if (wanted.lists === true && event.kind !== 'ExecutionProgress') faults.push(...lostIn(text, event));
  return faults;
}

/** Failed targets that are neither named nor counted. */
function lostIn(text: string, { targets }: LifecycleEvent): string[] {
  const left = Number(/…and(\d+)more/.exec(text)?.[1] ?? 0);
  const failed = targets.filter(({ state }) => state === 'Failed').slice(0, 100);
  const lost = failed.filter(({ name }) => !isReadable(text, name)).length;
  if (left > targets.length) return [`it says ${left} more targets, but there are fewer`];
  return lost > left ? [`${lost} failed targets are missing, but it says ${left} more`] : [];
}

/** The mrkdwn markup that is not from hnotif. Values with such signs must be in code. */
export function styledByValues(message: object): string[] {
  const { text, blocks } = message as { readonly text?: string; readonly blocks?: readonly unknown[] };
  const faults: string[] = [];
  let quotes = 0;
  for (const object of [...textObjects(blocks ?? []), { type: 'mrkdwn', text: text ?? '' }]) {
    const bare = object.text
      .replace(/```\n[^]*?\n```/g, '')
      .replace(/<!date\^[^>]*>/g, '')
      .replace(/<https?:[^<>|`]*\|(?:Runbook|Dashboard)>/g, '')
      .replace(/`[^`\n]+`/g, '');
    for (const [, shortcode = ''] of bare.matchAll(/:([a-z0-9_'+-]*[a-z+-][a-z0-9_'+-]*):/gi))
      if (!OURS.has(shortcode)) faults.push(`an emoji of a value: ${shortcode}`);
    if (object.type !== 'mrkdwn') continue;
    for (const line of bare.split('\n')) {
      // An underscore at the end of a cut word does not count, if no other one begins italics.
      const [sign] = /[`~]|(?<![\p{L}\p{N}])_(?=\S)/u.exec(line) ?? [];
      if (sign !== undefined) faults.push(`${sign} outside of code: ${line.slice(0, 80)}`);
      if (line.split('*').length % 2 === 0) faults.push(`bold that does not end: ${line.slice(0, 80)}`);
      if (/^(?:&gt;|>)/.test(line)) quotes++;
    }
  }
  return quotes > 1 ? [...faults, `${quotes} quotes`] : faults;
}

/** The shortcodes of presets and cards. */
const OURS: ReadonlySet<string> = new Set([
  ...['crescent_moon', 'sunny', 'warning', 'white_check_mark', 'x', 'arrows_counterclockwise'],
  ...['information_source', 'white_circle', 'hourglass_flowing_sand', 'no_entry_sign', 'grey_question'],
]);

interface TextObject {
  readonly type: string;
  readonly text: string;
}

function textObjects(value: unknown): TextObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, text } = value as { readonly type?: unknown; readonly text?: unknown };
  if (typeof text === 'string' && (type === 'mrkdwn' || type === 'plain_text')) return [{ type, text }];
  return Object.values(value).flatMap(textObjects);
}
