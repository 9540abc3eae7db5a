import type { ComponentChildren } from 'preact';

/** Controls that choose what is shown. Each change counts at once, so Enter does nothing. */
export function Filters({ children }: { readonly children: ComponentChildren }) {
  return (
    <form
      class="filters"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      {children}
    </form>
  );
}

interface FindProps {
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

/** A field for a text that must be in what is shown. */
export function Find({ value, placeholder, onChange }: FindProps) {
  return (
    <label>
      Find{' '}
      <input
        type="search"
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value);
        }}
      />
    </label>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A box to tick, with its label. */
export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.checked);
        }}
      />
      {label}
    </label>
  );
}
