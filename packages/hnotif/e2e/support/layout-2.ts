import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperatorStatus } from '../../src/lifecycle/operator.ts';
import type { Kube } from './kube.ts';
import { collection } from './objects.ts';
import type { Context } from './payload.ts';

const FILE = join(import.meta.dirname, '../fixtures/journals-of-layout-2.json');

/** What layout 2 left behind, and what hnotif, as it was then, delivered from there. */
export interface Left {
  readonly journals: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: {
      readonly instance: string;
      readonly plan: { readonly name: string; readonly uid: string };
      readonly writer: { readonly term: number };
    };
  }[];
  readonly plans: readonly {
    readonly name: string;
    readonly labels: object;
    readonly spec: object;
    readonly status: OperatorStatus;
  }[];
  /** Roots that stood in the channel, as they were posted. */
  readonly roots: readonly { readonly ts: string; readonly post: object }[];
  readonly hook: readonly { readonly id: string; readonly context: Context }[];
  readonly bars: readonly { readonly id: string; readonly words: string }[];
  readonly wide: readonly { readonly id: string; readonly words: string }[];
  readonly thread: readonly { readonly id: string; readonly text: string }[];
}

export const readLeft = async (): Promise<Left> => JSON.parse(await readFile(FILE, 'utf8')) as Left;

/** Writes something into a namespace until resource versions are higher than any in the journals. */
export async function olderThan(kube: Kube, namespace: string, left: Left): Promise<void> {
  const text = JSON.stringify(left);
  const versions = [...text.matchAll(/\\"rv\\":\\"(\d+)\\"/g)].map(([, version]) => Number(version));
  // What is deflated does not show it: it was written soon after the others.
  const highest = Math.max(...versions) + 50;
  for (let now = 0; now <= highest;) {
    const { metadata } = await kube.put(collection(namespace, 'configmaps'), 'time', {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'time' }, data: { now: String(now) } },
    });
    now = Number(metadata.resourceVersion);
  }
}

/** The journals, to be posted; `renamed`: what has another name now, such as the uids of plans. */
export function journalsOf(
  { journals }: Pick<Left, 'journals'>,
  renamed: ReadonlyMap<string, string>,
): readonly object[] {
  return journals.map((journal) => {
    let text = JSON.stringify(journal);
    for (const [before, now] of renamed) text = text.replaceAll(before, now);
    const { metadata, spec, ...object } = JSON.parse(text) as Left['journals'][number];
    return {
      ...object,
      metadata: { ...metadata, name: nameOf(spec) },
      spec: { ...spec, writer: { ...spec.writer, term: 1 } },
    };
  });
}

/** As layout 2 named the journal of a plan. */
function nameOf({ instance, plan }: Left['journals'][number]['spec']): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([plan.uid, instance]))
    .digest('hex');
  return `${plan.name.slice(0, 40)}-${digest.slice(0, 20)}`;
}
