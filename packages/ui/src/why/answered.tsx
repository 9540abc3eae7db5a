import type { Candidate, DeliveryRow, WhyAnswer, ActionRights } from '@hnotif/core/page';
import { exactTime, localTimes, zoneTitle } from '../common/time.ts';
import { Action } from './action.tsx';
import { Command } from './command.tsx';

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
  const isLost = deliveries.some(({ state }) => state === 'failed' || state === 'dropped');
  return (
    <>
      <section aria-labelledby="findings">
        <h2 id="findings">
          {plan} <span class="faint">{namespace}</span>
        </h2>
        {findings.length === 0 && <p class="good">Nothing is wrong with the notifications.</p>}
        <ul class="findings">
          {findings.map((each, at) => (
            <li key={at} class={each.severity}>
              <b>{each.severity}</b>{' '}
              <span class="mono">
                {each.sink === '' ? each.notification : `${each.notification}/${each.sink}`}
              </span>{' '}
              {localTimes(each.message, now)} <span class="faint">({each.reason})</span>
            </li>
          ))}
        </ul>
        {unread.map((sentence) => (
          <p key={sentence} class="faint">
            Not shown: {sentence}
          </p>
        ))}
      </section>
      <section aria-labelledby="candidates">
        <h3 id="candidates">Notifications of namespace {namespace}</h3>
        <Candidates candidates={candidates} namespace={namespace} rights={rights} />
      </section>
      <section>
        <h3 id="deliveries">Deliveries</h3>
        <Deliveries deliveries={deliveries} now={now} />
        {isLost && rights?.replay === '' && (
          <p>
            <Action
              request={{ action: 'replay', namespace, plan }}
              label="Replay lost deliveries"
              meaning={`hnotif sends what failed or was dropped of plan ${plan} once more, to all its sinks, under the same ids.`}
            />
          </p>
        )}
        {isLost && <NotAllowed what="Nothing can be sent again from here" why={rights?.replay} />}
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
        {isLost && <Command text={`hnotif replay ${plan} -n ${namespace}`} />}
      </section>
    </>
  );
}

/** What the user may not do is named, in place of the button. */
const NotAllowed = ({ what, why = '' }: { readonly what: string; readonly why: string | undefined }) =>
  why === '' ? null : (
    <p class="faint">
      {what}: {why}.
    </p>
  );

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
          {[...deliveries].reverse().map((row, at) => (
            <tr key={at}>
              <td>{row.seq}</td>
              <td>{row.event}</td>
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
