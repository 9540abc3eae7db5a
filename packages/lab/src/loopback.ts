import { LOOPBACK } from '../../hnotif/src/transport/special-addresses.ts';

/** The settings with which a controller sends to receivers on this machine, and shows their answers. */
export const TO_LOOPBACK = { allowInsecureHttp: true, egressAllow: LOOPBACK, showPrivateAnswers: true };

/** The same as flags of `hnotif run`. */
export const LOOPBACK_FLAGS: readonly string[] = [
  '--allow-insecure-http',
  `--egress-allow=${LOOPBACK.join(',')}`,
  '--show-private-answers',
];
