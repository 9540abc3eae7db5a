import { OptionError, startController, StartError } from '../controller/controller.ts';
import type { ControllerOptions } from '../controller/options.ts';
import { createLog } from '../observe/log.ts';
import { EXIT } from './exit.ts';
import { stopSignal } from './signals.ts';

/**
 * Serves until SIGTERM or SIGINT, then drains; a second signal ends the waiting. Answers with the exit code: 1
 * when it could not start (a port taken, a kubeconfig that does not parse), 2 when an option cannot be used; told in one line.
 */
export async function run(
  options: ControllerOptions,
  logging: { readonly logFormat: 'json' | 'text'; readonly logLevel: string },
): Promise<number> {
  const log = createLog({ format: logging.logFormat, level: logging.logLevel });
  try {
    const controller = await startController(options, log);
    log.info({ signal: await stopSignal() }, 'stopping');
    const hurry = new AbortController();
    void stopSignal().then((signal) => {
      log.warn({ signal }, 'stopping at once');
      hurry.abort();
    });
    await controller.stop(hurry.signal);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    return error instanceof OptionError ? EXIT.usage : EXIT.failed;
  }
}
