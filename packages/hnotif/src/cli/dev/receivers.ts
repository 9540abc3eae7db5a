import {
  startBotchatReceiver,
  startMsteamsReceiver,
  startTeamchatReceiver,
  startWebhookReceiver,
  type BotchatReceiver,
  type MsteamsReceiver,
  type TeamchatReceiver,
  type WebhookReceiver,
} from '@hnotif/receivers';
import type { DevFlags } from '../dev-flags.ts';
import { accountsOf } from './accounts.ts';
import type { Manifest } from './api.ts';
import type { Ports } from './ports.ts';
import { botchatLines } from './show/botchat.ts';
import type { Paint } from '../paint.ts';
import { msteamsLines } from './show/msteams.ts';
import { teamchatLines } from './show/teamchat.ts';
import { webhookLines } from './show/webhook.ts';

/** The origins in the examples' configurations. Sinks without an address use the controller's options. */
export const EXAMPLE_ORIGINS = {
  webhook: 'http://127.0.0.1:8099',
  teamchat: 'http://127.0.0.1:8098',
  msteams: 'http://127.0.0.1:8096',
} as const;

/** Requests that each receiver keeps. */
const KEEP = 1_000;
/** Messages that each channel keeps: a night of many plans has a thread for each of them. */
const KEEP_MESSAGES = 2_000;

export interface Receivers {
  readonly webhook: WebhookReceiver;
  readonly teamchat: TeamchatReceiver;
  readonly botchat: BotchatReceiver;
  readonly msteams: MsteamsReceiver;
  /** The name of a workflow of Teams, by its path: that of the first secret with its address. */
  readonly workflows: ReadonlyMap<string, string>;
}

interface ReceiverSettings {
  readonly host: string;
  readonly ports: Ports;
  readonly flags: Pick<DevFlags, 'receiverPort' | 'teamchatPort' | 'botchatPort' | 'msteamsPort'>;
  /** Their secrets define the accounts of the chats. */
  readonly manifests: readonly Manifest[];
  /** The JSON Schema of webhook payloads. */
  readonly schema: object;
  readonly onClose: (close: () => Promise<void>) => void;
}

/** Starts one receiver for each type of sink. */
export async function startReceivers(settings: ReceiverSettings): Promise<Receivers> {
  const { host, ports, flags, manifests, schema, onClose } = settings;
  const {
    signingSecrets,
    teamchat: workspace,
    botchat: bots,
    workflows,
  } = accountsOf(manifests, EXAMPLE_ORIGINS);
  const common = { host, keep: KEEP, keepMessages: KEEP_MESSAGES };
  const webhook = await ports.listen('the webhook receiver', flags.receiverPort, (port) =>
    startWebhookReceiver({ ...common, port, schema, signingSecrets }),
  );
  onClose(() => webhook.close());
  const teamchat = await ports.listen('teamchat', flags.teamchatPort, (port) =>
    startTeamchatReceiver({ ...common, ...workspace, port }),
  );
  onClose(() => teamchat.close());
  const botchat = await ports.listen('botchat', flags.botchatPort, (port) =>
    startBotchatReceiver({ ...common, ...bots, port }),
  );
  onClose(() => botchat.close());
  const signatures = Object.fromEntries([...workflows].map(([path, { signature }]) => [path, signature]));
  const msteams = await ports.listen('msteams', flags.msteamsPort, (port) =>
    startMsteamsReceiver({ ...common, workflows: signatures, port }),
  );
  onClose(() => msteams.close());
  const names = new Map([...workflows].map(([path, { name }]) => [path, name]));
  return { webhook, teamchat, botchat, msteams, workflows: names };
}

/** The name of the workflow that got a request; `''`: there is none. */
export const workflowOf = ({ path }: { readonly path: string }, workflows: Receivers['workflows']): string =>
  workflows.get(path.split('?', 1)[0] ?? '') ?? '';

/** Shows deliveries as they arrive. `since`: when a plan was last written (monotonic milliseconds). */
export function showDeliveries(
  { webhook, teamchat, botchat, msteams, workflows }: Receivers,
  since: (namespace: string, plan: string) => number | undefined,
  paint: Paint,
  print: (line: string) => void,
): void {
  webhook.onRecord((record) => {
    webhookLines(record, since, paint).forEach(print);
  });
  teamchat.onRecord((record) => {
    const { message } = record;
    const channel = message === undefined ? '' : teamchat.channel(message.channel).name;
    teamchatLines(record, channel, paint).forEach(print);
  });
  botchat.onRecord((record) => {
    botchatLines(record, paint).forEach(print);
  });
  msteams.onRecord((record) => {
    msteamsLines(record, workflowOf(record, workflows), paint).forEach(print);
  });
}
