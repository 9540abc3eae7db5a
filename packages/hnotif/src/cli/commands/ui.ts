import { once } from 'node:events';
import { systemClock } from '@hnotif/core/clock';
import { Option, type Command } from 'commander';
import { createLog } from '../../observe/log.ts';
import { addClusterFlags, clusterArguments, type ClusterFlags } from '../cluster-flags.ts';
import { EXIT } from '../exit.ts';
import { CommandError, type Io, type RunCommand } from '../io.ts';
import { withSession } from '../session.ts';
import { UI_PORT } from '../shared-flags.ts';
import { collectWhenQuiet, keepHeapSmall } from '../small-heap.ts';
import { openPage } from '../ui/page.ts';
import { NoPage } from '../ui/server.ts';
import { eventId, port } from '../values.ts';

interface UiFlags extends ClusterFlags {
  readonly port: number;
  readonly open?: string;
}

export const define = (command: Command, io: Io, run: RunCommand): void => {
  addClusterFlags(command)
    .description(DESCRIPTION)
    .addOption(
      new Option('--port <port>', 'the port on 127.0.0.1; 0: any free one').argParser(port).default(UI_PORT),
    )
    .addOption(
      new Option(
        '--open <id>',
        'print the address of this delivery: an id of hnotif trace, or webhook-id',
      ).argParser(eventId),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: UiFlags) => {
      io.exit(await ui(flags, io, run));
    });
};

function ui(flags: UiFlags, io: Io, run: RunCommand): Promise<number> {
  keepHeapSmall();
  const { signal } = io;
  const commands = { run, cluster: clusterArguments(flags), addresses: [] };
  const log = createLog({ format: 'text', level: 'error' });
  return withSession(flags, io, async (session) => {
    const { namespace } = flags;
    const page = await openPage({ session, io, log, commands, namespace, port: flags.port }).catch(
      (error: unknown) => {
        throw failure(error, flags.port);
      },
    );
    const place = flags.open === undefined ? '' : `#delivery/${flags.open}`;
    io.out(`The page is at ${page.url}${place}\nIt shows what you may read. Ctrl-C ends it.\n`);
    const stopCollecting = collectWhenQuiet(systemClock);
    // The server keeps the process alive.
    if (!signal.aborted) await once(signal, 'abort');
    stopCollecting();
    await page.close();
    return EXIT.ok;
  });
}

function failure(error: unknown, wanted: number): unknown {
  if (error instanceof NoPage) return new CommandError(error.message);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new CommandError(
      `port ${wanted} is taken by another program; choose another with --port, or --port 0`,
    );
  return code === 'EACCES'
    ? new CommandError(`port ${wanted} needs a privilege; choose one above 1023 with --port`)
    : error;
}

const DESCRIPTION = [
  'Serves a page for your browser: the night of all plans, what became of each event at each sink and why, and an editor for templates. It listens on 127.0.0.1 only, and works with your rights. It changes nothing in the cluster unless you tell it to, and confirm it.',
  'The address that it prints holds a token. Whoever has the address, and reaches this machine, sees what you may see until the command ends.',
].join('\n\n');

const EXAMPLES = `
Examples:
  hnotif ui                 all namespaces that you may read
  hnotif ui -n shop         one namespace
  hnotif ui --port 0        on any free port
  hnotif ui --open ksc3lnpl3cy2gm4v   at one delivery`;
