import { teamchatRefusal } from '@hnotif/receivers';
import type { TemplateMessage } from '../../sinks/teamchat/types.ts';

/** Why the simulated Slack would refuse a message, in Slack's words; undefined: it accepts the message. */
export const refusalOf = (message: TemplateMessage): string | undefined =>
  // As JSON, as in a request.
  teamchatRefusal(JSON.parse(JSON.stringify(message)));
