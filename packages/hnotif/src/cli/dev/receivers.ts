import {
  startBotchatReceiver,
  startTeamchatReceiver,
  startWebhookReceiver,
  type BotchatReceiver,
  type TeamchatReceiver,
  type WebhookReceiver,
} from '@hnotif/receivers';
import type { DevFlags } from '../dev-flags.ts';
import { accountsOf } from './accounts.ts';
import type { Manifest } from './api.ts';
import type { Ports } from './ports.ts';
import { botchatLines } from './show/botchat.ts';
import type { Paint } from '../paint.ts';
import { teamchatLines } from './show/teamchat.ts';
import { webhookLines } from './show/webhook.ts';

/** The origins in the examples' configurations. Sinks without an address use the controller's options. */
export const EXAMPLE_ORIGINS = {
  webhook: 'http://127.0.0.1:8099',
  teamchat: 'http://127.0.0.1:8098',
} as const;

/** Requests that each receiver keeps. */
const KEEP = 1_000;

export interface Receivers {
  readonly webhook: WebhookReceiver;
  readonly teamchat: TeamchatReceiver;
  readonly botchat: BotchatReceiver;
}

interface ReceiverSettings {
  readonly host: string;
  readonly ports: Ports;
  readonly flags: Pick<DevFlags, 'receiverPort' | 'teamchatPort' | 'botchatPort'>;
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
  } = accountsOf(manifests, EXAMPLE_ORIGINS.teamchat);
  const common = { host, keep: KEEP };
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
  return { webhook, teamchat, botchat };
}

/** Shows deliveries as they arrive. `since`: when a plan was last written (monotonic milliseconds). */
export function showDeliveries(
  { webhook, teamchat, botchat }: Receivers,
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
}
