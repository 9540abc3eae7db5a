import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { exampleSource } from '@hnotif/core/render';
import { EVENT_KINDS, type EventKind } from '@hnotif/core/resources';
import { eventJson } from './event-json.ts';
import type { PlanName, Plans } from './use-event.ts';
import { EXAMPLE_EVENT, OPERATIONS, TARGET_COUNTS, type EventChoice } from './work.ts';
import { Choice } from '../common/choice.tsx';
import { Check } from '../common/filters.tsx';

export interface EventChooserProps {
  readonly event: EventChoice;
  readonly plans: Plans | undefined;
  /** Why the event cannot be used. */
  readonly problem: string | undefined;
  readonly onChange: (event: EventChoice) => void;
}

const FROM: Readonly<Record<EventChoice['from'], string>> = {
  example: 'an example',
  plan: 'a plan of the cluster',
  json: 'own JSON',
};

/** What the message is about. */
export function EventChooser({ event, plans, problem, onChange }: EventChooserProps) {
  const kind = 'kind' in event ? event.kind : 'Failure';
  /** The last event of each source that was left for another one. */
  const left = useRef(new Map<EventChoice['from'], EventChoice>());
  const sources = (['example', 'plan', 'json'] as const).filter(
    (from) => from !== 'plan' || plans !== undefined || event.from === 'plan',
  );
  return (
    <fieldset class="chooser">
      <legend>Event</legend>
      <Choice
        label="Event"
        value={event.from}
        options={sources.map((from) => [from, FROM[from]])}
        onChange={(from) => {
          left.current.set(event.from, event);
          onChange(left.current.get(from) ?? begun(from, kind));
        }}
      />
      {event.from !== 'json' && (
        <Choice
          label="Kind"
          value={event.kind}
          options={EVENT_KINDS.map((each) => [each, each])}
          onChange={(each) => {
            onChange({ ...event, kind: each });
          }}
        />
      )}
      {event.from === 'example' && <Example event={event} onChange={onChange} />}
      {event.from === 'plan' && <PlanChooser event={event} plans={plans} onChange={onChange} />}
      {event.from === 'json' ? (
        <OwnJson text={event.text} problem={problem} onChange={onChange} />
      ) : (
        problem !== undefined && <p class="problem">{problem}</p>
      )}
    </fieldset>
  );
}

/** The first choice of a source. */
function begun(from: EventChoice['from'], kind: EventKind): EventChoice {
  switch (from) {
    case 'example':
      return { ...EXAMPLE_EVENT, kind };
    case 'plan':
      return { from, kind, namespace: '', name: '' };
    case 'json':
      return { from, text: eventJson(exampleSource(kind, 'webhook', 'shutdown')) };
  }
}

type Of<From extends EventChoice['from']> = Extract<EventChoice, { from: From }>;

function Example({
  event,
  onChange,
}: {
  readonly event: Of<'example'>;
  readonly onChange: EventChooserProps['onChange'];
}) {
  return (
    <>
      <Choice
        label="Operation"
        value={event.operation}
        options={OPERATIONS.map((each) => [each, each])}
        onChange={(operation) => {
          onChange({ ...event, operation });
        }}
      />
      <Choice
        label="Targets"
        value={String(event.targets)}
        options={TARGET_COUNTS.map((each) => [String(each), each === 0 ? 'none' : String(each)])}
        onChange={(targets) => {
          onChange({ ...event, targets: TARGET_COUNTS.find((each) => String(each) === targets) ?? 3 });
        }}
      />
      <Check
        label="hostile texts"
        checked={event.hostile}
        onChange={(hostile) => {
          onChange({ ...event, hostile });
        }}
      />
    </>
  );
}

function PlanChooser({
  event,
  plans,
  onChange,
}: {
  readonly event: Of<'plan'>;
  readonly plans: Plans | undefined;
  readonly onChange: EventChooserProps['onChange'];
}) {
  const [names, setNames] = useState<readonly PlanName[]>([]);
  const [why, setWhy] = useState('');
  useEffect(() => {
    plans?.list().then(setNames, (error: unknown) => {
      setWhy(error instanceof Error ? error.message : String(error));
    });
  }, [plans]);
  const chosen = `${event.namespace}/${event.name}`;
  const all = names.map(({ namespace, name }) => `${namespace}/${name}`);
  const known = event.name === '' || all.includes(chosen) ? all : [chosen, ...all];
  return (
    <>
      <Choice
        label="Plan"
        value={event.name === '' ? '' : chosen}
        options={[['', 'choose one'], ...known.map((each) => [each, each] as const)]}
        onChange={(each) => {
          const [namespace = '', name = ''] = each.split('/');
          onChange({ ...event, namespace, name });
        }}
      />
      {why !== '' && <p class="problem">The plans cannot be listed: {why}</p>}
    </>
  );
}

function OwnJson({
  text,
  problem,
  onChange,
}: {
  readonly text: string;
  readonly problem: string | undefined;
  readonly onChange: EventChooserProps['onChange'];
}) {
  const id = useId();
  return (
    <div class="own">
      <label for={id}>JSON of the event, or what a webhook received</label>
      <textarea
        id={id}
        class="mono"
        rows={7}
        spellcheck={false}
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={({ currentTarget }) => {
          onChange({ from: 'json', text: currentTarget.value });
        }}
      />
      <p id={`${id}-problem`} class="problem" role="status">
        {problem}
      </p>
    </div>
  );
}
