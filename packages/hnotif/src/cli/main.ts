#!/usr/bin/env node
import { EXIT } from './exit.ts';
import { main } from './program.ts';

let outputFailed = false;
process.stdout.on('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
  // `run` logs to stderr, so it continues.
  if (outputFailed || process.argv[2] === 'run') return;
  outputFailed = true;
  if (code !== 'EPIPE') {
    process.stderr.write(`error: standard output cannot be written: ${code}\n`);
    process.exitCode = EXIT.failed;
  }
  // The reader has closed the pipe (`hnotif dev | head`), or the disk is full: stop as after a signal.
  process.emit('SIGTERM', 'SIGTERM');
});
// The log counts the lines that it loses.
process.stderr.on('error', () => undefined);

// A variable with an empty value, as Helm charts write optional values, counts as not set.
for (const [name, value] of Object.entries(process.env))
  if (name.startsWith('HNOTIF_') && value === '') Reflect.deleteProperty(process.env, name);

const exit = await main(process.argv.slice(2));
process.exitCode ??= exit;
