#!/usr/bin/env node
import { EXIT } from './exit.ts';
import { main } from './program.ts';

let outputFailed = false;
process.stdout.on('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
  // What delivers has its log on the other stream, and goes on.
  if (outputFailed || process.argv[2] === 'run') return;
  outputFailed = true;
  if (code !== 'EPIPE') {
    process.stderr.write(`error: standard output cannot be written: ${code}\n`);
    process.exitCode = EXIT.failed;
  }
  // It ends us as a signal would: the reader has had enough (`hnotif dev | head`), or there is no room for more.
  process.emit('SIGTERM', 'SIGTERM');
});
// The log counts the lines that it loses; of others nothing can be said.
process.stderr.on('error', () => undefined);

// A twin that is set to nothing, as a chart writes an optional value, is not set.
for (const [name, value] of Object.entries(process.env))
  if (name.startsWith('HNOTIF_') && value === '') Reflect.deleteProperty(process.env, name);

const exit = await main(process.argv.slice(2));
process.exitCode ??= exit;
