import { accessory, action, contextElement } from './elements.ts';
import { richText } from './richtext.ts';
import {
  byType,
  flag,
  isFields,
  list,
  object,
  oneOf,
  text,
  url,
  type Fields,
  type Report,
  type Shape,
} from './shape.ts';
import { anyText, plainText } from './texts.ts';

// Limits: https://docs.slack.dev/reference/block-kit/blocks, each block's page.

/** Blocks in one message. */
const MOST_BLOCKS = 50;

/**
 * The cost limit of all blocks of a message: their texts in code points, plus a constant for each block. Not documented. In practice a
 * markdown block alone may have 13,297 characters, with a divider 13,172 (slackapi/bolt-js#2509).
 */
const MOST_COST = 13_422;
const BLOCK_COST = 125;

/**
 * Characters of all markdown blocks in one payload: https://docs.slack.dev/reference/block-kit/blocks/markdown-block.
 * The real Slack has accepted more (above), but that is not documented.
 */
const MOST_MARKDOWN = 12_000;

const block = (type: string, fields: Readonly<Record<string, Shape>>): [string, Shape] => [
  type,
  object({ type: oneOf(type), 'block_id?': text(255), ...fields }),
];

const cell: Shape = byType(
  new Map([
    ['raw_text', object({ type: oneOf('raw_text'), text: text(2000) })],
    ['rich_text', object({ type: oneOf('rich_text'), elements: list(richText, 100) })],
  ]),
);

const anyBlock = byType(
  new Map([
    block('header', { text: plainText(150) }),
    block('section', {
      'text?': anyText(3000),
      'fields?': list(anyText(2000), 10),
      'accessory?': accessory,
      'expand?': flag,
    }),
    block('context', { elements: list(contextElement, 10) }),
    block('divider', {}),
    block('actions', { elements: list(action, 25) }),
    block('image', {
      alt_text: text(2000),
      'image_url?': url(),
      'slack_file?': object({ 'id?': text(255), 'url?': url() }),
      'title?': plainText(2000),
    }),
    block('markdown', { text: text(MOST_MARKDOWN) }),
    block('rich_text', { elements: list(richText, 100) }),
    block('table', {
      rows: list(list(cell, 20), 100),
      'column_settings?': list(
        object({ 'align?': oneOf('left', 'center', 'right'), 'is_wrapped?': flag }),
        20,
        0,
      ),
    }),
  ]),
);

/** Reports the errors of the blocks at a place of a message: `/blocks`. */
export function checkBlocks(blocks: readonly Fields[], place: string, report: Report): void {
  if (blocks.length > MOST_BLOCKS) report(`no more than ${MOST_BLOCKS} items allowed`, place);
  const ids = new Set<string>();
  blocks.forEach((each, index) => {
    const at = `${place}/${index}`;
    anyBlock(each, at, report);
    if (each.type === 'section' && each.text === undefined && each.fields === undefined)
      report('must define either `text` or `fields`', `${at}/type`);
    if (each.type === 'image' && (each.image_url === undefined) === (each.slack_file === undefined))
      report('must define either `image_url` or `slack_file`', `${at}/type`);
    checkIds(each, at, ids, report);
  });
}

function checkIds(block: Fields, at: string, ids: Set<string>, report: Report): void {
  const { block_id: id, elements } = block;
  if (typeof id === 'string') {
    if (ids.has(id)) report(`\`block_id\` must be unique: ${id}`, `${at}/block_id`);
    ids.add(id);
  }
  if (block.type !== 'actions' || !Array.isArray(elements)) return;
  const actions = new Set<string>();
  elements.forEach((each: unknown, index) => {
    if (!isFields(each) || typeof each.action_id !== 'string') return;
    if (actions.has(each.action_id))
      report(`\`action_id\` must be unique: ${each.action_id}`, `${at}/elements/${index}/action_id`);
    actions.add(each.action_id);
  });
}

/**
 * Whether all blocks together are too long for one message, if each of them is valid. `attached`: the blocks in attachments, of which the
 * markdown counts. It is unknown whether their other texts count.
 */
export function tooLong(blocks: readonly Fields[], attached: readonly Fields[]): boolean {
  const cost = blocks.reduce((sum, each) => sum + BLOCK_COST + textLength(each), 0);
  const markdown = [...blocks, ...attached].filter(({ type }) => type === 'markdown');
  return cost > MOST_COST || textLength(markdown) > MOST_MARKDOWN;
}

/** Code points of all visible texts of a block: every string with the name `text`, at any depth. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + textLength(each), 0);
  if (!isFields(value)) return 0;
  return Object.entries(value).reduce((sum, [name, each]) => {
    if (typeof each === 'string') return name === 'text' ? sum + [...each].length : sum;
    return sum + textLength(each);
  }, 0);
}
