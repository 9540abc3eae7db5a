import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { proposalsAt } from './complete.ts';
import { goTemplateLanguage } from './language.ts';
import type { Mark } from './marks.ts';

export interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  /** About a text: they are shown while the text is this one. */
  readonly marks: { readonly text: string; readonly all: readonly Mark[] };
  readonly onChange: (value: string) => void;
}

/** CodeMirror in a shadow tree: there it makes its styles without elements, which the page's policy would forbid. */
export function CodeEditor({ label, value, marks, onChange }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const changed = useRef(onChange);
  changed.current = onChange;

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({ doc: value, extensions: extensions(label, changed) }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
    };
  }, []);

  // In the same turn as the rendering: a value that is older than what was typed meanwhile would take it away.
  useLayoutEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: FROM_OUTSIDE.of(true),
    });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor?.state.doc.toString() !== marks.text) return;
    editor.dispatch(setDiagnostics(editor.state, marks.all.map(diagnosticOf)));
  }, [marks]);

  return <div ref={host} class="code" />;
}

/** Marks changes that the user did not type here. */
const FROM_OUTSIDE = Annotation.define<boolean>();

const diagnosticOf = ({ from, to, severity, message, fix }: Mark): Diagnostic => ({
  ...{ from, to, severity, message },
  actions:
    fix === undefined
      ? []
      : [
          {
            name: `Write ${fix.insert}`,
            apply: (view) => {
              view.dispatch({ changes: fix });
            },
          },
        ],
});

const extensions = (label: string, changed: { readonly current: (value: string) => void }) => [
  lineNumbers(),
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  highlightSpecialChars(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ override: [complete], icons: false }),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-multiline': 'true',
    tabindex: '0',
    spellcheck: 'false',
  }),
  EditorView.domEventHandlers({ beforeinput: typeOver }),
  goTemplateLanguage,
  LOOK,
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
  EditorView.updateListener.of((update) => {
    if (update.docChanged && !update.transactions.some((each) => each.annotation(FROM_OUTSIDE) === true))
      changed.current(update.state.doc.toString());
  }),
];

/**
 * Replaces a selection with the typed text, in place of the browser. Chromium would copy the style of the selection into a style attribute,
 * which the policy of the page forbids.
 */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event;
  const { empty, from, to } = view.state.selection.main;
  if (inputType !== 'insertText' || data === null || empty || view.composing) return false;
  const insert = () =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  const isDone = view.state
    .facet(EditorView.inputHandler)
    .some((handler) => handler(view, from, to, data, insert));
  if (!isDone) view.dispatch(insert());
  return true;
}

function complete(context: CompletionContext) {
  const found = proposalsAt(context.state.doc.toString(), context.pos);
  if (found === undefined) return null;
  const typed = context.state.sliceDoc(found.from, context.pos);
  const isPath = context.state.sliceDoc(found.from - 1, found.from) === '.';
  if (typed === '' && !context.explicit && !isPath) return null;
  return {
    from: found.from,
    validFor: /^[$\w]*$/,
    options: found.all.map(({ label, kind, detail, help }) => ({
      ...{ label, detail, type: kind },
      ...(help !== '' && { info: help }),
      // Words of the language are short and few: fields and values come first.
      boost: kind === 'keyword' ? 1 : kind === 'function' ? 0 : 2,
    })),
  };
}

const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '14px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-specialChar': { color: 'var(--failed)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--faint)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--raised) 60%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--waiting) 25%, transparent)',
  },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--failed)', backgroundImage: 'none' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--retried)', backgroundImage: 'none' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: '0 4px 16px light-dark(#0003, #0009)',
    maxWidth: 'min(480px, 92vw)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--faint)', fontStyle: 'normal', marginLeft: '1em' },
  '.cm-completionInfo': { padding: '6px 10px', font: '13px/1.4 var(--font)' },
  '.cm-diagnostic': { padding: '6px 10px', font: '13px/1.4 var(--font)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--failed)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--retried)' },
  '.cm-diagnosticAction': {
    font: 'inherit',
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    marginLeft: '8px',
    cursor: 'pointer',
  },
});
