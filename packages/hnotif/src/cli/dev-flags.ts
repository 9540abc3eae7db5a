import { Option, type Command } from 'commander';
import { LOG_LEVELS } from '../observe/log.ts';
import { port, positive } from './values.ts';

/** What the flags of `hnotif dev` parse to. */
export interface DevFlags {
  readonly once: boolean;
  readonly speed: number;
  readonly port: number;
  readonly receiverPort: number;
  readonly teamchatPort: number;
  readonly botchatPort: number;
  readonly metricsPort: number;
  readonly healthPort: number;
  readonly examples?: string;
  readonly logLevel: string;
}

/** The ports that are tried first. */
export const DEV_DEFAULTS = { port: 8001 } as const;

/** Adds the flags of `hnotif dev`; they stand apart from it so that `--help` does not load the control plane. */
export function addDevFlags(command: Command): Command {
  const add = (group: string, ...options: Option[]): void => {
    for (const option of options) command.addOption(option.helpGroup(group));
  };
  add(
    'The night:',
    new Option('--once', 'play one night and its morning, then exit: 0 if all was delivered, else 1').default(
      false,
    ),
    new Option('--speed <factor>', 'how fast time passes: 2 is twice as fast').argParser(positive).default(1),
    new Option('--examples <folder>', 'manifests to apply and to play (default: the project’s examples/)'),
    new Option('--log-level <level>', 'the least severe level of the controller’s log that is shown')
      .choices(LOG_LEVELS)
      .default('warn'),
  );
  add(
    'Ports (the next free one, if taken):',
    new Option('--port <port>', 'the control plane').argParser(port).default(DEV_DEFAULTS.port),
    new Option('--receiver-port <port>', 'the webhook receiver').argParser(port).default(8099),
    new Option('--teamchat-port <port>', 'the teamchat simulator').argParser(port).default(8098),
    new Option('--botchat-port <port>', 'the botchat simulator').argParser(port).default(8097),
    new Option('--metrics-port <port>', '/metrics').argParser(port).default(8080),
    new Option('--health-port <port>', '/healthz and /readyz').argParser(port).default(8081),
  );
  return command;
}
