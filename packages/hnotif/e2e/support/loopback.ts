import { LOOPBACK } from '../../src/transport/special-addresses.ts';

/** What a controller needs to send to receivers on this machine, and to show what they answer. */
export const TO_LOOPBACK = { allowInsecureHttp: true, egressAllow: LOOPBACK, showPrivateAnswers: true };

/** The same as flags of `hnotif run`. */
export const LOOPBACK_FLAGS: readonly string[] = [
  '--allow-insecure-http',
  `--egress-allow=${LOOPBACK.join(',')}`,
  '--show-private-answers',
];
