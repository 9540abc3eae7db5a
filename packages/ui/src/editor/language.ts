import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

interface State {
  where: 'text' | 'action' | 'comment' | 'raw';
}

const KEYWORDS = /^(?:if|else|end|range|with|define|template|block|break|continue|nil|true|false)\b/;

/** Go's template language: what stands in braces is coloured, the text around it is not. */
const goTemplate = StreamLanguage.define<State>({
  name: 'gotemplate',
  startState: () => ({ where: 'text' }),
  token(stream, state) {
    switch (state.where) {
      case 'text':
        if (stream.match('{{')) {
          stream.match('-');
          state.where = stream.match(/^\s*\/\*/, false) ? 'comment' : 'action';
          return 'delimiter';
        }
        stream.next();
        if (!stream.skipTo('{{')) stream.skipToEnd();
        return null;
      case 'comment':
        if (stream.match(/^\*\/\s*/)) state.where = 'action';
        else {
          stream.next();
          if (!stream.skipTo('*/')) stream.skipToEnd();
        }
        return 'comment';
      case 'raw':
        if (stream.skipTo('`')) {
          stream.next();
          state.where = 'action';
        } else stream.skipToEnd();
        return 'string';
      case 'action':
        return actionToken(stream, state);
    }
  },
  tokenTable: {
    delimiter: tags.brace,
    field: tags.propertyName,
    function: tags.function(tags.variableName),
    variable: tags.variableName,
  },
});

type Stream = Parameters<Parameters<typeof StreamLanguage.define<State>>[0]['token']>[0];

function actionToken(stream: Stream, state: State): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^-?\}\}/)) {
    state.where = 'text';
    return 'delimiter';
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string';
  if (stream.match('`')) {
    state.where = 'raw';
    return 'string';
  }
  if (stream.match(/^[+-]?\d[\w.]*/)) return 'number';
  if (stream.match(/^\$\w*/)) return 'variable';
  if (stream.match(/^\.\w*/)) return 'field';
  if (stream.match(KEYWORDS)) return 'keyword';
  if (stream.match(/^[\p{L}_][\p{L}\w]*/u)) return 'function';
  stream.next();
  return null;
}

/** By the colours of the page, so that light and dark need nothing more. */
const colours = HighlightStyle.define([
  { tag: tags.brace, color: 'var(--failed)', fontWeight: '600' },
  { tag: tags.keyword, color: 'var(--parked)', fontWeight: '600' },
  { tag: tags.propertyName, color: 'var(--waiting)' },
  { tag: tags.function(tags.variableName), color: 'var(--accent)' },
  { tag: tags.variableName, color: 'var(--retried)' },
  { tag: tags.string, color: 'var(--delivered)' },
  { tag: tags.number, color: 'var(--retried)' },
  { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
]);

export const goTemplateLanguage = [goTemplate, syntaxHighlighting(colours)];
