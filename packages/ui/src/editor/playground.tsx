/** The template editor as a page of its own, for any web server. */
import { render } from 'preact';
import { useAddress } from '../address.ts';
import { Editor } from './editor.tsx';

function Playground() {
  const { view, rest } = useAddress();
  return (
    <>
      <header class="bar">
        <h1>hnotif template editor</h1>
        <p class="faint">Everything runs in this page. Nothing is sent.</p>
      </header>
      <main>
        <Editor rest={view === 'template' ? rest : []} />
      </main>
    </>
  );
}

const root = document.getElementById('app');
if (root !== null) render(<Playground />, root);
