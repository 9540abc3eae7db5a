import { startHnotif } from '../scale/process.ts';
import type { Scale } from '../scale/objects.ts';
import { startCluster } from './cluster.ts';
import { quiet, type Stage } from './part.ts';
import { startReceiver } from './receiver.ts';

/** For the process that creates the journals: it may send more requests than the measured one. */
const HURRIED = ['--kube-api-qps', '2000', '--kube-api-burst', '2000'];

export interface StageOptions {
  /** After this time without a request hnotif counts as quiet (milliseconds). */
  readonly pauseMs: number;
  /** Called for each warning in the log of hnotif. */
  readonly troubled?: () => void;
}

/**
 * Creates a control plane with these plans, a receiver, and hnotif with its default flags. The journals exist, as after a day of service.
 * Everything ends when `run` has ended.
 */
export async function onStage(
  scale: Scale,
  { pauseMs, troubled }: StageOptions,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const receiver = await startReceiver();
  const cluster = await startCluster({ scale, origin: receiver.origin });
  const flags = ['--allow-insecure-http', '--chat-api-url', `${receiver.origin}/api`];
  try {
    const first = await startHnotif(cluster.kubeconfig, { flags: [...flags, ...HURRIED] });
    await quiet(cluster, pauseMs);
    await first.stop();
    const hnotif = await startHnotif(cluster.kubeconfig, { flags, ...(troubled && { troubled }) });
    try {
      await quiet(cluster, pauseMs);
      await run({ cluster, hnotif, receiver });
    } finally {
      await hnotif.stop();
    }
  } finally {
    await cluster.stop();
    receiver.close();
  }
}
