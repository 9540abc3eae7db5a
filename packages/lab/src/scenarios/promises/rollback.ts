import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleOf, versionBefore } from '../../checkout.ts';
import { promise } from '../../stage.ts';

export const rollback = promise(
  'rollback',
  'a rollback to the version before, and the next upgrade, by stops and by kills, lose no message that waits',
  async (stage) => {
    const { team, receiver } = stage;
    const folder = await mkdtemp(join(tmpdir(), 'hnotif-before-'));
    stage.world.closes(() => rm(folder, { recursive: true, force: true }));
    const present = stage.bundle;
    const before = process.env.HNOTIF_OTHER_BUNDLE ?? (await bundleOf(await versionBefore(), folder));
    await team.plan('orders');
    for (const [cycle, signal] of [
      ['c1', 'SIGTERM'],
      ['c2', 'SIGKILL'],
    ] as const)
      for (const bundle of [before, present]) {
        const mend = receiver.faults.add({
          fault: { kind: 'status', status: 429, retryAfter: { inSeconds: 600 } },
        });
        await team.begins('orders', { cycle });
        await stage.waits(1);
        stage.bundle = bundle;
        await stage.kill(signal);
        mend();
        await team.succeeds('orders');
        await stage.settled();
      }
  },
  () => ({ flags: ['--drain-timeout=1s'] }),
);
