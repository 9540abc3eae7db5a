import { readFileSync } from 'node:fs';
import { timingFault } from '../cluster/lease.ts';
import { displayPath } from '../cluster/display-path.ts';
import { CONTROLLER_DEFAULTS, type ControllerOptions } from '../controller/options.ts';
import { defaultPlanResource } from '@hnotif/core/resources';
import { EgressGuard } from '../transport/egress.ts';
import { refusalOf } from '../transport/refusal.ts';
import { NOT_PUBLIC } from '../transport/special-addresses.ts';
import { INSECURE_HTTP, type RunFlags } from './flags.ts';
import { FlagError } from './io.ts';
import { networkOf, overlap } from './networks.ts';
import { whyUnreadable } from './unreadable.ts';

/** Makes the controller's options from the flags. Throws a `FlagError` for a value that cannot be used. */
export function controllerOptions(flags: RunFlags, env: ControllerOptions['env']): ControllerOptions {
  const allowInsecureHttp = permitsInsecureHttp(flags, env);
  checkEgress(flags);
  checkApiUrls(flags, allowInsecureHttp);
  const fault = timingFault(flags);
  if (fault !== undefined) throw new FlagError(fault);
  const { secretTtlMs, recheckUnreadyMs, recheckReadyMs } = CONTROLLER_DEFAULTS;
  return {
    ...flags,
    planResource: flags.planResource ?? defaultPlanResource(flags.apiGroup),
    ca: flags.caFile === undefined ? undefined : readPem(flags.caFile),
    ...{ allowInsecureHttp, secretTtlMs, recheckUnreadyMs, recheckReadyMs, env },
  };
}

/** The flag, or its environment variable. */
export const permitsInsecureHttp = (
  { allowInsecureHttp }: Pick<RunFlags, 'allowInsecureHttp'>,
  env: ControllerOptions['env'],
): boolean => allowInsecureHttp ?? isTrue(env, INSECURE_HTTP);

const NEVER_PERMITTED = new EgressGuard({});

/** Refuses an --egress-allow that has no effect. */
function checkEgress({ egressAllow, egressDeny }: RunFlags): void {
  for (const allowed of egressAllow) {
    if (networkOf(allowed)?.bounds.every((address) => NEVER_PERMITTED.denial(address) !== undefined))
      throw new FlagError(
        `--egress-allow ${allowed} names link-local or metadata addresses, which are never permitted: leave it out`,
      );
    if (![...NOT_PUBLIC, ...egressDeny].some((denied) => overlap(allowed, denied)))
      throw new FlagError(
        `--egress-allow ${allowed} is public and not in --egress-deny, so it is permitted already: leave it out; to permit only some networks, add --egress-deny=0.0.0.0/0,::/0`,
      );
  }
}

/** Refuses API addresses that the egress rules do not permit. */
function checkApiUrls(
  { botApiUrl, chatApiUrl, egressAllow, egressDeny }: RunFlags,
  allowInsecureHttp: boolean,
): void {
  const guard = new EgressGuard({ deny: egressDeny, allow: egressAllow });
  for (const [name, url] of [
    ['--chat-api-url', chatApiUrl],
    ['--bot-api-url', botApiUrl],
  ] as const) {
    const refusal = refusalOf(new URL(url), guard, allowInsecureHttp);
    if (refusal !== undefined) throw new FlagError(`${name}: ${refusal.message}`);
  }
}

/** Reads a boolean environment variable. Commander would read any text as true, also `false`. */
function isTrue(env: ControllerOptions['env'], name: string): boolean {
  const text = (env[name] ?? '').toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0' || text === '') return false;
  throw new FlagError(`${name} is neither true nor false`);
}

/** The certificates of `--ca-file`. Throws a `FlagError`. */
export function readPem(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new FlagError(`--ca-file: the file${displayPath(file)} ${whyUnreadable(error)}`);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new FlagError(
      `--ca-file${displayPath(file)} holds no certificate: give a PEM file (-----BEGIN CERTIFICATE-----)`,
    );
  return text;
}
