import type { Logger } from 'pino';
import { DEFAULT_API_GROUP, defaultPlanResource } from '@hnotif/core/resources';
import { startController, type Controller } from '../../controller/controller.ts';
import { CONTROLLER_DEFAULTS, type ControllerOptions } from '../../controller/options.ts';
import { StartError } from '../../controller/start-error.ts';
import { LOOPBACK } from '../../transport/special-addresses.ts';
import type { DevFlags } from '../dev-flags.ts';
import type { Ports } from './ports.ts';
import type { Receivers } from './receivers.ts';

/** Where everything listens that `hnotif dev` starts. */
export const DEV_HOST = '127.0.0.1';

/**
 * Its control plane ends with it, so no other process waits for its Lease: it keeps the Lease while Ctrl-Z or a sleeping machine stops it
 * (milliseconds).
 */
const LEASE_MS = 7 * 86_400_000;

type DevOptions = Omit<ControllerOptions, 'metricsAddress' | 'healthAddress'>;

const optionsOf = (kubeconfig: string, { teamchat, botchat }: Receivers): DevOptions => ({
  ...CONTROLLER_DEFAULTS,
  kubeconfig,
  apiGroup: DEFAULT_API_GROUP,
  planResource: defaultPlanResource(DEFAULT_API_GROUP),
  leaseNamespace: 'default',
  ...{ leaseDurationMs: LEASE_MS, renewDeadlineMs: LEASE_MS - 1_000 },
  hostName: 'hnotif-dev',
  allowInsecureHttp: true,
  egressAllow: LOOPBACK,
  showPrivateAnswers: true,
  chatApiUrl: teamchat.apiUrl,
  botApiUrl: botchat.origin,
  statusIntervalMs: 1_000,
  env: {},
});

/** Starts the controller on ports that are free. Its errors name the flag of a port that is taken. */
export function startDevController(
  flags: DevFlags,
  ports: Ports,
  receivers: Receivers,
  kubeconfig: string,
  log: Logger,
): Promise<Controller> {
  const options = optionsOf(kubeconfig, receivers);
  const isTaken = (flag: string) => (error: unknown) =>
    error instanceof StartError && error.message.startsWith('cannot listen') && error.message.includes(flag);
  const start = (metrics: number, health: number): Promise<Controller> => {
    const metricsAddress = { host: DEV_HOST, port: metrics };
    return startController(
      { ...options, metricsAddress, healthAddress: { host: DEV_HOST, port: health } },
      log,
    );
  };
  return ports.listen(
    'metrics',
    flags.metricsPort,
    (metrics) =>
      ports.listen(
        'health',
        flags.healthPort,
        (health) => start(metrics, health),
        isTaken('--health-address'),
      ),
    isTaken('--metrics-address'),
  );
}
