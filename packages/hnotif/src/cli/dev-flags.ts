import { Option, type Command } from 'commander';
import { LOG_LEVELS } from '../observe/log.ts';
import { addGroups } from './flags.ts';
import { UI_PORT } from './shared-flags.ts';
import { port, speed } from './values.ts';

/** The parsed flags of `hnotif dev`. */
export interface DevFlags {
  readonly once: boolean;
  readonly speed: number;
  readonly port: number;
  readonly receiverPort: number;
  readonly teamchatPort: number;
  readonly botchatPort: number;
  readonly msteamsPort: number;
  readonly metricsPort: number;
  readonly healthPort: number;
  readonly uiPort: number;
  readonly examples?: string;
  readonly logLevel: string;
}

/** The usual port of the control plane. */
export const DEV_DEFAULTS = { port: 8001 } as const;

const NIGHT = [
  new Option('--once', 'play one night and its morning, then exit: 0 if all was delivered, else 1').default(
    false,
  ),
  new Option('--speed <factor>', 'how fast time passes: 2 is twice as fast').argParser(speed).default(1),
  new Option('--examples <folder>', 'manifests to apply and to play (default: the project’s examples/)'),
  new Option('--log-level <level>', 'the lowest level of the controller’s log that is shown')
    .choices(LOG_LEVELS)
    .default('warn'),
];

const portFlag = (flags: string, description: string, value: number): Option =>
  new Option(`${flags} <port>`, description).argParser(port).default(value);

const PORTS = [
  portFlag('--ui-port', 'the page', UI_PORT),
  portFlag('--port', 'the control plane', DEV_DEFAULTS.port),
  portFlag('--receiver-port', 'the webhook receiver', 8099),
  portFlag('--teamchat-port', 'the teamchat simulator', 8098),
  portFlag('--botchat-port', 'the botchat simulator', 8097),
  portFlag('--msteams-port', 'the msteams simulator', 8096),
  portFlag('--metrics-port', '/metrics', 8080),
  portFlag('--health-port', '/healthz and /readyz', 8081),
];

/** Adds the flags of `hnotif dev`. They are not in `dev/`, so that `--help` does not load the control plane. */
export const addDevFlags = (command: Command): Command =>
  addGroups(command, { 'The night:': NIGHT, 'Ports (the next free one, if taken):': PORTS });
