/** The template editor as a page of its own, for any web server. */
import { render } from 'preact';
import { Editor } from './editor.tsx';

function Playground() {
  return (
    <>
      <header class="bar">
        <h1>hnotif template editor</h1>
        <p class="faint">Everything runs in this page. Nothing is sent.</p>
      </header>
      <main>
        <Editor />
      </main>
    </>
  );
}

const root = document.getElementById('app');
if (root !== null) render(<Playground />, root);
