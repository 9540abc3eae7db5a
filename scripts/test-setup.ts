import { createSecureContext } from 'node:tls';
import { bundle } from './bundle.ts';

export async function setup(): Promise<void> {
  // OpenSSL 3 reads its list of ciphers once a process. If two worker threads start that, one can find an empty list.
  createSecureContext();
  // Tests of the command line run what users run: the bundle, made anew before each run.
  await bundle();
}
