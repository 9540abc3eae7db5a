import { byType, either, flag, object, oneOf, text, type Shape } from './shape.ts';

/** A text object without markup. https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
export function plainText(max: number): Shape {
  return object({ type: oneOf('plain_text'), text: text(max), 'emoji?': flag });
}

/** A text object of either kind. `emoji` is only for plain texts and `verbatim` only for mrkdwn; otherwise they are refused. */
export function anyText(max: number): Shape {
  return either(
    byType(
      new Map([
        ['plain_text', plainText(max)],
        ['mrkdwn', object({ type: oneOf('mrkdwn'), text: text(max), 'verbatim?': flag })],
      ]),
    ),
  );
}
