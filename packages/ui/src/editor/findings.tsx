import type { Mark } from './marks.ts';

export interface FindingsProps {
  readonly template: string;
  readonly marks: readonly Mark[];
  readonly onFix: (template: string) => void;
}

/** What is wrong in the template, with a button for each fix that is known. */
export function Findings({ template, marks, onFix }: FindingsProps) {
  return (
    <div class="lint" role="status" aria-label="Mistakes in the template">
      {marks.length === 0 ? (
        <p class="good">No mistakes found in the template.</p>
      ) : (
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
