/** What chat.postMessage and incoming webhooks take: https://docs.slack.dev/reference/methods/chat.postMessage */
import { verdictOf, type Unknown, type Verdict } from '../verdict.ts';
import { blocksShape, costOf, MOST_COST, MOST_MARKDOWN, textLength } from './blocks.ts';
import { DEEPEST, isFields, jsonFault, kindOf, parse, pointerOf, type Fields } from '../json.ts';
import { anything, object, text } from './shape.ts';
import { Walk, type Shape, type SlackError, type SlackFault } from './walk.ts';

/** https://docs.slack.dev/reference/methods/chat.postMessage, errors */
const MOST_ATTACHMENTS = 100;

/** A message as Slack reads it. */
export interface MessageReading {
  /** Empty if Slack takes the message. Those of the same error as the first are in Slack's answer. */
  readonly faults: readonly SlackFault[];
  readonly unknown: readonly Unknown[];
  /** The message with its lists; empty if it is no object, or no JSON that Slack reads. */
  readonly fields: Fields;
  readonly blocks: readonly Fields[];
  readonly attachments: readonly Fields[];
}

/** Whether Slack takes a message: an object with `text`, `blocks`, `attachments` and more. Lists may be JSON, as in forms. */
export function judgeMessage(message: unknown): Verdict {
  const { faults, unknown } = readMessage(message);
  return verdictOf(faults, unknown);
}

export function readMessage(message: unknown): MessageReading {
  const walk = new Walk();
  const nothing = { faults: walk.faults, unknown: walk.unknown, fields: {}, blocks: [], attachments: [] };
  if (!isFields(message)) {
    walk.mismatch('must provide an object', 'an object', message);
    return nothing;
  }
  const lists = { blocks: listIn(message.blocks), attachments: attachmentsIn(message.attachments) };
  const fields = { ...message, ...lists };
  const broken = jsonFault(fields);
  if (broken !== undefined) {
    const isDeep = broken.what === 'depth';
    // The whole path of a deep value would be long.
    const pointer = pointerOf(isDeep ? broken.path.slice(0, 2) : broken.path);
    walk.faults.push(
      isDeep ? wholeFault('invalid_json', TOO_DEEP, pointer) : wholeFault('invalid_json', HALF, pointer),
    );
    return nothing;
  }
  argumentsShape(message, walk);
  const blocks = fieldsOf(walk, 'invalid_blocks_format', '/blocks', lists.blocks);
  const attachments = fieldsOf(walk, 'invalid_attachments', '/attachments', lists.attachments);
  if (attachments.length > MOST_ATTACHMENTS)
    walk.faults.push(
      wholeFault(
        'too_many_attachments',
        [`has ${attachments.length} items; ${MOST_ATTACHMENTS} are allowed`, 'leave out some items'],
        '/attachments',
      ),
    );
  else {
    walk.error = 'invalid_blocks';
    walk.into('blocks', blocksShape, blocks);
    walk.error = 'invalid_attachments';
    walk.into('attachments', attachmentsShape, attachments);
  }
  if (walk.faults.length === 0) walk.faults.push(...faultsOfWhole(message, blocks, attachments));
  return { faults: walk.faults, unknown: walk.unknown, fields, blocks, attachments };
}

type Words = readonly [rule: string, remedy: string];

const TOO_DEEP: Words = [
  `is nested deeper than the ${DEEPEST} levels that a message may have`,
  'write a flatter value',
];
const HALF: Words = [
  'holds half a surrogate pair, such as "\\ud83d" alone, which is not a character',
  'write whole characters',
];

/** A fault that Slack names by its error alone. */
const wholeFault = (error: SlackError, [rule, remedy]: Words, pointer = ''): SlackFault => ({
  place: { pointer },
  rule,
  error,
  remedy,
});

const string = text(Infinity, 0);
const optional =
  (shape: Shape): Shape =>
  (value, walk) => {
    if (value != null) shape(value, walk);
  };

const FORM_FLAGS: ReadonlySet<unknown> = new Set(['true', 'false', '0', '1', 0, 1]);

/** A boolean, or how forms write it. */
const flag: Shape = (value, walk) => {
  if (typeof value !== 'boolean' && !FORM_FLAGS.has(value))
    walk.mismatch('must be a boolean', 'a boolean', value);
};

const named = (names: string, shape: Shape): Record<string, Shape> =>
  Object.fromEntries(names.split(' ').map((name) => [`${name}?`, optional(shape)]));

