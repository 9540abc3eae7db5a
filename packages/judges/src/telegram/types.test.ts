import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { judgeText } from './judge.ts';
import { readText } from './read.ts';

/** One text for each entity type that the judge reads, by its type. */
const JUDGED: Readonly<Record<string, string>> = {
  mention: '@durov_x',
  hashtag: '#night',
  cashtag: '$USD',
  bot_command: '/start',
  url: 'https://telegram.org',
  email: 'me@example.org',
  bold: '<b>a</b>',
  italic: '<i>a</i>',
  underline: '<u>a</u>',
  strikethrough: '<s>a</s>',
  spoiler: '<tg-spoiler>a</tg-spoiler>',
  blockquote: '<blockquote>a</blockquote>',
  expandable_blockquote: '<blockquote expandable>a</blockquote>',
  code: '<code>a</code>',
  pre: '<pre>a</pre>',
  text_link: '<a href="https://x.org">a</a>',
  text_mention: '<a href="tg://user?id=1">a</a>',
  custom_emoji: '<tg-emoji emoji-id="1">👍</tg-emoji>',
  date_time: '<tg-time unix="1">a</tg-time>',
};
/** Entity types that are not known here. Telegram finds telephone numbers only in texts of users. */
const NOT_KNOWN_ENTITIES = ['phone_number'];

const JUDGED_MODES = ['HTML', 'MarkdownV2'];
const NOT_KNOWN_MODES = ['Markdown'];

const file = fileURLToPath(import.meta.resolve('@grammyjs/types/message.d.ts'));
const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.ESNext, true);

/** The string literals of a type and, in an interface, of its property `type`. */
function literalsIn(node: ts.Node): string[] {
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) return [node.literal.text];
  const found: string[] = [];
  node.forEachChild((child) => void found.push(...literalsIn(child)));
  return found;
}

/** The declarations that a test of them selects. */
function declarations<T extends ts.Node>(is: (node: ts.Node) => node is T, node: ts.Node = source): T[] {
  const found = is(node) ? [node] : [];
  node.forEachChild((child) => void found.push(...declarations(is, child)));
  return found;
}

const named = (name: string) =>
  declarations(ts.isTypeAliasDeclaration).filter((alias) => alias.name.text === name);

test('each entity type of @grammyjs/types is judged, or listed as not known here', () => {
  const [union] = named('MessageEntity');
  const members = declarations(ts.isQualifiedName, union).map(({ right }) => right.text);
  expect(members.length).toBeGreaterThan(3);
  const types = declarations(ts.isInterfaceDeclaration)
    .filter(({ name }) => members.includes(name.text))
    .flatMap(({ members: fields }) => fields.filter((field) => field.name?.getText() === 'type'))
    .flatMap(literalsIn);
  expect(types.toSorted()).toEqual([...Object.keys(JUDGED), ...NOT_KNOWN_ENTITIES].toSorted());
});

test.each(Object.entries(JUDGED))('the entity type %s is read', (type, text) => {
  const reading = readText({ text, parse_mode: 'HTML' });
  expect(reading).toMatchObject({ ok: true, entities: [{ type }] });
});

test('each parse mode of @grammyjs/types is judged, or listed as not known here', () => {
  const modes = named('ParseMode').flatMap(literalsIn);
  expect(modes.toSorted()).toEqual([...JUDGED_MODES, ...NOT_KNOWN_MODES].toSorted());
  const notes = (mode: string): number => judgeText({ text: 'a', parse_mode: mode }).unknown.length;
  expect(JUDGED_MODES.map(notes)).toEqual([0, 0]);
  expect(NOT_KNOWN_MODES.map(notes)).toEqual([1]);
});
