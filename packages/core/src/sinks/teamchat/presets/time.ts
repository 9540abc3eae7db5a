import { Time, formatTime, loadLocation } from '@hnotif/gotemplate';
import { cutAtGrapheme } from '../../../render/cut.ts';
import { escapeSlack } from '../../../render/escape.ts';
import { oneLine } from '../../../render/one-line.ts';
import { name } from '../mrkdwn.ts';
import type { PresetOptions } from '../types.ts';

/** Where a time without a zone of its own is shown, and for readers whose client cannot show a date token. */
const FALLBACK = '2006-01-02 15:04:05 MST';

/** Shares no element with the reference time: another month, day, hour, offset and so on, and a fraction that is not nothing. */
const OTHER = Time.fromDate(new Date('1987-11-21T09:38:49.123Z'));

/** Whether a layout has an element of Go's reference time, so that it shows different times differently. */
export const hasElement = (layout: string): boolean => formatTime(OTHER, layout) !== layout;

/** Whether the zone has rules that we know. `Local` is not valid: the service's own zone means nothing to users. */
export const isZone = (name: string): boolean => name !== '' && loadLocation(name) !== undefined;

/** A layout is text of the configuration: its emphasis stays, but it makes no mentions. */
const plain = (text: string): string => escapeSlack(cutAtGrapheme(oneLine(text.toWellFormed()), 300));

/**
 * A time (RFC 3339) as `time_display` wants it, in mrkdwn. `slack_dynamic` is a date token, which each reader sees in the own
 * zone and language: https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function shownTime(
  timestamp: string,
  { timeDisplay, timezone, timeLayout }: Pick<PresetOptions, 'timeDisplay' | 'timezone' | 'timeLayout'>,
): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return name(timestamp, 60);
  const time = Time.fromDate(date);
  const shown = (zone: string, layout: string): string =>
    plain(formatTime(time.in(loadLocation(zone) ?? time.location), layout));
  switch (timeDisplay) {
    case 'slack_dynamic':
      return `<!date^${time.unix()}^{date_short_pretty} {time_secs}|${shown('UTC', FALLBACK)}>`;
    case 'fixed':
      return shown(timezone, timeLayout);
    case 'utc':
      return shown('UTC', timeLayout);
  }
}
