/**
 * The limits of Block Kit, as the vendor documents them: https://docs.slack.dev/reference/block-kit/blocks. What is not
 * known here, be it a block or a field, passes: the chat learns new ones, and says itself what it does not take.
 */
import { kindOf } from '../config.ts';

/** Tells a fault: where, and what is wrong there. */
export type Report = (at: string, what: string) => void;

type Fields = Readonly<Record<string, unknown>>;
type Rule = (value: unknown, at: string, report: Report) => void;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Characters as Slack counts them: code points. */
const lengthOf = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

const text =
  (most: number, least = 1): Rule =>
  (value, at, report) => {
    if (typeof value !== 'string') report(at, `must be a string, found ${kindOf(value)}`);
    else if (value.length < least) report(at, 'is empty');
    else if (value.length > most && lengthOf(value) > most)
      report(at, `has ${lengthOf(value)} characters, ${most} are allowed`);
  };

const list =
  (item: Rule, most: number): Rule =>
  (value, at, report) => {
    if (!Array.isArray(value)) report(at, `must be a list, found ${kindOf(value)}`);
    else if (value.length === 0) report(at, 'is empty');
    else if (value.length > most) report(at, `has ${value.length} entries, ${most} are allowed`);
    else value.forEach((each, index) => item(each, `${at}[${index}]`, report));
  };

/** An object whose fields keep these rules. A `?` at the end of a name: it may be absent. */
const object =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value, at, report) => {
    if (!isFields(value)) {
      report(at, `must be an object, found ${kindOf(value)}`);
      return;
    }
    for (const [written, rule] of Object.entries(rules)) {
      const field = written.replace('?', '');
      if (Object.hasOwn(value, field)) rule(value[field], `${at}.${field}`, report);
      else if (written === field) report(`${at}.${field}`, 'is missing');
    }
  };

const textObject =
  (types: readonly string[], most: number): Rule =>
  (value, at, report) => {
    object({ type: anyText, text: text(most) })(value, at, report);
    if (!isFields(value)) return;
    if (typeof value.type === 'string' && !types.includes(value.type))
      report(`${at}.type`, `must be ${types.join(' or ')}`);
    if (Object.hasOwn(value, 'emoji') && value.type === 'mrkdwn')
      report(`${at}.emoji`, 'is for plain_text alone');
    if (Object.hasOwn(value, 'verbatim') && value.type === 'plain_text')
      report(`${at}.verbatim`, 'is for mrkdwn alone');
  };

const anyText = text(Infinity);
const plain = (most: number): Rule => textObject(['plain_text'], most);
const either = (most: number): Rule => textObject(['mrkdwn', 'plain_text'], most);

const image: Rule = (value, at, report) => {
  object({ alt_text: text(2000), 'image_url?': text(3000), 'title?': plain(2000) })(value, at, report);
  if (isFields(value) && value.image_url === undefined && value.slack_file === undefined)
    report(at, 'has neither image_url nor slack_file');
};

const button = object({
  text: plain(75),
  'url?': text(3000),
  'value?': text(2000, 0),
  'action_id?': text(255),
  'accessibility_label?': text(75),
});

/** What stands within blocks. */
const ELEMENTS: Readonly<Record<string, Rule>> = {
  image,
  button,
  mrkdwn: either(3000),
  plain_text: either(3000),
};

const element: Rule = (value, at, report) => {
  object({ type: anyText })(value, at, report);
  if (!isFields(value) || typeof value.type !== 'string') return;
  if (Object.hasOwn(ELEMENTS, value.type)) ELEMENTS[value.type]?.(value, at, report);
};

const section: Rule = (value, at, report) => {
  object({ 'text?': either(3000), 'fields?': list(either(2000), 10), 'accessory?': element })(
    value,
    at,
    report,
  );
  if (isFields(value) && value.text === undefined && value.fields === undefined)
    report(at, 'has neither text nor fields');
};

const contextElement: Rule = (value, at, report) => {
  element(value, at, report);
  if (
    isFields(value) &&
    typeof value.type === 'string' &&
    !['image', 'mrkdwn', 'plain_text'].includes(value.type)
  )
    report(`${at}.type`, 'must be image, mrkdwn or plain_text');
};

const anything: Rule = () => {};

/** By the block's type. */
const BLOCKS: Readonly<Record<string, Rule>> = {
  header: object({ text: plain(150) }),
  section,
  context: object({ elements: list(contextElement, 10) }),
  divider: anything,
  image,
  actions: object({ elements: list(element, 25) }),
  markdown: object({ text: text(12_000) }),
  rich_text: object({ elements: list(object({ type: anyText }), Infinity) }),
};

const MOST_BLOCKS = 50;
const LONGEST_ID = 255;
/**
 * Of all markdown blocks of a message together, those in attachments too.
 * https://docs.slack.dev/reference/block-kit/blocks/markdown-block
 */
const MOST_MARKDOWN = 12_000;

/** Reports every fault of the blocks that stand at one place of a message. */
export function checkBlocks(blocks: readonly unknown[], place: string, report: Report): void {
  if (blocks.length > MOST_BLOCKS) {
    report(place, `has ${blocks.length} entries, ${MOST_BLOCKS} are allowed`);
    return;
  }
  const ids = new Set<string>();
  blocks.forEach((block, index) => {
    const at = `${place}[${index}]`;
    object({ type: text(LONGEST_ID), 'block_id?': text(LONGEST_ID) })(block, at, report);
    if (!isFields(block) || typeof block.type !== 'string') return;
    if (typeof block.block_id === 'string') {
      if (ids.has(block.block_id)) report(`${at}.block_id`, 'is there twice');
      ids.add(block.block_id);
    }
    if (Object.hasOwn(BLOCKS, block.type)) BLOCKS[block.type]?.(block, at, report);
  });
}

/** Reports attachments that are none, and every fault of the blocks in them; their older fields pass. */
export function checkAttachments(attachments: readonly unknown[], report: Report): void {
  attachments.forEach((attachment, index) => {
    attached(attachment, `attachments[${index}]`, report);
  });
}

const attached = object({
  'blocks?': (value, at, report) => {
    if (Array.isArray(value)) checkBlocks(value, at, report);
    else report(at, `must be a list, found ${kindOf(value)}`);
  },
});

/** Reports more markdown than a message takes in all its blocks. */
export function checkMarkdown(blocks: readonly unknown[], report: Report): void {
  let markdown = 0;
  for (const block of blocks)
    if (isFields(block) && block.type === 'markdown' && typeof block.text === 'string')
      markdown += lengthOf(block.text);
  if (markdown > MOST_MARKDOWN)
    report('blocks', `have ${markdown} characters of markdown, ${MOST_MARKDOWN} are allowed`);
}
