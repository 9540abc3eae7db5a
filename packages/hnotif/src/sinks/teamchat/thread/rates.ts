import { sinkKey, type SinkAddress } from '../../../resources/sink-address.ts';
import type { Secret } from '../../../transport/secret.ts';
import { sharedKey, type Rate } from '../../rate.ts';

/** chat.update is of tier 3, 50 and more a minute. https://docs.slack.dev/apis/web-api/rate-limits/ */
const UPDATES = { perSecond: 50 / 60, burst: 10 };

/** The buckets of a sink in thread mode: its own, one for all sinks that post with the token to the channel; for updates one more. */
export function threadRates(
  address: SinkAddress,
  token: Secret,
  channel: string,
  limit: { readonly perSecond: number; readonly burst: number },
): { readonly rates: readonly Rate[]; readonly updateRates: readonly Rate[] } {
  const rates = [
    { key: sinkKey(address), ...limit },
    { key: sharedKey('teamchat', token.reveal(), channel), ...limit },
  ];
  return {
    rates,
    updateRates: [...rates, { key: `${sharedKey('teamchat', token.reveal())}:chat.update`, ...UPDATES }],
  };
}
