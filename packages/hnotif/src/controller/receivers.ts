import type { Clock } from '@hnotif/core/clock';
import type { Logger } from 'pino';
import { Transport } from '../transport/client.ts';
import { proxyOf } from '../transport/proxy.ts';
import type { ControllerOptions } from './options.ts';
import { OptionError } from './start-error.ts';

/** Opens the client of receivers. It asks `mayPost` before each request. Throws an `OptionError` for an option that cannot be read. */
export function openTransport(
  options: ControllerOptions,
  { clock, log, mayPost }: { readonly clock: Clock; readonly log: Logger; readonly mayPost: () => boolean },
): Transport {
  const { allowInsecureHttp, showPrivateAnswers, ca, egressAllow, egressDeny, env } = options;
  const egress = { deny: egressDeny, allow: egressAllow };
  try {
    return new Transport({
      ...{ allowInsecureHttp, showPrivateAnswers, ca, egress, proxy: proxyOf(env), clock, mayPost },
      warn: (reason, message) => {
        log.warn({ reason }, message);
      },
    });
  } catch (error) {
    throw error instanceof TypeError ? new OptionError(error.message) : error;
  }
}
