import { useRef } from 'preact/hooks';
import type { Mark } from './marks.ts';

export interface FindingsProps {
  readonly template: string;
  readonly marks: readonly Mark[];
  /** Whether something is wrong with the message. */
  readonly hasFaults: boolean;
  readonly onFix: (template: string) => void;
}

/** What is wrong in the template, with a button for each fix that is known. */
export function Findings({ template, marks, hasFaults, onFix }: FindingsProps) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div class="lint" role="status" aria-label="Mistakes in the template" ref={box} tabIndex={-1}>
      {marks.length === 0 && hasFaults && <p>See under “Message” what is wrong.</p>}
      {marks.length === 0 && !hasFaults && <p class="good">No mistakes found in the template.</p>}
      {marks.length > 0 && (
        <ul>
          {marks.map(({ from, severity, message, fix }) => (
            <li key={`${from} ${message}`} class={severity}>
              <span class="place">{placeOf(template, from)}</span>
              <span class="what">
                <b>{severity === 'error' ? 'Error' : 'Warning'}:</b> {message}
              </span>
              {fix !== undefined && (
                <button
                  type="button"
                  onClick={() => {
                    // The button goes away with the mistake: the focus must not go with it.
                    box.current?.focus();
                    onFix(template.slice(0, fix.from) + fix.insert + template.slice(fix.to));
                  }}
                >
                  Write <code>{fix.insert}</code>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return `line ${line}`;
}
