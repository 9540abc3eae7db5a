import { checkTeamchatMessage } from '@hnotif/receivers';
import type { TemplateMessage } from '../../sinks/teamchat/types.ts';

/** Why the simulated Slack would refuse a message, in Slack's words; undefined: it accepts the message. */
export function refusalOf(message: TemplateMessage): string | undefined {
  // As JSON, as in a request.
  const { error, errors } = checkTeamchatMessage(JSON.parse(JSON.stringify(message)));
  if (error === undefined) return undefined;
  const details = errors.filter((text) => text !== error);
  return details.length === 0 ? error : `${error}: ${details.join('; ')}`;
}
