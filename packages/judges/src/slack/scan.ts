import { entitiesOf, shortcodes, type Entity, type Reading } from './mrkdwn.ts';
import { isFields, type Fields } from '../json.ts';

/** The entities of a message's texts: its `text`, all its blocks, its attachments. */
export function entitiesOfMessage(message: Fields): Entity[] {
  const { text, blocks, attachments, parse, link_names: names } = message;
  const full = parse === 'full';
  // A `text` is read though `mrkdwn` is false, since angle brackets may still have their meaning then, and though
  // there are blocks, since notifications show it. `parse: none` leaves bare addresses alone.
  const reading = { links: parse !== 'none', names: full || names === true || names === '1', emoji: true };
  return [
    ...(typeof text === 'string' ? entitiesOf(text, '/text', reading) : []),
    ...each(blocks, '/blocks', scanBlock),
    ...each(attachments, '/attachments', scanAttachment),
  ];
}

function each(list: unknown, at: string, scan: (value: Fields, at: string) => Entity[]): Entity[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index) => (isFields(value) ? scan(value, `${at}/${index}`) : []));
}

function scanBlock(block: Fields, at: string): Entity[] {
  if (block.type === 'rich_text') return each(block.elements, `${at}/elements`, scanRichText);
  if (block.type === 'markdown' && typeof block.text === 'string') return markdown(block.text, `${at}/text`);
  return scanObject(block, at);
}

/** Text objects at any depth. */
function scanObject(value: Fields, at: string): Entity[] {
  const { type, text } = value;
  if (typeof text === 'string') {
    const reading: Reading = { links: value.verbatim !== true, names: false, emoji: true };
    if (type === 'mrkdwn') return entitiesOf(text, `${at}/text`, reading);
    // `emoji` is true by default.
    if (type === 'plain_text') return value.emoji === false ? [] : shortcodes(text, `${at}/text`);
  }
  return Object.entries(value).flatMap(([name, inside]) => {
    const where = `${at}/${name}`;
    if (isFields(inside))
      return inside.type === 'rich_text' ? scanBlock(inside, where) : scanObject(inside, where);
    if (!Array.isArray(inside)) return [];
    return inside.some(Array.isArray)
      ? inside.flatMap((row, index) => each(row, `${where}/${index}`, scanBlock)) // A table's rows.
      : each(inside, where, scanBlock);
  });
}

function scanRichText(element: Fields, at: string): Entity[] {
  const { type } = element;
  const string = (name: string): string => (typeof element[name] === 'string' ? element[name] : '');
  switch (type) {
    case 'user':
      return [{ kind: 'mention', who: `@${string('user_id')}`, at }];
    case 'usergroup':
      return [{ kind: 'mention', who: `!subteam^${string('usergroup_id')}`, at }];
    case 'broadcast':
      return [{ kind: 'mention', who: `!${string('range')}`, at }];
    case 'channel':
      return [{ kind: 'channel', id: string('channel_id'), at }];
    case 'emoji':
      return [{ kind: 'emoji', name: string('name'), at }];
    case 'link':
      return [{ kind: 'link', url: string('url'), label: string('text') || string('url'), auto: false, at }];
    case 'date': {
      const { timestamp, url } = element;
      const unix = typeof timestamp === 'number' ? timestamp : NaN;
      const [format, fallback] = [string('format'), string('fallback')];
      return [{ kind: 'date', unix, format, fallback, url: typeof url === 'string' ? url : undefined, at }];
    }
    default:
      return each(element.elements, `${at}/elements`, scanRichText);
  }
}

/** Standard Markdown: its own links, and Slack's angle brackets. */
function markdown(text: string, at: string): Entity[] {
  const links = [...text.matchAll(/\[([^[\]\n]{0,500})\]\(([^()\s]{1,3000})(?:\s[^()\n]{0,500})?\)/g)].map(
    ([, label = '', url = '']): Entity => ({ kind: 'link', url, label, auto: false, at }),
  );
  return [...links, ...entitiesOf(text, at, { links: true, names: false, emoji: true })];
}

/** https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
function scanAttachment(attachment: Fields, at: string): Entity[] {
  const reading = { links: true, names: false, emoji: true };
  const texts = ['fallback', 'pretext', 'author_name', 'title', 'text', 'footer'].flatMap((name) => {
    const text = attachment[name];
    return typeof text === 'string' ? entitiesOf(text, `${at}/${name}`, reading) : [];
  });
  const fields = each(attachment.fields, `${at}/fields`, ({ title, value }, where) => [
    ...(typeof title === 'string' ? entitiesOf(title, `${where}/title`, reading) : []),
    ...(typeof value === 'string' ? entitiesOf(value, `${where}/value`, reading) : []),
  ]);
  return [...texts, ...fields, ...each(attachment.blocks, `${at}/blocks`, scanBlock)];
}
