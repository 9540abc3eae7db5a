import { systemClock } from '@hnotif/core/clock';
import { OptionError, startController, StartError } from '../controller/controller.ts';
import type { ControllerOptions } from '../controller/options.ts';
import { createLog } from '../observe/log.ts';
import { threadPoolSize } from '../transport/lookups.ts';
import { EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { FAULT, Lifetime } from './lifetime.ts';
import { collectWhenQuiet } from './small-heap.ts';

/** After a stop, open connections have this time to close (milliseconds). */
const CLOSING_MS = 200;

/** With fewer threads, two or three namespaces could take all look-ups. */
const ENOUGH_THREADS = 16;

/**
 * Runs the controller until a signal, then drains. Returns the exit code: 0 after a signal; 1 after an internal error, after lost
 * leadership, or when it cannot start (a port is taken, the kubeconfig cannot be parsed); 2 when an option cannot be used. `stray`:
 * environment variables that belong to no flag.
 */
export async function run(
  options: ControllerOptions,
  logging: { readonly logFormat: 'json' | 'text'; readonly logLevel: string },
  stray: readonly string[],
  io: Pick<Io, 'err'>,
): Promise<number> {
  let lost = 0;
  const log = createLog({ format: logging.logFormat, level: logging.logLevel, lost: () => lost++ });
  if (stray.length > 0)
    log.warn({ names: stray }, 'these environment variables belong to no flag; see hnotif run --help');
  const threads = threadPoolSize(options.env);
  if (threads < ENOUGH_THREADS)
    log.warn(
      { threads },
      'few threads for DNS look-ups: a few names without an answer delay all others; set UV_THREADPOOL_SIZE=64 in the environment, as the image does',
    );
  const lifetime = new Lifetime(log, options.drainTimeoutMs, systemClock);
  const stopCollecting = collectWhenQuiet(systemClock);
  try {
    const controller = await startController(options, log, () => lost);
    void controller.leadershipLost.then(() => {
      lifetime.leadershipLost();
    });
    await lifetime.ending;
    await controller.stop(lifetime.hurry);
    endSoon(lifetime.exit);
    return lifetime.exit;
  } catch (error) {
    lifetime.close();
    if (error instanceof StartError) {
      io.err(`error: ${error.message}\n`);
      return error instanceof OptionError ? EXIT.usage : EXIT.failed;
    }
    log.fatal({ err: error }, FAULT);
    return EXIT.failed;
  } finally {
    stopCollecting();
  }
}

/** A TLS handshake without an answer cannot be cancelled. It would keep the process alive until its time-out. */
function endSoon(code: number): void {
  setTimeout(() => process.exit(code), CLOSING_MS).unref();
}