/** Lists are judged by themselves. Where a message goes is no part of the judgement. */
const argumentsShape = object({
  ...named('text username icon_emoji icon_url parse', string),
  ...named('mrkdwn unfurl_links unfurl_media link_names', flag),
  ...named('blocks attachments metadata token channel ts thread_ts reply_broadcast as_user', anything),
  ...named('client_msg_id response_type replace_original delete_original', anything),
});

/** A list, or its JSON text; an empty list without one. Another value is returned as it is. */
function listIn(value: unknown): unknown {
  if (value == null || value === '') return [];
  return typeof value === 'string' ? (parse(value) ?? value) : value;
}

/** Blocks in attachments may be JSON, too. */
function attachmentsIn(value: unknown): unknown {
  const list = listIn(value);
  if (!Array.isArray(list)) return list;
  return list.map((each: unknown) =>
    isFields(each) && typeof each.blocks === 'string' ? { ...each, blocks: listIn(each.blocks) } : each,
  );
}

/** The objects in a list; empty with a fault. */
function fieldsOf(walk: Walk, error: SlackError, pointer: string, value: unknown): readonly Fields[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const odd = list.findIndex((each) => !isFields(each));
  if (Array.isArray(value) && odd < 0) return list as readonly Fields[];
  const [kind, at, found] =
    odd < 0 ? ['a list', pointer, value] : ['an object', `${pointer}/${odd}`, list[odd]];
  walk.faults.push(wholeFault(error, [`must be ${kind}, found ${kindOf(found)}`, `write ${kind}`], at));
  return [];
}

/**
 * The blocks in attachments; their older fields are not judged. In practice errors there are called `invalid_attachments`
 * (slackapi/bolt-js#717), and the list of errors may be empty (slackapi/java-slack-sdk#415).
 */
const attachmentsShape: Shape = (value, walk) => {
  for (const [index, { blocks }] of (value as readonly Fields[]).entries())
    walk.into(index, (list) => walk.into('blocks', blocksShape, list), listIn(blocks));
};

/** The faults of a message whose parts are all valid. */
function faultsOfWhole(
  message: Fields,
  blocks: readonly Fields[],
  attachments: readonly Fields[],
): SlackFault[] {
  const all = [...blocks, ...attachments.flatMap((each) => listIn(each.blocks) as readonly Fields[])];
  const faults: SlackFault[] = [];
  const [, second] = tablesIn(blocks, '/blocks').concat(
    attachments.flatMap((each, at) => tablesIn(listIn(each.blocks), `/attachments/${at}/blocks`)),
  );
  if (second !== undefined)
    faults.push({
      ...wholeFault('invalid_attachments', ['is a second table; one is allowed', 'send one table'], second),
      explanation: 'only_one_table_allowed',
    });
  const markdown = textLength(all.filter(({ type }) => type === 'markdown'));
  if (markdown > MOST_MARKDOWN)
    faults.push(
      wholeFault('msg_blocks_too_long', [
        `has ${markdown} characters in its markdown blocks; ${MOST_MARKDOWN} are allowed`,
        'write shorter texts',
      ]),
    );
  // It is unknown whether the texts in attachments count.
  const cost = costOf(blocks);
  if (cost > MOST_COST)
    faults.push(
      wholeFault(
        'msg_blocks_too_long',
        [
          `have ${cost} characters, of which each block counts 125; ${MOST_COST} are allowed`,
          'write shorter texts',
        ],
        '/blocks',
      ),
    );
  if (
    blocks.length === 0 &&
    !hasText(message.text) &&
    message.markdown_text == null &&
    !attachments.some(showsSomething)
  )
    faults.push(
      wholeFault('no_text', [
        'has no text, no blocks and no attachment that shows something',
        'add one of them',
      ]),
    );
  return faults;
}

const hasText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** The pointers of the tables. */
function tablesIn(blocks: unknown, at: string): string[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((each: Fields, index) => {
    if (each.type === 'table') return [`${at}/${index}`];
    return each.type === 'container' ? tablesIn(each.child_blocks, `${at}/${index}/child_blocks`) : [];
  });
}

/** https://docs.slack.dev/messaging/formatting-message-text#secondary-attachments */
const SEEN = ['text', 'fallback', 'pretext', 'title', 'author_name', 'footer', 'image_url', 'thumb_url'];

/** Whether readers see something of an attachment: its blocks, or one of its older fields. */
const showsSomething = (attachment: Fields): boolean =>
  [attachment.blocks, attachment.fields].some((each) => (listIn(each) as { length?: number }).length !== 0) ||
  SEEN.some((name) => hasText(attachment[name]));
