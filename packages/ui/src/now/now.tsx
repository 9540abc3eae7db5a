import type { Cause, NowAnswer } from '@hnotif/core/page';
import { linkWith, useSetting } from '../address.ts';
import { Find, Filters } from '../common/filters.tsx';
import { Unanswered } from '../common/unanswered.tsx';
import { useAnswer } from '../common/use-answer.ts';
import { useStore } from '../common/use-store.ts';
import { FindingItem, sinkOf, Unread } from '../why/finding.tsx';

/** What is wrong now: a line for each cause, the worst first. */
export function Now() {
  const store = useStore();
  const [text, setText] = useSetting('find');
  // Again whenever something has changed.
  const asked = useAnswer<NowAnswer>('/api/now', store.version);
  if (asked.state !== 'found') return <Unanswered asked={asked} what="What is wrong" />;
  const { causes, unread } = asked.value;
  const wanted = text.trim().toLowerCase();
  const shown = causes.filter((cause) => wanted === '' || textOf(cause).toLowerCase().includes(wanted));
  return (
    <div class="why">
      <Filters>
        <Find placeholder="namespace, sink or reason" value={text} onChange={setText} />
        <span class="faint">
          {shown.length} {shown.length === 1 ? 'cause' : 'causes'}
        </span>
      </Filters>
      <section aria-labelledby="causes">
        <h2 id="causes">What needs a look</h2>
        {causes.length === 0 && (
          <p class="good">Nothing is wrong with the notifications: all messages arrive.</p>
        )}
        {causes.length > 0 && shown.length === 0 && <p class="empty">No cause is like that.</p>}
        <ul class="findings">
          {shown.map((cause) => (
            <FindingItem key={textOf(cause)} finding={cause} now={store.now()}>
              <a class="mono" href={linkWith('tonight', { namespace: cause.namespace, find: sinkOf(cause) })}>
                {cause.namespace}: {sinkOf(cause)}
              </a>
            </FindingItem>
          ))}
        </ul>
        <Unread sentences={unread} />
      </section>
    </div>
  );
}

const textOf = ({ message, namespace, notification, reason, sink }: Cause): string =>
  [`${namespace}/${notification}/${sink}`, reason, message].join(' ');
