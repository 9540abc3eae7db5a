import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { isKnownType } from './blocks.ts';

/** Types that are not known here, with the reason. */
const NOT_KNOWN: Readonly<Record<string, string>> = {
  alert: 'a block that is documented for modals alone',
};

/** Every string of a property `type` in the files of Block Kit. */
async function typesOf(name: string): Promise<string[]> {
  const file = fileURLToPath(import.meta.resolve('@slack/types')).replace(
    /index\.js$/,
    `block-kit/${name}.d.ts`,
  );
  const source = ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.ESNext, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isPropertySignature(node) &&
      node.name.getText() === 'type' &&
      node.type !== undefined &&
      ts.isLiteralTypeNode(node.type) &&
      ts.isStringLiteral(node.type.literal)
    )
      found.push(node.type.literal.text);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

test.each([
  ['blocks', 'section'],
  ['block-elements', 'button'],
  ['composition-objects', 'mrkdwn'],
])('each type in %s of @slack/types is judged, or listed as not known here', async (name, one) => {
  const types = await typesOf(name);
  expect(types).toContain(one);
  expect(types.filter((type) => !isKnownType(type) && !(type in NOT_KNOWN))).toEqual([]);
});

test('no type is listed as not known that is judged, or that Slack no longer has', async () => {
  const types = (await Promise.all(['blocks', 'block-elements', 'composition-objects'].map(typesOf))).flat();
  const listed = Object.keys(NOT_KNOWN);
  expect(listed.filter((type) => isKnownType(type) || !types.includes(type))).toEqual([]);
});
