import type { Controller } from '../../controller/controller.ts';
import { INSECURE_HTTP } from '../flags.ts';
import type { MovedPort } from './ports.ts';
import type { Receivers } from './receivers.ts';
import type { Paint } from '../paint.ts';

export interface BannerFacts {
  /** With the token of this run. */
  readonly page: string;
  readonly cluster: string;
  readonly receivers: Readonly<Record<'webhook' | 'botchat' | 'msteams', { readonly origin: string }>> & {
    readonly teamchat: Pick<Receivers['teamchat'], 'origin' | 'apiUrl'>;
  };
  readonly controller: Pick<Controller, 'metricsUrl' | 'healthUrl'>;
  readonly kubeconfig: string;
  readonly moved: readonly MovedPort[];
}

/** The first line. */
export const title = (version: string, paint: Paint): string =>
  `${paint('bold', `hnotif dev ${version}`)}: an embedded control plane, simulated receivers, and a night`;

/** The addresses of all servers, and the commands to use them. */
export function addresses(facts: BannerFacts, paint: Paint): string[] {
  const { controller, receivers } = facts;
  const rows = [
    ['page', facts.page],
    ['control plane', facts.cluster],
    ['webhooks', receivers.webhook.origin],
    ['teamchat', receivers.teamchat.origin],
    ['botchat', receivers.botchat.origin],
    ['msteams', receivers.msteams.origin],
    ['metrics', `${controller.metricsUrl}/metrics`],
    ['health', `${controller.healthUrl}/readyz`],
  ];
  return [
    '',
    ...rows.map(([name = '', url = '']) => `  ${name.padEnd(15)}${paint('cyan', url)}`),
    ...facts.moved.map(
      ({ name, wanted, got }) => `  ${paint('yellow', `port ${wanted} was taken: ${name} is on ${got}`)}`,
    ),
    '',
    `  ${kubeconfigLine(facts, paint)}`,
    '  kubectl get hnotif,hplan -A',
    '',
    '  for hnotif doctor, validate, render and send:',
    `  export ${INSECURE_HTTP}=true`,
    `  export HNOTIF_CHAT_API_URL=${receivers.teamchat.apiUrl}`,
    `  export HNOTIF_BOT_API_URL=${receivers.botchat.origin}`,
    '',
  ];
}

export const kubeconfigLine = ({ kubeconfig }: Pick<BannerFacts, 'kubeconfig'>, paint: Paint): string =>
  paint('bold', `export KUBECONFIG=${kubeconfig}`);

/** A blank at which lines are not wrapped. */
const UNBROKEN = '\u00a0';

/** The meaning of the signs before deliveries. `keys`: whether Enter is read. */
export function legend(keys: boolean, paint: Paint): string[] {
  const signs = [
    ['▶ Start', '✔ Success', '✘ Failure, failed target', '↻ Recovery', '→ PhaseChange'],
    ['· Progress: ExecutionProgress', '│ a message as its readers see it'],
    ['↳ a reply in a thread', '✎ a card that has changed'],
    ['ms: from the write of a plan’s status to the arrival of its webhook'],
    [...(keys ? ['Enter: the addresses again'] : []), 'Ctrl-C: stop'],
  ];
  return [
    ...signs.map((row) =>
      paint('gray', `  ${row.map((sign) => sign.replaceAll(' ', UNBROKEN)).join('   ')}`),
    ),
    '',
  ];
}
