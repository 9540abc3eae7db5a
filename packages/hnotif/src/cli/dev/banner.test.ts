import { expect, it } from 'vitest';
import { addresses } from './banner.ts';

it('the banner has what hnotif doctor and send need to reach the simulated receivers', () => {
  const lines = addresses(
    {
      ...{ page: 'http://page', cluster: 'http://cluster', webhook: 'http://hooks', teamchat: 'http://chat' },
      ...{ chatApi: 'http://chat/api', botchat: 'http://bot', msteams: 'http://teams', metrics: 'http://m' },
      ...{ health: 'http://h', kubeconfig: '/tmp/k', moved: [] },
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
