import {
  addressIdOf,
  type ActionRights,
  type Candidate,
  type DeliveryRow,
  type WhyAnswer,
} from '@hnotif/core/page';
import { linkTo } from '../address.ts';
import { exactTime, localTimes, zoneTitle } from '../common/time.ts';
import { Action } from './action.tsx';
import { Command } from './command.tsx';
import { FindingItem, sinkOf, Unread } from './finding.tsx';
import { isLost, NotAllowed, Replay } from './replay.tsx';

interface AnsweredProps {
  readonly answer: WhyAnswer;
  /** Undefined: not known yet. */
  readonly rights: ActionRights | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The answer, from what needs a correction to what happened. */
export function Answered({ answer, rights, now }: AnsweredProps) {
  const { candidates, deliveries, moments, namespace, plan, unread } = answer;
  // Those that do not match stand below, with the label that differs.
  const findings = answer.findings.filter(({ reason }) => reason !== 'NotSelected');
  return (
    <>
      <section aria-labelledby="findings">
        <h2 id="findings">
          {plan} <span class="faint">{namespace}</span>
        </h2>
        {findings.length === 0 && <p class="good">Nothing is wrong with the notifications.</p>}
        <ul class="findings">
          {findings.map((each, at) => (
            <FindingItem key={at} finding={each} now={now}>
              <span class="mono">{sinkOf(each)}</span>
            </FindingItem>
          ))}
        </ul>
        <Unread sentences={unread} />
      </section>
      <section aria-labelledby="candidates">
        <h3 id="candidates">Notifications of namespace {namespace}</h3>
        <Candidates candidates={candidates} namespace={namespace} rights={rights} />
      </section>
      <section>
        <h3 id="deliveries">Deliveries</h3>
        <Deliveries deliveries={deliveries} now={now} />
        <Replay deliveries={deliveries} namespace={namespace} plan={plan} why={rights?.replay} />
      </section>
      <section>
        <h3 id="moments">What happened</h3>
        <div class="scroll" tabIndex={0} role="region" aria-labelledby="moments">
          <table>
            <thead>
              <tr>
                <th scope="col">{zoneTitle()}</th>
                <th scope="col">About</th>
                <th scope="col">What</th>
              </tr>
            </thead>
            <tbody>
              {[...moments].reverse().map((moment, at) => (
                <tr key={at}>
                  <td class="mono">{exactTime(Date.parse(moment.at), now)}</td>
                  <td class="mono">{moment.about}</td>
                  <td>{localTimes(moment.what, now)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <section aria-labelledby="commands">
        <h3 id="commands">The same in a terminal</h3>
        <Command text={`hnotif why plan/${plan} -n ${namespace}`} />
        <Command text={`hnotif trace ${plan} -n ${namespace}`} />
        {isLost(deliveries) && <Command text={`hnotif replay ${plan} -n ${namespace}`} />}
      </section>
    </>
  );
}

interface CandidatesProps extends Pick<AnsweredProps, 'rights'> {
  readonly candidates: readonly Candidate[];
  readonly namespace: string;
}

function Candidates({ candidates, namespace, rights }: CandidatesProps) {
  if (candidates.length === 0)
    return <p class="wrong">There is none. A notification must be in the namespace of its plans.</p>;
  return (
    <>
      <ul class="plain">
        {candidates.map(({ difference, isMatch, name, onEvents, sinks }) => (
          <li key={name}>
            <b>{isMatch ? '✓' : '✕'}</b> <span class="mono">{name}</span>{' '}
            {isMatch ? (
              <>
                <span class="faint">
                  {onEvents.join(', ')} → {sinks.map((sink) => `${sink.name} (${sink.type})`).join(', ')}
                </span>{' '}
                {rights?.send === '' &&
                  sinks.map(({ name: sink }) => (
                    <Action
                      key={sink}
                      request={{ action: 'send', namespace, notification: name, sink }}
                      label={`Send a test to ${sink}`}
                      meaning={`A test message, the Start of an example plan called TEST-…, goes to sink ${sink} of ${name} now, from this machine.`}
                    />
                  ))}
              </>
            ) : (
              difference
            )}
          </li>
        ))}
      </ul>
      <NotAllowed what="No test can be sent from here" why={rights?.send} />
    </>
  );
}

/** The event, with a link to its delivery if that has an id. */
function DeliveryLink({ row }: { readonly row: DeliveryRow }) {
  const id = addressIdOf(row);
  return id === undefined ? <>{row.event}</> : <a href={linkTo('delivery', id)}>{row.event}</a>;
}

function Deliveries({
  deliveries,
  now,
}: {
  readonly deliveries: readonly DeliveryRow[];
  readonly now: number;
}) {
  if (deliveries.length === 0) return <p class="faint">The journal knows of none.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-labelledby="deliveries">
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Event</th>
            <th scope="col">Sink</th>
            <th scope="col">State</th>
            <th scope="col">{zoneTitle()}</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {[...deliveries].reverse().map((row) => (
            <tr key={`${row.seq} ${row.notification}/${row.sink} ${row.state} ${row.at}`}>
              <td>{row.seq}</td>
              <td>
                <DeliveryLink row={row} />
              </td>
              <td class="mono">
                {row.notification}/{row.sink}
              </td>
              <td class={`state ${row.state}`}>
                {row.state}
                {row.count > 1 && ` (${row.count})`}
              </td>
              <td class="mono">{exactTime(Date.parse(row.at), now)}</td>
              <td>{localTimes(row.why, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
