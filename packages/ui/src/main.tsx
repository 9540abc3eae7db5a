import { render } from 'preact';
import { StoreContext } from './common/use-store.ts';
import { whileVisible } from './common/while-visible.ts';
import { Shell } from './shell.tsx';
import { Store } from './store.ts';

/** The first view is painted by then (milliseconds). */
const OTHERS_MS = 2_000;

const store = new Store({
  now: () => Date.now(),
  nextFrame: (run) => {
    // A page in the background has no frames.
    if (document.hidden) setTimeout(run, 1_000);
    else requestAnimationFrame(run);
  },
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  },
});
// The other views are loaded before they are wanted: so they are there when the server has ended.
setTimeout(() => void import('./views.ts'), OTHERS_MS);
whileVisible(document, () => store.connect(() => new EventSource('/api/board')));
const root = document.getElementById('app');
if (root !== null)
  render(
    <StoreContext.Provider value={store}>
      <Shell />
    </StoreContext.Provider>,
    root,
  );
