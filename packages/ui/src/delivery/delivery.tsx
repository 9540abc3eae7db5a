import {
  type ActionRights,
  type DeliveryRow,
  type EventStory,
  type Moment,
  requestsOf,
  withRequests,
} from '@hnotif/core/page';
import { linkTo } from '../address.ts';
import { sinkColumn, stateColumn, Table, timeColumn, whyColumn } from '../common/table.tsx';
import { duration, exactTime, localTimes } from '../common/time.ts';
import { Unanswered } from '../common/unanswered.tsx';
import { useAnswer } from '../common/use-answer.ts';
import { useStore } from '../common/use-store.ts';
import { Command } from '../why/command.tsx';
import { Replay } from '../why/replay.tsx';
import { failedInWords } from '@hnotif/core/lifecycle';
import { DeliveryMessage } from './delivery-message.tsx';
import { Requests } from './requests.tsx';

/** One event with its deliveries: what was true then, what became of it, and what came before and after. `id`: of the event or of a message. */
export function Delivery({ id }: { readonly id: string | undefined }) {
  const store = useStore();
  const asked = useAnswer<EventStory>(
    id === undefined || id === '' ? undefined : `/api/event?id=${encodeURIComponent(id)}`,
    store.version,
  );
  const namespace = asked.state === 'found' ? asked.value.namespace : undefined;
  const rights = useAnswer<ActionRights>(
    namespace === undefined ? undefined : `/api/rights?namespace=${encodeURIComponent(namespace)}`,
  );
  if (id === undefined || id === '') return <p class="empty">The address has no id of a delivery.</p>;
  if (asked.state !== 'found')
    return (
      <Unanswered
        asked={asked}
        what={`Delivery ${id}`}
        missing="a journal keeps the messages of the last nights, fewer of a plan that has many"
      />
    );
  const mayNotReplay = rights.state === 'found' ? rights.value.replay : undefined;
  return <Story story={asked.value} now={store.now()} mayNotReplay={mayNotReplay} />;
}

interface StoryProps {
  readonly story: EventStory;
  readonly now: number;
  /** Why the user may not; `''`: they may. Undefined: that is not known yet. */
  readonly mayNotReplay: string | undefined;
}

function Story({ story, now, mayNotReplay }: StoryProps) {
  const { after, before, deliveries, event, id, namespace, plan } = story;
  return (
    <div class="why">
      <section aria-labelledby="event">
        <h2 id="event">
          {event} of <a href={linkTo('why', namespace, plan)}>{plan}</a>{' '}
          <span class="faint">{namespace}</span>
        </h2>
        <FactsThen story={story} now={now} />
      </section>
      <section>
        <h3 id="sinks">Deliveries</h3>
        <Table
          heading="sinks"
          rows={deliveries}
          columns={[
            sinkColumn,
            stateColumn,
            timeColumn(now),
            { title: 'Requests', cell: requestsOf },
            { title: 'Message', look: 'mono', cell: messageLink },
            whyColumn(now),
          ]}
        />
        <Replay deliveries={deliveries} namespace={namespace} plan={plan} why={mayNotReplay} />
      </section>
      {withRequests(deliveries).map((row) => (
        <Requests key={`${row.notification}/${row.sink} ${row.at}`} row={row} now={now} />
      ))}
      <DeliveryMessage story={story} row={deliveries.length === 1 ? deliveries[0] : undefined} />
      <Moments title="Before" moments={before.slice(-AROUND)} now={now} />
      <Moments title="After" moments={after.slice(0, AROUND)} now={now} />
      <section aria-labelledby="commands">
        <h3 id="commands">The same in a terminal</h3>
        <Command text={`hnotif trace ${id} -n ${namespace}`} />
      </section>
    </div>
  );
}

const messageLink = ({ message }: DeliveryRow) =>
  message !== undefined && <a href={linkTo('delivery', message)}>{message}</a>;

/** So many moments before and after. */
const AROUND = 10;

/** What was true of the plan at the event. */
function FactsThen({ story: { facts, id, seq }, now }: Pick<StoryProps, 'story' | 'now'>) {
  const rows: readonly (readonly [string, string])[] = [
    ['Number', `#${seq}`],
    ['Id', id],
    ...(facts === undefined
      ? []
      : ([
          ['Time', exactTime(Date.parse(facts.time), now)],
          [
            'Operation',
            `${facts.operation}${facts.took === undefined ? '' : `, after ${duration(1_000 * facts.took)}`}`,
          ],
          ['Phase', facts.phase],
          ['Error', facts.error ?? ''],
          ['Failed', facts.failed === undefined ? '' : failedInWords(facts.failed, facts.error)],
        ] as const)),
  ];
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class={label === 'Error' || label === 'Failed' ? 'wrong' : undefined}>
              {label === 'Id' ? <a href={linkTo('delivery', value)}>{value}</a> : value}
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Moments({
  title,
  moments,
  now,
}: {
  readonly title: string;
  readonly moments: readonly Moment[];
  readonly now: number;
}) {
  if (moments.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul class="plain">
        {moments.map((moment, at) => (
          <li key={at}>
            <span class="mono">{exactTime(Date.parse(moment.at), now)}</span> <b>{moment.about}</b>{' '}
            {localTimes(moment.what, now)}
          </li>
        ))}
      </ul>
    </section>
  );
}
