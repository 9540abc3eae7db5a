import type { Answer } from '../requests/reply.ts';

/** Whether the answer is a web page. By its body only: Slack sends its `ok` as text/html. https://github.com/slackapi/node-slack-sdk/pull/480 */
export const isHtmlPage = ({ body }: Pick<Answer, 'body'>): boolean =>
  /^\s*<(?:!--|(?:!doctype|html|head|body|title|h1|center|\?xml)\b)/i.test(body.replace(/^\ufeff/, ''));
