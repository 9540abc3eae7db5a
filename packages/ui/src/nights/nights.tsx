import {
  hasFailed,
  type Difference,
  type Night,
  type NotTold,
  type PlanNight,
  type ShownRun,
} from '@hnotif/core/page';
import { linkTo, useSetting } from '../address.ts';
import { Check, Filters } from '../common/filters.tsx';
import { planColumn, Table, type Column } from '../common/table.tsx';
import { duration, exactTime, localTimes, zoneId, zoneTitle } from '../common/time.ts';
import { Unanswered } from '../common/unanswered.tsx';
import { useAnswer } from '../common/use-answer.ts';
import { useStore } from '../common/use-store.ts';
import { failedInWords } from '@hnotif/core/lifecycle';

const DAY_MS = 86_400_000;

/** A night of all plans: who slept, who failed and why, who was not told. Last night, or the night of a date. */
export function Nights() {
  const store = useStore();
  const [date, setDate] = useSetting('date');
  const [wrong, setWrong] = useSetting('wrong');
  const query = new URLSearchParams({ zone: zoneId(), ...(date !== '' && { date }) });
  const asked = useAnswer<Night>(`/api/night?${query.toString()}`, store.version);
  const night = asked.state === 'found' ? asked.value : undefined;
  const shown = night?.date ?? date;
  const isDate = !Number.isNaN(dayOf(shown));
  return (
    <div class="why">
      <Filters>
        <button type="button" disabled={!isDate} onClick={() => setDate(dayAfter(shown, -1))}>
          The night before
        </button>
        <label>
          Evening of{' '}
          <input type="date" value={shown} onChange={({ currentTarget }) => setDate(currentTarget.value)} />
        </label>
        <button
          type="button"
          disabled={!isDate || night?.isOver === false}
          onClick={() => setDate(dayAfter(shown, 1))}
        >
          The night after
        </button>
        <button type="button" disabled={date === ''} onClick={() => setDate('')}>
          Latest night
        </button>
        <Check
          label="only what is wrong"
          checked={wrong === '1'}
          onChange={(checked) => setWrong(checked ? '1' : '')}
        />
      </Filters>
      {asked.state === 'found' ? (
        <OfNight night={asked.value} onlyWrong={wrong === '1'} now={store.now()} />
      ) : (
        <Unanswered
          asked={asked}
          what={date === '' ? 'The last night' : `The night of ${date}`}
          missing="give a day such as 2026-01-05, the one on which the night began"
        />
      )}
    </div>
  );
}

function OfNight({
  night,
  onlyWrong,
  now,
}: {
  readonly night: Night;
  readonly onlyWrong: boolean;
  readonly now: number;
}) {
  const plans = night.plans.filter((plan) => !onlyWrong || isWrong(plan));
  const hasBegun = Date.parse(night.from) <= now;
  return (
    <section>
      <h2 id="night">
        The night of {night.date}{' '}
        <span class="faint">
          noon to noon, {night.zone}
          {hasBegun && !night.isOver && '; it is not over'}
        </span>
      </h2>
      <p>{hasBegun ? summaryOf(night) : 'It has not begun.'}</p>
      <Missed notTold={night.notTold} now={now} />
      {plans.length > 0 && <Plans plans={plans} now={now} />}
    </section>
  );
}

/** `3 plans: 1 failed, 2 awake` */
function summaryOf({ plans }: Pick<Night, 'plans'>): string {
  if (plans.length === 0)
    return 'Nothing happened: no plan was put to sleep or woken, as far as plans and journals still know.';
  const counts = [...new Set(plans.map(({ state }) => state))].map(
    (state) => `${plans.filter((plan) => plan.state === state).length} ${state}`,
  );
  return `${plans.length} ${plans.length === 1 ? 'plan' : 'plans'}: ${counts.join(', ')}`;
}

/** The midnight of a date in UTC; NaN: it is no date. */
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

const dayAfter = (date: string, days: number): string =>
  new Date(dayOf(date) + days * DAY_MS).toISOString().slice(0, 10);

const isWrong = ({ differences, state }: PlanNight): boolean =>
  hasFailed(state) || state === 'missing' || differences.length > 0;

function Plans({ plans, now }: { readonly plans: readonly PlanNight[]; readonly now: number }) {
  const columns: readonly Column<PlanNight>[] = [
    planColumn,
    {
      title: 'State',
      look: (plan) => (isWrong(plan) ? 'wrong' : undefined),
      cell: ({ state }) => state,
    },
    {
      title: `${zoneTitle()}, and what happened`,
      look: 'words',
      cell: ({ differences, runs }) => (
        <>
          {runs.map((run) => (
            <div key={run.began}>
              <span class="mono">{exactTime(Date.parse(run.began), now).replace(/\.\d+$/, '')}</span>{' '}
              {runInWords(run)}
            </div>
          ))}
          {differences.map((each) => (
            <Different key={each.message} of={each} now={now} />
          ))}
        </>
      ),
    },
    { title: 'Told', cell: toldInWords },
  ];
  return <Table heading="night" columns={columns} rows={plans} isWhole />;
}

const Different = ({ of: { kind, message }, now }: { readonly of: Difference; readonly now: number }) => (
  <div>
    <b class="wrong">{kind}</b> {localTimes(message, now)}
  </div>
);

/** `shutdown completed after 12.0 s`, with the error and the targets that failed. */
function runInWords({ error, failed, operation, retries, seconds, state }: ShownRun): string {
  const took = seconds === undefined ? '' : ` after ${duration(1_000 * seconds)}`;
  const again = retries === 0 ? '' : `, ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
  const why = [error, failed && `failed: ${failedInWords(failed, error)}`].filter(Boolean).join('; ');
  return `${operation} ${state}${took}${again}${why === '' ? '' : `: ${why}`}`;
}

function toldInWords({ deliveries, notifications }: PlanNight): string {
  if (notifications.length === 0) return 'nobody: no notification selects it';
  const count = (wanted: (state: string) => boolean): number =>
    deliveries.reduce((sum, row) => sum + (wanted(row.state) ? row.count : 0), 0);
  const all = count((state) => state !== 'suppressed');
  return all === 0 ? 'no messages' : `${count((state) => state === 'delivered')} of ${all}`;
}

function Missed({ notTold, now }: { readonly notTold: readonly NotTold[]; readonly now: number }) {
  if (notTold.length === 0) return null;
  return (
    <ul class="findings">
      {notTold.map(
        ({ count, event, id, isProblem, namespace, notification, plans, sink, since, state, why }) => (
          <li key={`${namespace} ${notification} ${sink} ${state} ${why}`} class={isProblem ? 'error' : ''}>
            <b>{state === 'waiting' ? 'waits' : 'not told'}</b>{' '}
            <span class="mono">
              {namespace}: {notification}/{sink}
            </span>{' '}
            {id === '' ? event : <a href={linkTo('delivery', id)}>{event}</a>}
            {count > 1 && ` and ${count - 1} more`} of {plans.slice(0, 3).join(', ')}
            {plans.length > 3 && ` and ${plans.length - 3} more plans`} at {localTimes(since, now)}
            {state !== 'waiting' && `: ${state}`}{' '}
            {why !== '' && <span class="faint">({localTimes(why, now)})</span>}
          </li>
        ),
      )}
    </ul>
  );
}
