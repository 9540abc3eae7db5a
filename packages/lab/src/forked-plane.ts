import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { IMAGE } from './image.ts';
import { Kube } from './kube.ts';
import { installCrds } from './objects.ts';
import type { Asked, Facts, Filled, Play, Played, Report, Setting } from './plane-process.ts';
import { within } from './wait.ts';

export type { Played, Report };

/** The embedded control plane in a process of its own, with the CRDs. It is also the operator of the plans that it is started with. */
export interface ForkedPlane {
  readonly facts: Facts;
  /** A folder that `close` deletes, and in it the kubeconfig of the controller. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** The plans of its scale as `namespace/name`, in the order in which they are written. */
  readonly keys: readonly string[];
  /** A client that may do everything. */
  readonly kube: Kube;
  /** One write of each of its plans. */
  play(play: Omit<Play, 'kind'>): Promise<Played>;
  /** What it had to do since the last `clear`. */
  report(): Promise<Report>;
  clear(): Promise<unknown>;
  readonly close: () => Promise<void>;
}

const ANSWER_MS = 60_000;
/** A program that has parts of the service reads their templates from the folder in which it runs. */
const DIST = join(import.meta.dirname, '../../hnotif/dist');

let code: Promise<string> | undefined;

/** The program in one piece, made once: each process would translate all of its modules, which takes five times as long. */
async function bundled(): Promise<string> {
  // The dependencies that are CommonJS ask for Node's own modules with require().
  const js = "import { createRequire as __cr } from 'node:module';const require = __cr(import.meta.url);";
  const { outputFiles } = await build({
    ...{ entryPoints: [join(import.meta.dirname, 'plane-process.ts')], bundle: true, write: false },
    ...{ platform: 'node', format: 'esm', banner: { js } },
  });
  return outputFiles[0]?.text ?? '';
}

/** It has Node's options of the image, and ends with its parent. */
export async function startPlane(setting: Setting): Promise<ForkedPlane> {
  const text = await (code ??= bundled());
  const args = [...IMAGE.flags, '--input-type=module', '-', JSON.stringify(setting)];
  const child = spawn(process.execPath, args, {
    cwd: DIST,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  });
  child.stdin?.end(text);
  const ended = once(child, 'exit');
  const answer = async (): Promise<unknown> => {
    const failed = ended.then(([exit]) => {
      throw new Error(`the control plane ended with ${exit} before it answered`);
    });
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [unknown];
    return message;
  };
  /** One question at a time. */
  const ask = (question: Asked): Promise<unknown> => {
    const answered = within(ANSWER_MS, 'the answer of the control plane', answer());
    child.send(question);
    return answered;
  };
  const facts = (await answer()) as Facts;
  const { url, ca, tokens } = facts;
  const kube = new Kube(url, { ca, token: tokens.admin });
  await installCrds(kube);
  const { keys } = (await ask({ kind: 'fill' })) as Filled;
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-lab-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, facts.kubeconfig, { mode: 0o600 });
  return {
    ...{ facts, folder, kubeconfig, keys, kube },
    play: async (play) => (await ask({ kind: 'play', ...play })) as Played,
    report: async () => (await ask({ kind: 'report' })) as Report,
    clear: () => ask({ kind: 'clear' }),
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
