import { expect, it } from 'vitest';
import { strayVariables } from './environment.ts';

it('names what looks like a twin of a flag and is none; services of Kubernetes are no mistake', () => {
  const env = {
    HNOTIF_MAX_AGE: '1h',
    HNOTIF_MAXAGE: '1h',
    HNOTIF_COLOUR: 'red',
    PATH: '/bin',
    HNOTIF_SERVICE_HOST: '10.0.0.1',
    HNOTIF_SERVICE_PORT: '8080',
    HNOTIF_SERVICE_PORT_METRICS: '8080',
    HNOTIF_PORT: 'tcp://10.0.0.1:8080',
    HNOTIF_METRICS_PORT_8080_TCP_ADDR: '10.0.0.1',
  };
  expect(strayVariables(env, ['HNOTIF_MAX_AGE'])).toEqual(['HNOTIF_COLOUR', 'HNOTIF_MAXAGE']);
});
