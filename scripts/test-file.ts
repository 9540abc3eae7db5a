/**
 * For each file of tests. Loads `node:tls` before its modules: if `_tls_common` is the first of the two in a thread, `tls.createSecureContext`
 * is missing there, as the modules of Node require each other. And fails a file that leaves a server open: the files that a worker runs share
 * its process, so all that follow would pay for it.
 */
import 'node:tls';
import { setTimeout } from 'node:timers/promises';
import { afterAll } from 'vitest';

const LOOKS = 100;

const servers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

afterAll(async () => {
  // What a test closes last is closed some turns later.
  for (let looks = 0; servers() > 0; looks++) {
    if (looks === LOOKS) throw new Error(`the file has left ${servers()} servers open`);
    await setTimeout(100);
  }
});
