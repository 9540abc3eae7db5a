import { lazy, Suspense } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import {
  formatAddress,
  linkTo,
  parseAddress,
  useAddress,
  useSetting,
  VIEWS,
  type Address,
  type View,
} from './address.ts';
import { Choice } from './common/choice.tsx';
import { localTimes, showTimesIn } from './common/time.ts';
import { useStore } from './common/use-store.ts';
import { PLANS } from './plans.ts';
import { Messages } from './messages/messages.tsx';
import type { Link } from './store.ts';
import { Tonight } from './tonight/tonight.tsx';
import { Why } from './why/why.tsx';

const TITLES: Readonly<Record<View, string>> = {
  tonight: 'Tonight',
  messages: 'Messages',
  why: 'Where is it?',
  template: 'Template',
};

/** The head of the page with its tabs, and the view that the address names. */
export function Shell() {
  const store = useStore();
  const { head, link } = store;
  const address = useAddress();
  const [zone, setZone] = useSetting('zone');
  showTimesIn(zone);
  const isHeard = link === 'live' || link === 'connecting';
  const left = useRef(new Map<View, string>());
  left.current.set(address.view, formatAddress(address));
  const { namespace, leader, serving, unseen } = head;
  useEffect(() => {
    document.title = `${TITLES[address.view]} · hnotif`;
  }, [address.view]);
  return (
    <>
      <header class="bar">
        <h1>hnotif</h1>
        <nav class="tabs" aria-label="Views">
          {VIEWS.map((each) => (
            <a
              key={each}
              href={each === address.view ? linkTo(each) : addressOf(each, left.current)}
              aria-current={each === address.view ? 'page' : undefined}
            >
              {TITLES[each]}
            </a>
          ))}
        </nav>
        <Choice
          label="Times"
          value={zone}
          options={[...new Set(['', 'UTC', zone])].map((each) => [each, each === '' ? 'local' : each])}
          onChange={setZone}
        />
        <p class={`leader ${serving} ${isHeard ? '' : 'stale'}`}>{localTimes(leader, store.now())}</p>
        {namespace !== undefined && <p class="faint">namespace {namespace}</p>}
      </header>
      <div role="status">
        {LINKS[link] !== undefined && <p class="banner">{LINKS[link]}</p>}
        {unseen.map((sentence) => (
          <p key={sentence} class="banner">
            {sentence}
          </p>
        ))}
      </div>
      <main class={isHeard ? undefined : 'stale'}>
        <CurrentView {...address} />
      </main>
    </>
  );
}

/** A view as it was left, in the zone of now. */
function addressOf(view: View, left: ReadonlyMap<View, string>): string {
  const { rest, query: { zone: _, ...query } = {} } = parseAddress(left.get(view) ?? `#${view}`);
  const { zone } = parseAddress(location.hash).query ?? {};
  return formatAddress({ view, rest, query: zone === undefined ? query : { ...query, zone } });
}

/** It is as large as all the rest. */
const Editor = lazy(() => import('./editor/editor.tsx').then(({ Editor: component }) => component));

const LINKS: Readonly<Record<Link, string | undefined>> = {
  connecting: undefined,
  live: undefined,
  silent: 'The program has not said a word for 12 s. What you see is what was known then; trying again.',
  lost: 'The connection to the program was lost. What you see is what was known then; trying again.',
  ended: 'The program does not know this page any more. Open the address that it printed when it started.',
};

function CurrentView({ view, rest }: Address) {
  switch (view) {
    case 'tonight':
      return <Tonight />;
    case 'messages':
      return <Messages id={rest[0]} />;
    case 'why':
      return <Why rest={rest} />;
    case 'template':
      return (
        <Suspense fallback={<p class="empty">Loading …</p>}>
          <Editor rest={rest} plans={PLANS} />
        </Suspense>
      );
  }
}
