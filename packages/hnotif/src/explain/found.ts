import type { DeliveryRow, FoundDeliveries } from '@hnotif/core/page';
import { deliveriesOf } from './deliveries.ts';
import type { Facts } from './facts.ts';

/** The most deliveries that are listed. */
const MOST = 50;
/** The most words, of a text of so many characters. */
const [WORDS, LENGTH] = [8, 200];

/** The deliveries that have all words of a text: in their names, their result, or the errors. */
export function findDeliveries(text: string, all: readonly Facts[]): FoundDeliveries {
  const words = text.slice(0, LENGTH).toLowerCase().split(/\s+/).filter(Boolean).slice(0, WORDS);
  if (words.length === 0) return { deliveries: [], count: 0 };
  const found = all.flatMap((facts) =>
    deliveriesOf(facts)
      .map((row) => ({ ...row, namespace: facts.namespace }))
      .filter((row) => {
        const has = textOf(row);
        return words.every((word) => has.includes(word));
      }),
  );
  const newest = found.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST);
  return { deliveries: newest, count: found.length };
}

/** All that a search looks at, in lower case. */
function textOf(row: DeliveryRow & { readonly namespace: string }): string {
  const { event, facts, namespace, notification, plan, requests = [], sink, state, why } = row;
  const failed = facts?.failed?.first.flatMap(({ name, message }) => [name, message]) ?? [];
  const answers = requests.flatMap(({ reason, status }) => [reason, status]);
  return [
    ...[`${namespace}/${plan}`, event, `${notification}/${sink}`, state, why],
    ...[facts?.operation, facts?.phase, facts?.error],
    ...[...failed, ...answers],
  ]
    .join(' ')
    .toLowerCase();
}
