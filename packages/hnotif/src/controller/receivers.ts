import type { Clock } from '../clock.ts';
import { Transport } from '../transport/client.ts';
import type { ProxySettings } from '../transport/proxy.ts';
import type { ControllerOptions } from './options.ts';
import { OptionError } from './start-error.ts';

/** The way to receivers, as the options want it; `mayPost` is asked before each request. Throws an `OptionError` for what cannot be read. */
export function openTransport(options: ControllerOptions, clock: Clock, mayPost: () => boolean): Transport {
  const { allowInsecureHttp, ca, egressAllow, egressDeny, env } = options;
  const egress = { deny: egressDeny, allow: egressAllow };
  try {
    return new Transport({ allowInsecureHttp, ca, egress, proxy: proxyOf(env), clock, mayPost });
  } catch (error) {
    throw error instanceof TypeError ? new OptionError(error.message) : error;
  }
}

/** As curl reads them: either case, the lower one first. */
function proxyOf(env: ControllerOptions['env']): ProxySettings | undefined {
  const url = env.https_proxy ?? env.HTTPS_PROXY ?? '';
  if (url === '') return undefined;
  return { url, noProxy: env.no_proxy ?? env.NO_PROXY };
}
