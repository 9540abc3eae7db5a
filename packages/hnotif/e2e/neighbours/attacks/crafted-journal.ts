import { randomUUID } from 'node:crypto';
import { Book } from '../../../src/journal/book.ts';
import { contentOf } from '../../../src/journal/content.ts';
import { pack, type ContentText } from '../../../src/journal/text.ts';
import type { LifecycleEvent } from '../../../src/lifecycle/event.ts';
import { emptyBaseline } from '../../../src/lifecycle/observed.ts';
import { DEFAULT_API_GROUP as GROUP } from '../../../src/resources/group.ts';
import { JOURNAL_VERSION, journalName } from '../../../src/resources/journal.ts';

/** A plan that a journal names. */
export interface Named {
  readonly name: string;
  readonly uid: string;
}

/** A journal as the controller would have written it: made by its own encoder, so that it is read whatever the layout is. */
export function journalObject(
  plan: Named,
  content: ContentText,
  options: { readonly name?: string; readonly version?: number | undefined } = {},
): object {
  const { name = journalName(plan.name, plan.uid, 'hnotif'), version = JOURNAL_VERSION } = options;
  return {
    ...{ apiVersion: `${GROUP}/v1alpha1`, kind: 'HibernateNotificationJournal' },
    metadata: {
      name,
      labels: { 'app.kubernetes.io/managed-by': 'hnotif', 'app.kubernetes.io/instance': 'hnotif' },
    },
    spec: {
      ...{ instance: 'hnotif', plan, version, gen: 1, pending: 1 },
      writer: { holder: 'attacker', term: 1 },
      ...{ encoding: content.encoding, content: content.text },
    },
  };
}

/** What a journal holds when one Start of the plan waits for one webhook. */
export function waitingStart(
  plan: Named,
  namespace: string,
  notification: string,
  sink: string,
): Promise<ContentText> {
  const event: LifecycleEvent = {
    ...{ id: `msg_${randomUUID()}`, seq: 1, kind: 'Start', planUid: plan.uid, namespace, plan: plan.name },
    ...{ run: 1, cycle: 'crafted', operation: 'shutdown', phase: 'Hibernating', previousPhase: '' },
    timestamp: new Date().toISOString(),
    ...{ targets: [], targetExecution: undefined, errorMessage: '', retryCount: 0 },
  };
  const book = new Book({ ...emptyBaseline(randomUUID()), seq: 1, run: 1 });
  book.add(event, Date.now(), [{ notification, sink, type: 'webhook' }]);
  return pack(contentOf(book));
}

/** Some 80 kB that inflate to so many bytes of JSON, each few of which are an object. */
export const inflating = (bytes: number): Promise<ContentText> =>
  pack({ log: Array<object>(Math.floor(bytes / 3)).fill({}) });
