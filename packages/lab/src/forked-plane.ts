import { join } from 'node:path';
import { forked } from './forked.ts';
import { Kube } from './kube.ts';
import { installCrds } from './objects.ts';
import type { Asked, Facts, Filled, Play, Played, Report, Setting } from './plane-process.ts';

export type { Played, Report };

/** The embedded control plane in a process of its own, with the CRDs. It is also the operator of the plans that it is started with. */
export interface ForkedPlane {
  readonly facts: Facts;
  /** The plans of its scale as `namespace/name`, in the order in which they are written. */
  readonly keys: readonly string[];
  /** A client that may do everything. */
  readonly kube: Kube;
  /** One write of each of its plans. */
  play(play: Omit<Play, 'kind'>): Promise<Played>;
  /** What it had to do since the last report. */
  report(): Promise<Report>;
  readonly close: () => Promise<void>;
}

export async function startPlane(setting: Setting): Promise<ForkedPlane> {
  const { facts, ask, close } = await forked<Facts>(
    join(import.meta.dirname, 'plane-process.ts'),
    JSON.stringify(setting),
  );
  const { url, ca, tokens } = facts;
  const kube = new Kube(url, { ca, token: tokens.admin });
  await installCrds(kube);
  const asked = (question: Asked): Promise<unknown> => ask(question);
  const { keys } = (await asked({ kind: 'fill' })) as Filled;
  return {
    ...{ facts, keys, kube, close },
    play: async (play) => (await asked({ kind: 'play', ...play })) as Played,
    report: async () => (await asked({ kind: 'report' })) as Report,
  };
}
