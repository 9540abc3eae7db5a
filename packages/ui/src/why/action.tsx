import { useRef, useState } from 'preact/hooks';
import { argumentsOf, type ActionAnswer, type ActionRequest } from '@hnotif/core/page';
import { localTimes } from '../common/time.ts';
import { answerTo } from '../common/use-answer.ts';

interface ActionProps {
  readonly request: ActionRequest;
  /** What the button says. */
  readonly label: string;
  /** What will happen, in a sentence. */
  readonly meaning: string;
  /** Whether there is a button. Default: there is. Without one, a dialog that is open stays, so that its answer can be read. */
  readonly isOffered?: boolean;
}

type State =
  | { readonly kind: 'asked' }
  | { readonly kind: 'running' }
  | { readonly kind: 'answered'; readonly answer: ActionAnswer };

/** A button that does something for the user, after a confirmation that shows the command. */
export function Action({ request, label, meaning, isOffered = true }: ActionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [state, setState] = useState<State>({ kind: 'asked' });
  const close = (): void => dialog.current?.close();
  return (
    <>
      {isOffered && (
        <button
          type="button"
          onClick={() => {
            setState((before) => (before.kind === 'running' ? before : { kind: 'asked' }));
            dialog.current?.showModal();
          }}
        >
          {label}
        </button>
      )}
      <dialog ref={dialog} aria-label={label}>
        <p>{meaning}</p>
        <p class="command">
          <code>hnotif {argumentsOf(request).join(' ')}</code>
        </p>
        <div role="status">
          {state.kind === 'running' && <p>Please wait …</p>}
          {state.kind === 'answered' && (
            <pre class={state.answer.isDone ? 'good' : 'wrong'}>
              {localTimes(state.answer.lines.join('\n'), Date.now())}
            </pre>
          )}
        </div>
        <p class="buttons">
          {state.kind !== 'answered' && (
            <button
              type="button"
              disabled={state.kind === 'running'}
              onClick={() => {
                setState({ kind: 'running' });
                void perform(request).then((answer) => {
                  setState({ kind: 'answered', answer });
                });
              }}
            >
              Send
            </button>
          )}{' '}
          {/* Not Send: a key that is held down would confirm what it has opened. */}
          <button type="button" autofocus onClick={close}>
            {state.kind === 'asked' ? 'Cancel' : 'Close'}
          </button>
        </p>
      </dialog>
    </>
  );
}

/** Never rejects: what went wrong is a line of the answer. */
async function perform(request: ActionRequest): Promise<ActionAnswer> {
  try {
    return await answerTo<ActionAnswer>('/api/action', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
  } catch (error) {
    return { isDone: false, lines: [error instanceof Error ? error.message : String(error)] };
  }
}
