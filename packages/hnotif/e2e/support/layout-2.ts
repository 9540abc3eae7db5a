import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperatorStatus } from '../../src/lifecycle/operator.ts';
import type { Kube } from './kube.ts';
import { collection } from './objects.ts';
import type { Context } from './payload.ts';

const FILE = join(import.meta.dirname, '../fixtures/journals-of-layout-2.json');

/** The data that layout 2 left, and the deliveries that an hnotif of that time made from it. */
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
  /** Roots in the channel, as they were posted. */
  readonly roots: readonly { readonly ts: string; readonly post: object }[];
  readonly hook: readonly { readonly id: string; readonly context: Context }[];
  readonly bars: readonly { readonly id: string; readonly words: string }[];
  readonly wide: readonly { readonly id: string; readonly words: string }[];
  readonly thread: readonly { readonly id: string; readonly text: string }[];
}

export const readLeft = async (): Promise<Left> => JSON.parse(await readFile(FILE, 'utf8')) as Left;

/** Writes into a namespace until resource versions are higher than those in the journals. */
export async function olderThan(kube: Kube, namespace: string, left: Left): Promise<void> {
  const text = JSON.stringify(left);
  const versions = [...text.matchAll(/\\"rv\\":\\"(\d+)\\"/g)].map(([, version]) => Number(version));
  // Deflated texts do not show theirs: they were written soon after the others.
  const highest = Math.max(...versions) + 50;
  for (let now = 0; now <= highest;) {
    const { metadata } = await kube.put(collection(namespace, 'configmaps'), 'time', {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'time' }, data: { now: String(now) } },
    });
    now = Number(metadata.resourceVersion);
  }
}

/** The journals to post. `renamed`: new values for some texts, such as the uids of plans. */
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

/** The name of a plan's journal in layout 2. */
function nameOf({ instance, plan }: Left['journals'][number]['spec']): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([plan.uid, instance]))
    .digest('hex');
  return `${plan.name.slice(0, 40)}-${digest.slice(0, 20)}`;
}
