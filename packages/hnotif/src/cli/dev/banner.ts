import type { MovedPort } from './ports.ts';
import type { Paint } from './show/paint.ts';

export interface BannerFacts {
  readonly version: string;
  readonly cluster: string;
  readonly webhook: string;
  readonly teamchat: string;
  readonly botchat: string;
  readonly metrics: string;
  readonly health: string;
  readonly kubeconfig: string;
  readonly moved: readonly MovedPort[];
}

/** What `hnotif dev` says when everything is up: where to look, and how to take part. */
export function banner(facts: BannerFacts, paint: Paint): string {
  const rows = [
    ['control plane', facts.cluster],
    ['webhooks', facts.webhook],
    ['teamchat', facts.teamchat],
    ['botchat', facts.botchat],
    ['metrics', `${facts.metrics}/metrics`],
    ['health', `${facts.health}/readyz`],
  ];
  return [
    `${paint('bold', `hnotif dev ${facts.version}`)}: an embedded control plane, three receivers, and a night`,
    '',
    ...rows.map(([name = '', url = '']) => `  ${name.padEnd(15)}${paint('cyan', url)}`),
    ...facts.moved.map(
      ({ name, wanted, got }) => `  ${paint('yellow', `port ${wanted} was taken: ${name} is on ${got}`)}`,
    ),
    '',
    `  ${paint('bold', `export KUBECONFIG=${facts.kubeconfig}`)}`,
    '  kubectl get hnotif,hplan -A',
    '',
  ].join('\n');
}
