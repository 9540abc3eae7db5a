import { type ActionRights, type Candidate, type DeliveryRow, type WhyAnswer } from '@hnotif/core/page';
import { eventColumn, sinkColumn, stateColumn, Table, timeColumn, whyColumn } from '../common/table.tsx';
import { localTimes } from '../common/time.ts';
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
        <Table
          heading="moments"
          rows={[...moments].reverse()}
          columns={[
            timeColumn(now),
            { title: 'About', look: 'mono', cell: ({ about }) => about },
            { title: 'What', look: 'words', cell: ({ what }) => localTimes(what, now) },
          ]}
        />
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

function Deliveries({
  deliveries,
  now,
}: {
  readonly deliveries: readonly DeliveryRow[];
  readonly now: number;
}) {
  if (deliveries.length === 0) return <p class="faint">The journal knows of none.</p>;
  return (
    <Table
      heading="deliveries"
      rows={[...deliveries].reverse()}
      columns={[
        { title: '#', cell: ({ seq }) => seq },
        eventColumn,
        sinkColumn,
        stateColumn,
        timeColumn(now),
        whyColumn(now),
      ]}
    />
  );
}
