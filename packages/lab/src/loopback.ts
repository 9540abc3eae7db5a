import { DEFAULT_API_GROUP, defaultPlanResource } from '@hnotif/core/resources';
import { CONTROLLER_DEFAULTS } from '../../hnotif/src/controller/options.ts';
import { LOOPBACK } from '../../hnotif/src/transport/special-addresses.ts';

/** The settings with which a controller sends to receivers on this machine, and shows their answers. */
export const TO_LOOPBACK = { allowInsecureHttp: true, egressAllow: LOOPBACK, showPrivateAnswers: true };

/** The same as flags of `hnotif run`. */
export const LOOPBACK_FLAGS: readonly string[] = [
  '--allow-insecure-http',
  `--egress-allow=${LOOPBACK.join(',')}`,
  '--show-private-answers',
];

const ANY_PORT = { host: '127.0.0.1', port: 0 };

/** The options of a controller in the process of a test. */
export const IN_PROCESS = {
  ...{ ...CONTROLLER_DEFAULTS, ...TO_LOOPBACK, leaseNamespace: 'default', env: {} },
  ...{ apiGroup: DEFAULT_API_GROUP, planResource: defaultPlanResource(DEFAULT_API_GROUP) },
  ...{ metricsAddress: ANY_PORT, healthAddress: ANY_PORT },
};
