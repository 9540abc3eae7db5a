import { hash } from 'node:crypto';
import { sinkKey, type SinkAddress } from '../../../resources/sink-address.ts';
import type { Secret } from '../../../transport/secret.ts';
import type { Rate } from '../../rate.ts';

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
    { key: `teamchat:${credentialOf(token, channel)}`, ...limit },
  ];
  return {
    rates,
    updateRates: [...rates, { key: `teamchat:${credentialOf(token)}:chat.update`, ...UPDATES }],
  };
}

/** A name for a token, and what it is used for, that tells nothing of it. */
export const credentialOf = (token: Secret, ...use: readonly string[]): string =>
  hash('sha256', JSON.stringify([token.reveal(), ...use]), 'base64url').slice(0, 22);
