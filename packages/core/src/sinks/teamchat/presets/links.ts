import type { PlanView } from '../../../resources/plan-view.ts';
import { escapeSlack } from '../../../render/escape.ts';
import { linksOf } from '../../../resources/links.ts';

/**
 * The links of a message, each as mrkdwn. No buttons: Slack tells an app of each click on one, and shows a warning beside it where
 * the app does not answer. https://docs.slack.dev/reference/block-kit/block-elements/button-element
 */
export const linkTexts = ({ annotations, notification }: PlanView): string[] =>
  linksOf(annotations, notification).map(({ label, url }) => `<${escapeSlack(url)}|${label}>`);
