import { addressIdOf, type FoundDeliveries } from '@hnotif/core/page';
import { linkTo } from '../address.ts';
import { exactTime, localTimes, zoneTitle } from '../common/time.ts';
import { Unanswered } from '../common/unanswered.tsx';
import { useAnswer } from '../common/use-answer.ts';
import { useStore } from '../common/use-store.ts';

/** The deliveries that have these words, the newest first. */
export function Found({ text }: { readonly text: string }) {
  const store = useStore();
  const now = store.now();
  const asked = useAnswer<FoundDeliveries>(`/api/find?text=${encodeURIComponent(text)}`, store.version);
  if (asked.state !== 'found') return <Unanswered asked={asked} what={`The search for ${text}`} />;
  const { count, deliveries } = asked.value;
  if (count === 0)
    return <p class="empty">No plan is like that, and no delivery of the last nights has these words.</p>;
  return (
    <section>
      <h2 id="found">
        {count} {count === 1 ? 'delivery has' : 'deliveries have'} these words
        {count > deliveries.length && `; the newest ${deliveries.length}`}
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="found">
        <table>
          <thead>
            <tr>
              <th scope="col">{zoneTitle()}</th>
              <th scope="col">Plan</th>
              <th scope="col">Event</th>
              <th scope="col">Sink</th>
              <th scope="col">State</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((row, at) => {
              const id = addressIdOf(row);
              const { event, facts, namespace, notification, plan, sink, state, why } = row;
              return (
                <tr key={at}>
                  <td class="mono">{exactTime(Date.parse(row.at), now)}</td>
                  <td>
                    <a href={linkTo('why', namespace, plan)}>{plan}</a> <span class="faint">{namespace}</span>
                  </td>
                  <td>{id === undefined ? event : <a href={linkTo('delivery', id)}>{event}</a>}</td>
                  <td class="mono">
                    {notification}/{sink}
                  </td>
                  <td class={`state ${state}`}>{state}</td>
                  <td>{[localTimes(why, now), facts?.error ?? ''].filter(Boolean).join('; ')}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
