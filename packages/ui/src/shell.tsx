import { lazy, Suspense } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import { linkTo, linkWith, useAddress, useSetting, TABS, type Address, type View } from './address.ts';
import { Choice } from './common/choice.tsx';
import { chosenZone, localTimes, showTimesIn } from './common/time.ts';
import { useStore } from './common/use-store.ts';
import { PLANS } from './plans.ts';
import type { Link } from './store.ts';
import { Tonight } from './tonight/tonight.tsx';
import type * as Views from './views.ts';

const TITLES: Readonly<Record<View, string>> = {
  tonight: 'Tonight',
  now: 'Now',
  nights: 'Nights',
  messages: 'Messages',
  why: 'Where is it?',
  template: 'Template',
  delivery: 'Delivery',
};

/** The head of the page with its tabs, and the view that the address names. */
export function Shell() {
  const store = useStore();
  const { head, isHeard, link } = store;
  const address = useAddress();
  const [zone, setZone] = useSetting('zone');
  showTimesIn(zone);
  // The editor keeps its work itself.
  const left = useRef(new Map<View, Address>());
  left.current.set(address.view, address);
  const { namespace, leader, serving, unseen } = head;
  const main = useRef<HTMLElement>(null);
  const about = address.view === 'why' || address.view === 'delivery' ? address.rest.join('/') : '';
  useEffect(() => {
    document.title = [about, TITLES[address.view], 'hnotif'].filter((each) => each !== '').join(' · ');
    if (main.current === null) return;
    main.current.scrollTop = 0;
    // The link that was followed is gone with its view.
    if (document.activeElement === document.body) main.current.focus();
  }, [address.view, about]);
  return (
    <>
      <header class="bar">
        <h1>hnotif</h1>
        <nav class="tabs" aria-label="Views">
          {TABS.map((each) => (
            <a
              key={each}
              href={
                each === address.view || each === 'template'
                  ? linkTo(each)
                  : asLeft(each, left.current.get(each))
              }
              aria-current={each === address.view ? 'page' : undefined}
            >
              {TITLES[each]}
            </a>
          ))}
        </nav>
        <Choice
          label="Times"
          value={chosenZone()}
          options={[...new Set(['', 'UTC', chosenZone()])].map((each) => [
            each,
            each === '' ? 'local' : each,
          ])}
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
      <main ref={main} tabIndex={-1} class={isHeard ? undefined : 'stale'}>
        <Suspense fallback={<p class="empty">Loading …</p>}>
          <CurrentView {...address} />
        </Suspense>
      </main>
    </>
  );
}

/** A view as it was left, in the zone of now. */
const asLeft = (view: View, { query = {}, rest }: Omit<Address, 'view'> = { rest: [] }): string =>
  linkWith(view, query, ...rest);

const NotLoaded = () => (
  <p class="empty">
    This view could not be loaded: the program does not answer. Load the page again when it runs.
  </p>
);
const NOTHING: typeof Views = {
  ...{ Delivery: NotLoaded, Messages: NotLoaded, Nights: NotLoaded, Now: NotLoaded, Why: NotLoaded },
};

const viewOf = <Name extends keyof typeof Views>(name: Name) =>
  lazy(async () => (await import('./views.ts').catch(() => NOTHING))[name]);
const [Delivery, Messages, Nights, Now, Why] = [
  viewOf('Delivery'),
  viewOf('Messages'),
  viewOf('Nights'),
  viewOf('Now'),
  viewOf('Why'),
];
/** It is as large as all the rest. */
const Editor = lazy(
  async () => (await import('./editor/editor.tsx').catch(() => ({ Editor: NotLoaded }))).Editor,
);

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
    case 'now':
      return <Now />;
    case 'nights':
      return <Nights />;
    case 'delivery':
      return <Delivery id={rest[0]} />;
    case 'messages':
      return <Messages id={rest[0]} />;
    case 'why':
      return <Why rest={rest} />;
    case 'template':
      return <Editor plans={PLANS} />;
  }
}
