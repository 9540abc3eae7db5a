/** Text objects: https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
import { anything, flag, notHere, object, oneOf, ofTypes, visible } from './shape.ts';
import type { Shape } from './walk.ts';

/** Without markup. */
export const plainText = (most: number): Shape =>
  object(
    { type: oneOf('plain_text'), text: visible(most), 'emoji?': flag, 'verbatim?': anything },
    notHere('verbatim', 'mrkdwn'),
  );

/** With markup. */
export const mrkdwn = (most: number): Shape =>
  object(
    { type: oneOf('mrkdwn'), text: visible(most), 'verbatim?': flag, 'emoji?': anything },
    notHere('emoji', 'plain_text'),
  );

/** Of either kind. */
export function anyText(most: number): Shape {
  const shape = ofTypes('a text', ['plain_text', plainText(most)], ['mrkdwn', mrkdwn(most)]);
  return (value, walk) => {
    walk.union(shape, value);
  };
}
