import { lazy, Suspense } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import { formatAddress, useAddress, VIEWS, type Address, type View } from './address.ts';
import { localTimes } from './common/time.ts';
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
              href={formatAddress({ view: each, rest: [] })}
              aria-current={each === address.view ? 'page' : undefined}
            >
              {TITLES[each]}
            </a>
          ))}
        </nav>
        <p class={`leader ${serving}`}>{localTimes(leader, store.now())}</p>
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
      <main>
        <CurrentView {...address} />
      </main>
    </>
  );
}

/** It is as large as all the rest. */
const Editor = lazy(() => import('./editor/editor.tsx').then(({ Editor: component }) => component));

const LINKS: Readonly<Record<Link, string | undefined>> = {
  connecting: undefined,
  live: undefined,
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
