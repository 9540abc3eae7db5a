import { OptionError, startController, StartError } from '../controller/controller.ts';
import type { ControllerOptions } from '../controller/options.ts';
import { createLog } from '../observe/log.ts';
import { threadPoolSize } from '../transport/lookups.ts';
import { EXIT } from './exit.ts';
import { FAULT, Lifetime } from './lifetime.ts';

/** What is still open once all is done has so long to close by itself (milliseconds). */
const CLOSING_MS = 200;

/** With fewer, two or three namespaces with such names have all turns. */
const ENOUGH_THREADS = 16;

/**
 * Serves until it is asked to stop, then drains. Answers with the exit code: 0 after a stop that a signal asked for, 1
 * after a fault of our own, when it has lost leadership, or when it could not start (a port taken, a kubeconfig that does not parse),
 * 2 when an option cannot be used; the last two are told in one line. `stray`: names in the environment that are no flag's.
 */
export async function run(
  options: ControllerOptions,
  logging: { readonly logFormat: 'json' | 'text'; readonly logLevel: string },
  stray: readonly string[],
): Promise<number> {
  let lost = 0;
  const log = createLog({ format: logging.logFormat, level: logging.logLevel, lost: () => lost++ });
  if (stray.length > 0)
    log.warn({ names: stray }, 'no flag has such a twin in the environment; see hnotif run --help');
  const threads = threadPoolSize(options.env);
  if (threads < ENOUGH_THREADS)
    log.warn(
      { threads },
      'there are few threads for look-ups: a few names whose DNS does not answer delay all others; set UV_THREADPOOL_SIZE=64 in the environment before the start, as the image does',
    );
  const lifetime = new Lifetime(log, options.drainTimeoutMs);
  try {
    const controller = await startController(options, log, () => lost);
    void controller.deposed.then(() => {
      lifetime.deposed();
    });
    await lifetime.ending;
    await controller.stop(lifetime.hurry);
    endSoon(lifetime.exit);
    return lifetime.exit;
  } catch (error) {
    if (error instanceof StartError) {
      process.stderr.write(`error: ${error.message}\n`);
      return error instanceof OptionError ? EXIT.usage : EXIT.failed;
    }
    log.fatal({ err: error }, FAULT);
    return EXIT.failed;
  }
}

/** A handshake with a server that answers nothing, which nobody can call off, would hold the process until it times out. */
function endSoon(code: number): void {
  setTimeout(() => process.exit(code), CLOSING_MS).unref();
}
