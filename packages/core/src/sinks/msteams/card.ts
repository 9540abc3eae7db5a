import { CARD_TYPE } from '@hnotif/judges/msteams';
import type { Link } from '../../resources/links.ts';

/** A text that is shown as it is: no Markdown, no mention. https://adaptivecards.io/explorer/TextRun.html */
interface TextRun {
  readonly type: 'TextRun';
  readonly text: string;
  readonly weight?: 'Bolder';
  readonly size?: 'Medium';
}

export interface Line {
  readonly type: 'RichTextBlock';
  readonly spacing?: 'Small';
  readonly inlines: readonly [TextRun];
}

/** A text with Markdown. https://adaptivecards.io/explorer/TextBlock.html */
export interface TextBlock {
  readonly type: 'TextBlock';
  readonly text: string;
  readonly wrap: true;
}

/** https://adaptivecards.io/explorer/AdaptiveCard.html */
export interface Card {
  readonly $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
  readonly type: 'AdaptiveCard';
  readonly version: '1.4';
  readonly msteams: { readonly width: 'Full' };
  readonly body: readonly (Line | TextBlock)[];
  readonly actions: readonly {
    readonly type: 'Action.OpenUrl';
    readonly title: string;
    readonly url: string;
  }[];
}

/** https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
export interface TeamsMessage {
  readonly type: 'message';
  readonly attachments: readonly [{ readonly contentType: typeof CARD_TYPE; readonly content: Card }];
}

export const line = (text: string, index: number): Line =>
  index === 0
    ? { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, weight: 'Bolder', size: 'Medium' }] }
    : { type: 'RichTextBlock', spacing: 'Small', inlines: [{ type: 'TextRun', text }] };

export const textBlock = (text: string): TextBlock => ({ type: 'TextBlock', text, wrap: true });

export const cardOf = (body: Card['body'], links: readonly Link[]): Card => ({
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  version: '1.4',
  msteams: { width: 'Full' },
  body,
  actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
});

export const messageOf = (content: Card): TeamsMessage => ({
  type: 'message',
  attachments: [{ contentType: CARD_TYPE, content }],
});
