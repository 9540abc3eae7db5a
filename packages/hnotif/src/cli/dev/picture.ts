import { botchatMessages, pageHtml, teamchatMessages, type Body } from '@hnotif/receivers';
import type { SinkType } from '../../resources/kinds.ts';
import { photograph } from './photograph.ts';

export { NoPicture } from './photograph.ts';

/** CSS pixels. */
const WIDTHS = { teamchat: 720, botchat: 560 } as const;

/** A PNG of messages as readers of the chat see them. `bodies`: of the requests, in order. `now`: milliseconds since the epoch. */
export function pictureOf(
  type: Exclude<SinkType, 'webhook'>,
  bodies: readonly Body[],
  title: string,
  now: number,
): Promise<Uint8Array> {
  const view = { now, timezone: 'UTC', title };
  const html =
    type === 'teamchat'
      ? pageHtml({ ...view, chat: 'teamchat', messages: teamchatMessages(bodies, now) })
      : pageHtml({ ...view, chat: 'botchat', messages: botchatMessages(bodies, now) });
  return photograph(html, WIDTHS[type]);
}
