import { expect, it } from 'vitest';
import { addresses } from './banner.ts';

it('the banner has what hnotif doctor and send need to reach the simulated receivers', () => {
  const lines = addresses(
    {
      ...{ page: 'http://page', cluster: 'http://cluster', kubeconfig: '/tmp/k', moved: [] },
      receivers: {
        webhook: { origin: 'http://hooks' },
        teamchat: { origin: 'http://chat', apiUrl: 'http://chat/api' },
        botchat: { origin: 'http://bot' },
        msteams: { origin: 'http://teams' },
      },
      controller: { metricsUrl: 'http://m', healthUrl: 'http://h' },
    },
    (_, text) => text,
  );
  // Each in a line of its own: a terminal may be too narrow for all three.
  expect(lines.slice(lines.indexOf('  for hnotif doctor, validate, render and send:'), -1)).toEqual([
    '  for hnotif doctor, validate, render and send:',
    '  export HNOTIF_ALLOW_INSECURE_HTTP=true',
    '  export HNOTIF_CHAT_API_URL=http://chat/api',
    '  export HNOTIF_BOT_API_URL=http://bot',
  ]);
});
