/** What a channel of Microsoft Teams takes from a workflow: a message with Adaptive Cards. Pure; runs in Node and in browsers. */
import { isFields } from '../json.ts';
import { verdictOf, type Fault, type Unknown, type Verdict } from '../verdict.ts';

/** https://learn.microsoft.com/connectors/teams/ (known issues: size of messages) */
export const LIMITS = { bytes: 28 * 1024, actions: 6 } as const;

/** https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
export const CARD_TYPE = 'application/vnd.microsoft.card.adaptive';

export { isFields, type Fields } from '../json.ts';

/**
 * What a value takes of a message, in bytes. Teams stores a card as a text within JSON: quotes are escaped twice, and each character
 * beyond ASCII is counted as its escape. https://github.com/MicrosoftDocs/msteams-docs/issues/11274: a request with 24,453 bytes had 28,897.
 */
export function bytesOf(value: unknown): number {
  const text = JSON.stringify(JSON.stringify(value));
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7e) bytes += '\\\\uffff'.length - 1;
  return bytes;
}

const INVALID = 'invalid card';

interface Findings {
  readonly faults: Fault[];
  readonly unknown: Unknown[];
}

const refuse = ({ faults }: Findings, pointer: string, rule: string, remedy: string): void => {
  faults.push({ place: { pointer }, rule, error: INVALID, remedy });
};

/** The body of a request to a workflow that begins with “When a Teams webhook request is received”. */
export function judgeMessage(body: unknown): Verdict {
  const found: Findings = { faults: [], unknown: [] };
  const attachments = isFields(body) ? body.attachments : undefined;
  if (!isFields(body) || body.type !== 'message')
    refuse(found, '/type', 'is not "message"', 'write "type": "message"');
  if (!Array.isArray(attachments) || attachments.length === 0)
    refuse(found, '/attachments', 'is not a list of cards', 'write a list with an Adaptive Card');
  else for (const [index, each] of attachments.entries()) attachment(each, `/attachments/${index}`, found);
  return verdictOf(found.faults, found.unknown);
}

function attachment(value: unknown, at: string, found: Findings): void {
  if (!isFields(value) || value.contentType !== CARD_TYPE || !isFields(value.content)) {
    refuse(
      found,
      at,
      'is not an Adaptive Card',
      `write "contentType": "${CARD_TYPE}" and the card as content`,
    );
    return;
  }
  const { content } = value;
  const pointer = `${at}/content`;
  if (content.type !== 'AdaptiveCard')
    refuse(found, `${pointer}/type`, 'is not "AdaptiveCard"', 'write it so');
  if (typeof content.version !== 'string')
    refuse(found, `${pointer}/version`, 'is missing', 'write "version": "1.4"');
  const { body, actions = [] } = content;
  if (!Array.isArray(body)) refuse(found, `${pointer}/body`, 'is not a list of elements', 'write a list');
  else for (const [index, each] of body.entries()) element(each, `${pointer}/body/${index}`, found);
  if (!Array.isArray(actions))
    refuse(found, `${pointer}/actions`, 'is not a list', 'write a list, or leave it out');
  else {
    if (actions.length > LIMITS.actions)
      refuse(
        found,
        `${pointer}/actions`,
        `has ${actions.length} actions; ${LIMITS.actions} are shown`,
        'write fewer',
      );
    for (const [index, each] of actions.entries()) action(each, `${pointer}/actions/${index}`, found);
  }
  const bytes = bytesOf(content);
  if (bytes > LIMITS.bytes)
    found.faults.push({
      place: { pointer },
      rule: `has ${bytes} bytes as Teams stores it; ${LIMITS.bytes} are allowed`,
      ...{ error: 'MessageSizeExceeded', remedy: 'write less' },
    });
}

/** https://adaptivecards.io/explorer/ */
const ELEMENTS: ReadonlySet<unknown> = new Set([
  ...['ActionSet', 'Column', 'ColumnSet', 'Container', 'FactSet', 'Image', 'ImageSet', 'Media', 'Table'],
]);

function element(value: unknown, pointer: string, found: Findings): void {
  const type = isFields(value) ? value.type : undefined;
  if (!isFields(value) || typeof type !== 'string')
    refuse(found, pointer, 'is not an element', 'write an object with a type');
  else if (type === 'TextBlock') {
    if (typeof value.text !== 'string') refuse(found, `${pointer}/text`, 'is not a text', 'write a text');
  } else if (type === 'RichTextBlock') {
    const { inlines } = value;
    const isRun = (each: unknown): boolean =>
      typeof each === 'string' ||
      (isFields(each) && each.type === 'TextRun' && typeof each.text === 'string');
    if (!Array.isArray(inlines) || !inlines.every(isRun))
      refuse(found, `${pointer}/inlines`, 'is not a list of texts', 'write a list of TextRun');
  } else if (!ELEMENTS.has(type) && !type.startsWith('Input.'))
    found.unknown.push({ place: { pointer }, what: `the element type "${type}"` });
}

function action(value: unknown, pointer: string, found: Findings): void {
  if (!isFields(value) || typeof value.type !== 'string' || !value.type.startsWith('Action.'))
    refuse(found, pointer, 'is not an action', 'write an object with a type such as "Action.OpenUrl"');
  else if (value.type === 'Action.OpenUrl' && (typeof value.url !== 'string' || !URL.canParse(value.url)))
    refuse(found, `${pointer}/url`, 'is not an address', 'write an absolute address');
}
