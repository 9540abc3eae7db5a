import type { WhyAnswer, ActionRights } from '@hnotif/core/page';
import { linkTo, useSetting } from '../address.ts';
import { useAnswer } from '../common/use-answer.ts';
import { useStore } from '../common/use-store.ts';
import { Answered } from './answered.tsx';
import { Found } from './found.tsx';
import { PlanChooser } from './plan-chooser.tsx';

/** Where the notifications of a plan are. */
export function Why({ rest: [namespace, name] }: { readonly rest: readonly string[] }) {
  const store = useStore();
  const key = `${namespace ?? ''}/${name ?? ''}`;
  const [find] = useSetting('find');
  const words = find.trim();
  const chosen = namespace !== undefined && name !== undefined;
  const path = chosen
    ? `/api/why?namespace=${encodeURIComponent(namespace)}&name=${encodeURIComponent(name)}`
    : undefined;
  // Again as soon as the row on the board has changed, and when something else has.
  const asked = useAnswer<WhyAnswer>(path, store.board.get(key), store.version);
  const rights = useAnswer<ActionRights>(
    chosen ? `/api/rights?namespace=${encodeURIComponent(namespace)}` : undefined,
  );
  return (
    <div class="why">
      <PlanChooser
        plans={[...store.board.keys()].sort()}
        chosen={chosen ? key : words}
        onChoose={(plan) => {
          location.hash = linkTo('why', ...plan.split('/'));
        }}
      />
      {!chosen && words !== '' && <Found text={words} />}
      {!chosen && words === '' && (
        <p class="empty">Choose a plan: what became of each of its events, and why.</p>
      )}
      {chosen && asked.state === 'asking' && <p class="empty">Reading …</p>}
      {chosen && asked.state === 'failed' && (
        <p class="empty">
          {asked.isMissing
            ? `Nothing is known about ${key}: ${asked.why}. It may have been deleted.`
            : `${key} could not be read: ${asked.why}.`}
        </p>
      )}
      {asked.state === 'found' && (
        <Answered
          answer={asked.value}
          rights={rights.state === 'found' ? rights.value : undefined}
          now={store.now()}
        />
      )}
    </div>
  );
}
