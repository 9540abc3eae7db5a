import type { DeliveryRow, FoundDeliveries } from '@hnotif/core/page';
import { linkTo, linkWith } from '../address.ts';
import {
  eventColumn,
  planColumn,
  sinkColumn,
  stateColumn,
  Table,
  timeColumn,
  type Column,
} from '../common/table.tsx';
import { localTimes } from '../common/time.ts';
import { Unanswered } from '../common/unanswered.tsx';
import { useAnswer } from '../common/use-answer.ts';
import { useStore } from '../common/use-store.ts';
import { plansLike } from './plan-like.ts';

/** The plans and the deliveries that have these words. The newest deliveries are first. */
export function Found({ text }: { readonly text: string }) {
  const store = useStore();
  const now = store.now();
  const asked = useAnswer<FoundDeliveries>(`/api/find?text=${encodeURIComponent(text)}`, store.version);
  const plans = plansLike([...store.board.keys()].sort(), text);
  if (asked.state !== 'found') return <Unanswered asked={asked} what={`The search for ${text}`} />;
  const { count, deliveries } = asked.value;
  if (count + plans.length === 0)
    return <p class="empty">No plan is like that, and no delivery of the last nights has these words.</p>;
  return (
    <>
      {plans.length > 0 && (
        <section aria-labelledby="plans-found">
          <h2 id="plans-found">
            {plans.length} {plans.length === 1 ? 'plan has' : 'plans have'} these words
          </h2>
          <ul class="plain">
            {plans.slice(0, MOST).map((plan) => (
              <li key={plan}>
                <a href={linkTo('why', ...plan.split('/'))}>{plan}</a>
              </li>
            ))}
          </ul>
          {plans.length > MOST && (
            <a href={linkWith('tonight', { find: text })}>All {plans.length} on the board</a>
          )}
        </section>
      )}
      {count > 0 && (
        <section>
          <h2 id="found">
            {count} {count === 1 ? 'delivery has' : 'deliveries have'} these words
            {count > deliveries.length && `; the newest ${deliveries.length}`}
          </h2>
          <Table
            heading="found"
            rows={deliveries}
            columns={[timeColumn(now), planColumn, eventColumn, sinkColumn, stateColumn, reasonColumn(now)]}
          />
        </section>
      )}
    </>
  );
}

/** The most plans that are listed. */
const MOST = 20;

const reasonColumn = (now: number): Column<DeliveryRow> => ({
  title: 'Why',
  look: 'words',
  cell: ({ facts, why }) => [localTimes(why, now), facts?.error ?? ''].filter(Boolean).join('; '),
});
