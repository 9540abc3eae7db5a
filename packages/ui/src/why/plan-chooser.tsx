import { EVENT_ID } from '@hnotif/core/resources';
import { useEffect, useState } from 'preact/hooks';
import { linkTo, linkWith } from '../address.ts';
import { planNamed } from './plan-like.ts';

interface PlanChooserProps {
  /** `namespace/name`, in order. */
  readonly plans: readonly string[];
  readonly chosen: string;
  readonly onChoose: (plan: string) => void;
}

/** A field that completes the names of plans. It also takes an id. Any other text is searched. */
export function PlanChooser({ plans, chosen, onChoose }: PlanChooserProps) {
  const [text, setText] = useState(chosen);
  useEffect(() => {
    setText(chosen);
  }, [chosen]);
  const take = (value: string): void => {
    setText(value);
    if (plans.includes(value)) onChoose(value);
  };
  return (
    <form
      class="filters"
      aria-label="Choose a plan"
      onSubmit={(event) => {
        event.preventDefault();
        if (EVENT_ID.test(text.trim())) {
          location.hash = linkTo('delivery', text.trim());
          return;
        }
        const found = planNamed(plans, text);
        if (found === undefined) {
          if (text.trim() !== '') location.hash = linkWith('why', { find: text.trim() });
          return;
        }
        setText(found);
        onChoose(found);
      }}
    >
      <label>
        Plan{' '}
        <input
          list="plans"
          size={32}
          placeholder="a plan, an id, or words"
          value={text}
          onInput={(event) => {
            take(event.currentTarget.value);
          }}
        />
      </label>
      <datalist id="plans">
        {plans.slice(0, MOST).map((plan) => (
          <option key={plan} value={plan} />
        ))}
      </datalist>
      <button type="submit">Show</button>
      <span class="faint" role="status">
        {plans.length} {plans.length === 1 ? 'plan' : 'plans'}
      </span>
    </form>
  );
}

/** A browser shows some ten; more names only cost time. */
const MOST = 1_000;
