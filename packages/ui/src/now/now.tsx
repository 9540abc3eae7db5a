import type { Cause, NowAnswer } from '@hnotif/core/page';
import { linkWith, useSetting } from '../address.ts';
import { Find, Filters } from '../common/filters.tsx';
import { localTimes } from '../common/time.ts';
import { Unanswered } from '../common/unanswered.tsx';
import { useAnswer } from '../common/use-answer.ts';
import { useStore } from '../common/use-store.ts';

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
        {causes.length === 0 && <p class="good">Nothing is wrong: all messages arrive.</p>}
        {causes.length > 0 && shown.length === 0 && <p class="empty">No cause is like that.</p>}
        <ul class="findings">
          {shown.map((cause) => (
            <li key={textOf(cause)} class={cause.severity}>
              <b>{cause.severity}</b>{' '}
              <a
                class="mono"
                href={linkWith('tonight', {
                  namespace: cause.namespace,
                  find: cause.sink === '' ? cause.notification : `${cause.notification}/${cause.sink}`,
                })}
              >
                {cause.namespace}: {cause.notification}
                {cause.sink !== '' && `/${cause.sink}`}
              </a>{' '}
              {localTimes(cause.message, store.now())} <span class="faint">({cause.reason})</span>
            </li>
          ))}
        </ul>
        {unread.map((sentence) => (
          <p key={sentence} class="faint">
            Not shown: {sentence}
          </p>
        ))}
      </section>
    </div>
  );
}

const textOf = ({ message, namespace, notification, reason, sink }: Cause): string =>
  [`${namespace}/${notification}/${sink}`, reason, message].join(' ');
