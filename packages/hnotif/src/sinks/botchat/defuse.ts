import { isLeaf, type Node } from './markup/node.ts';

/** Word joiner: shows nothing, breaks no line, and is no letter of any name. */
const JOINER = '\u2060';

/**
 * Where Telegram would make a mention, a hashtag, a cashtag or a command of a word: after no letter, and before one. It drops
 * some invisible characters before it looks, so all beyond ASCII are taken for a letter, and the end of the text, too. The
 * first part of a path (`/var/log`) is no command.
 * https://core.telegram.org/api/entities
 */
const MENTION = /(?<![A-Za-z0-9_])@(?=[A-Za-z0-9_]|[^ -~\n\u2060]|$)/g;
const OTHERS = [
  /(?<![A-Za-z0-9_])#(?=[A-Za-z0-9_]|[^ -~\n\u2060]|$)/g,
  /(?<![A-Za-z0-9_$])\$(?=[A-Z1]|[^ -~\n\u2060]|$)/g,
  /(?<![A-Za-z0-9_/<>])\/(?!\w{1,64}\/)(?=[A-Za-z0-9_]|[^ -~\n\u2060]|$)/g,
];

/**
 * The text so that nothing in it mentions anybody, or can be tapped as a tag or a command: an invisible character stands
 * after the sign, and a reader sees the same. Within an address (`https://…`) only mentions are broken: it stays a link that
 * can be followed.
 */
export function defuseText(text: string): string {
  if (!/[@#$/]/.test(text)) return text;
  return text.replace(/[^ \n]+[ \n]?/g, (word) => {
    const signs = word.includes('://') ? [MENTION] : [MENTION, ...OTHERS];
    return signs.reduce((broken, sign) => broken.replace(sign, `$&${JOINER}`), word);
  });
}

/** `defuseText` for every text of a tree; the tree itself when there is nothing to do. */
export function defuse(nodes: readonly Node[]): readonly Node[] {
  let changed = false;
  const defused = nodes.map((node): Node => {
    const next = defuseNode(node);
    changed ||= next !== node;
    return next;
  });
  return changed ? defused : nodes;
}

function defuseNode(node: Node): Node {
  if (isLeaf(node)) {
    const text = defuseText(node.text);
    return text === node.text ? node : { ...node, text };
  }
  const children = defuse(node.children);
  return children === node.children ? node : { ...node, children };
}
