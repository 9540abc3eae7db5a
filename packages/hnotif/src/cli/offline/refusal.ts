import { isMap, isScalar, visit, type Document, type Scalar } from 'yaml';

/** Why a document is not read. */
export interface Refusal {
  /** Characters from the beginning of the file. */
  readonly at: number;
  readonly message: string;
}

export function refusalOf(document: Document, content: string): Refusal | undefined {
  const helm = helmPlaceOf(document, content);
  if (helm !== undefined) return { at: helm, message: HELM };
  const [error] = document.errors;
  if (error !== undefined) {
    const message = (error.message.split('\n')[0] ?? '')
      .replace(/ at line \d+, column \d+:$/, '')
      .replace(/^Maximum call stack size exceeded$/, 'it is nested too deeply');
    return { at: error.pos[0], message };
  }
  const twin = twinKeyOf(document);
  return twin?.range
    ? { at: twin.range[0], message: `the key ${String(twin.value)} is there twice` }
    : undefined;
}

export const HELM =
  'this is a template of Helm, not yet YAML; check what it makes: helm template CHART | hnotif validate -';
/** What only charts write. */
const OF_HELM = /\{\{-?\s*(?:include|template|toYaml|tpl)\b|\.(?:Values|Release|Chart)\./;

/** Where Helm has not replaced a template: at a syntax error, or at an object as a key, which `{{ … }}` without quotes is. */
function helmPlaceOf(document: Document, content: string): number | undefined {
  const [error] = document.errors;
  if (error !== undefined) return OF_HELM.test(content) ? error.pos[0] : undefined;
  let place: number | undefined;
  visit(document, {
    Pair(_, { key }) {
      if (!isMap(key) || content[(key.range?.[0] ?? 0) - 1] !== '{') return undefined;
      place = key.range?.[0];
      return visit.BREAK;
    },
  });
  return place;
}

/** The first key that its map has twice. */
function twinKeyOf(document: Document): Scalar | undefined {
  let twin: Scalar | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === '<<') continue;
        if (seen.has(key.value)) {
          twin = key;
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return twin;
}
