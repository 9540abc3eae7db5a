import { useEffect, useState } from 'preact/hooks';

interface PlanChooserProps {
  /** `namespace/name`, in order. */
  readonly plans: readonly string[];
  readonly chosen: string;
  readonly onChoose: (plan: string) => void;
}

/** A field that completes the names of plans. */
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
      aria-label="Plan"
      onSubmit={(event) => {
        event.preventDefault();
        const found = plans.find((plan) => plan.includes(text.trim()));
        if (found !== undefined) take(found);
      }}
    >
      <label>
        Plan{' '}
        <input
          list="plans"
          size={32}
          placeholder="namespace/name"
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
      <span class="faint">{plans.length} plans</span>
    </form>
  );
}

/** A browser shows some ten; more names only cost time. */
const MOST = 1_000;
