#!/usr/bin/env node
import { main } from './program.ts';

// Whoever read our output has gone (`hnotif dev | head`): that ends us as a signal would.
let readerHasGone = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!readerHasGone) process.emit('SIGTERM', 'SIGTERM');
  readerHasGone = true;
});

// A twin that is set to nothing, as a chart writes an optional value, is not set.
for (const [name, value] of Object.entries(process.env))
  if (name.startsWith('HNOTIF_') && value === '') Reflect.deleteProperty(process.env, name);

process.exitCode = await main(process.argv.slice(2));
