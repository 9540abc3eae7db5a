import { cutText, type Fitted } from '../../render/cut.ts';

/** Slack cuts a longer text. https://docs.slack.dev/changelog/2018-truncating-really-long-messages */
export const LONGEST_TEXT = 40_000;

/** A text as Slack takes it. */
export const fitText = (text: string): Fitted => cutText(text, LONGEST_TEXT) as Fitted;
