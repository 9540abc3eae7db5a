/** Normalized trees for property tests. */
import fc from 'fast-check';
import { isLeaf, type Node, type Shape } from '../node.ts';
import { Tree } from '../tree.ts';

/** Markup of both languages, names that Telegram recognizes, graphemes of several units. */
const PIECES = [
  ...'_*[]()~`>#+-=|{}.!\\<>&"\'/@$\n ',
  ...[
    'a',
    'B7',
    'é',
    'e\u0301',
    '👍',
    '👨‍👩‍👧',
    '🇩🇪',
    '&lt;',
    '&#35;',
    '<b>',
    '</b>',
    '||',
    '__',
    '```',
    '\n>',
    '@ops',
    '#tag',
    'https://x.y/z',
  ],
];

export const someText = (most = 8): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: most }).map((pieces) => pieces.join(''));

const { nodes } = fc.letrec<{ node: Node; nodes: Node[] }>((tie) => {
  const children = tie('nodes');
  return {
    nodes: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      someText().map((text): Node => ({ kind: 'text', text })),
      someText().map((text): Node => ({ kind: 'code', text })),
      fc.record({ kind: fc.constant('pre'), language: fc.constantFrom('', 'go', 'c++'), text: someText() }),
      fc.record({ kind: fc.constantFrom('bold', 'italic', 'underline', 'strike', 'spoiler'), children }),
      fc.record({ kind: fc.constant('link'), url: someText(), children }),
      fc.record({ kind: fc.constant('emoji'), id: fc.constantFrom('1', '5368'), children }),
      fc.record({
        kind: fc.constant('time'),
        unix: fc.constant('7'),
        format: fc.constantFrom('', 'wDT'),
        children,
      }),
    ),
  };
});

/** A quote has its own lines, as in MarkdownV2. */
const paragraphs = fc.array(fc.tuple(nodes, fc.constantFrom('text', 'quote', 'expandable')), {
  maxLength: 4,
});

export const someTree: fc.Arbitrary<Node[]> = paragraphs.map((parts) => {
  const tree = new Tree();
  for (const [index, [inner, as]] of parts.entries()) {
    if (as !== 'text') tree.open({ kind: 'quote', expandable: as === 'expandable' });
    replay(inner, tree);
    if (index < parts.length - 1) tree.text('\n');
    if (as !== 'text') tree.close();
  }
  return tree.finish();
});

function replay(nodes: readonly Node[], tree: Tree): void {
  for (const node of nodes) {
    if (node.kind === 'text') tree.text(node.text);
    else {
      tree.open(shapeOf(node));
      if (isLeaf(node)) tree.text(node.text);
      else replay(node.children, tree);
      tree.close();
    }
  }
}

function shapeOf(node: Exclude<Node, { kind: 'text' }>): Shape {
  const shape: Record<string, unknown> = { ...node };
  delete shape.children;
  delete shape.text;
  return shape as Shape;
}
