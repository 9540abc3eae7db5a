/** Limits: https://docs.slack.dev/reference/block-kit/blocks, each block's page. */
import {
  accessory,
  actionElement,
  button,
  contextAction,
  contextElement,
  image,
  imageFields,
  imageSource,
  input,
  source,
} from './elements.ts';
import { isFields } from '../json.ts';
import { richText, richTextFields } from './richtext.ts';
import {
  byType,
  KNOWN_TYPES,
  flag,
  lengthOf,
  list,
  oneOf,
  object,
  someOf,
  text,
  typed,
  url,
  whole,
} from './shape.ts';
import { anyText, mrkdwn, plainText } from './texts.ts';
import type { Shape, Walk } from './walk.ts';

/** Characters of all markdown blocks in one payload: https://docs.slack.dev/reference/block-kit/blocks/markdown-block. */
export const MOST_MARKDOWN = 12_000;
const MOST_BLOCKS = 50;

const id = text(255);
const anyLength = text(Infinity);

const block = (type: string, fields: Readonly<Record<string, Shape>>, check?: Shape) =>
  typed(type, { 'block_id?': id, ...fields }, check);

const richTextObject = byType('a rich text', richText);
const cells = [
  typed('raw_text', { text: anyLength }),
  typed('raw_number', { value: number, text: anyLength }),
] as const;
const cell = byType('a table cell', ...cells, richText);

function number(value: unknown, walk: Walk): void {
  if (typeof value !== 'number') walk.mismatch('must provide a number', 'a number', value);
}

const uniqueActions: Shape = (value, walk) => {
  if (!isFields(value) || !Array.isArray(value.elements)) return;
  unique(value.elements, 'action_id', walk, 'elements');
};

/** Blocks that stand in a container, too. */
const plainBlocks = [
  block('header', { text: plainText(150) }),
  block(
    'section',
    {
      'text?': anyText(3000),
      'fields?': list(anyText(2000), 10),
      'accessory?': accessory,
      'expand?': flag,
    },
    someOf('text', 'fields'),
  ),
  block('context', { elements: list(contextElement, 10) }),
  block('divider', {}),
  block('actions', { elements: list(actionElement, 25) }, uniqueActions),
  block('image', { ...imageFields, 'title?': plainText(2000) }, imageSource),
  block('rich_text', richTextFields),
  block('table', {
    rows: list(list(cell, 20), 100),
    'column_settings?': list(
      object({ 'align?': oneOf('left', 'center', 'right'), 'is_wrapped?': flag }),
      20,
      0,
    ),
  }),
  block('video', {
    video_url: url,
    thumbnail_url: url,
    alt_text: anyLength,
    title: plainText(199),
    'title_url?': url,
    'author_name?': text(49),
    'provider_name?': anyLength,
    'provider_icon_url?': url,
    'description?': plainText(Infinity),
  }),
  block('file', { source: oneOf('remote'), external_id: anyLength }),
  block('input', {
    label: plainText(2000),
    element: input,
    'hint?': plainText(2000),
    'optional?': flag,
    'dispatch_action?': flag,
  }),
];

const card = block(
  'card',
  {
    'hero_image?': image,
    'icon?': image,
    'title?': mrkdwn(150),
    'subtitle?': mrkdwn(150),
    'body?': mrkdwn(200),
    'actions?': list(button, Infinity),
  },
  someOf('hero_image', 'title', 'actions', 'body'),
);

const taskCard = block('task_card', {
  task_id: anyLength,
  title: anyLength,
  'details?': richTextObject,
  'output?': richTextObject,
  'sources?': list(source, Infinity, 0),
  'status?': oneOf('pending', 'in_progress', 'complete', 'error'),
});

const anyBlock = byType(
  'a block',
  ...plainBlocks,
  card,
  taskCard,
  block('carousel', { elements: list(byType('a card', card), 10) }),
  block(
    'container',
    {
      'title?': plainText(150),
      'rich_text_title?': richTextObject,
      'subtitle?': anyText(150),
      child_blocks: list(byType('a block in a container', ...plainBlocks), 10),
      'width?': oneOf('narrow', 'standard', 'wide', 'full'),
      'icon?': image,
      'is_collapsible?': flag,
      'default_collapsed?': flag,
      'has_header_divider?': flag,
    },
    someOf('title', 'rich_text_title'),
  ),
  block('context_actions', { elements: list(contextAction, 5) }),
  block('data_table', {
    // The number of rows is not known: documents differ.
    rows: list(list(cell, Infinity), Infinity),
    caption: anyLength,
    'page_size?': whole(1, 100),
    'row_header_column_index?': whole(0),
  }),
  block('markdown', { text: text(MOST_MARKDOWN) }),
  block('plan', { title: anyLength, 'tasks?': list(byType('a task', taskCard), Infinity, 0) }),
);

/** Whether the judge knows a type of block, of element or of rich text. */
export const isKnownType = (type: string): boolean => KNOWN_TYPES.has(type);

const blockList = list(anyBlock, MOST_BLOCKS, 0);

/** The list of blocks of a message or an attachment. */
export const blocksShape: Shape = (value, walk) => {
  blockList(value, walk);
  if (Array.isArray(value) && value.length <= MOST_BLOCKS) unique(value, 'block_id', walk);
};

/** Ids that are there twice. `path`: the list within the present value. */
function unique(items: readonly unknown[], name: string, walk: Walk, ...path: string[]): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const found = isFields(item) ? item[name] : undefined;
    if (typeof found !== 'string') continue;
    if (seen.has(found))
      walk.fault(
        `\`${name}\` must be unique: ${found}`,
        `has the ${name} of another one`,
        `write another ${name}, or none`,
        ...path,
        index,
        name,
      );
    seen.add(found);
  }
}

/**
 * The cost limit of all blocks of a message: their texts in code points, plus a constant for each block. Not documented. In practice a
 * markdown block alone may have 13,297 characters, with a divider 13,172 (slackapi/bolt-js#2509).
 */
export const MOST_COST = 13_422;
const BLOCK_COST = 125;

/** The cost of blocks, if it is above the limit; else no more than the limit. */
export function costOf(blocks: readonly unknown[]): number {
  const constant = BLOCK_COST * blocks.length;
  // Code points are no more than UTF-16 units, which are counted faster.
  const most = constant + textLength(blocks, (shown) => shown.length);
  return most > MOST_COST ? constant + textLength(blocks, lengthOf) : most;
}

/** The length of all visible texts of a value: every string with the name `text`, at any depth. */
export function textLength(value: unknown, count: (text: string) => number = lengthOf): number {
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const name of Object.keys(value)) {
    const each = (value as Record<string, unknown>)[name];
    sum += typeof each === 'string' ? (name === 'text' ? count(each) : 0) : textLength(each, count);
  }
  return sum;
}
