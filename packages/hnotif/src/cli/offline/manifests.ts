import {
  LineCounter,
  isMap,
  isScalar,
  parseAllDocuments,
  type Document,
  type Node,
  type Pair,
  type ScalarTag,
} from 'yaml';
import { isRaw, type Raw } from '@hnotif/core/resources';
import { textAt } from '../fields.ts';
import { HELM, refusalOf } from './refusal.ts';

/** A place in a file. Both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One object of a file. */
export interface Manifest {
  readonly file: string;
  readonly kind: string;
  /** The group and version. */
  readonly apiVersion: string;
  readonly namespace: string;
  readonly name: string;
  readonly object: Raw;
  /** Of the deepest part of a path that is there. */
  position(path: Path): Position;
  /** Of a place in a text value; where the text does not stand as it is in the file, of the value. */
  within(path: Path, line: number, column: number): Position;
}

export type Path = readonly (string | number)[];

/** A file that is not YAML, or a document that is not an object. */
export interface SyntaxProblem extends Position {
  readonly message: string;
}

export interface FileReading {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly SyntaxProblem[];
}

/** kubectl reads YAML 1.1 here: https://github.com/kubernetes-sigs/yaml */
const KUBECTL_BOOLEAN: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:[yYnN]|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF)$/,
  resolve: (word) => /^y|^on/i.test(word),
};

/** Reads the objects of a file: a stream of YAML documents, or JSON. Lists are taken apart. */
export function readManifests(file: string, content: string): FileReading {
  const lines = new LineCounter();
  const problems: SyntaxProblem[] = [];
  const manifests: Manifest[] = [];
  // The parser compares each key with all others of its map: minutes for a file of some megabytes.
  const options = { lineCounter: lines, merge: true, uniqueKeys: false, customTags: [KUBECTL_BOOLEAN] };
  for (const document of parseAllDocuments(content, options)) {
    const refused = refusalOf(document, content);
    if (refused !== undefined) {
      const { line, col } = lines.linePos(refused.at);
      problems.push({ line, column: col, message: refused.message });
      if (refused.message === HELM) break;
      continue;
    }
    const object = dataOf(document);
    if (object instanceof Error) {
      problems.push({ ...positionIn(document, lines, []), message: object.message });
      continue;
    }
    if (object === null) continue;
    const add = (each: unknown, path: Path): void => {
      if (isRaw(each)) manifests.push(manifestOf({ file, content, lines, document, path, object: each }));
      else problems.push({ ...positionIn(document, lines, path), message: 'it is not an object' });
    };
    if (isRaw(object) && Array.isArray(object.items) && textAt(object, 'kind').endsWith('List'))
      for (const [at, each] of object.items.entries()) add(each, ['items', at]);
    else add(object, []);
  }
  return { manifests, problems };
}

/** An alias without its anchor, and too many aliases, are found only here. */
function dataOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof ReferenceError) return error;
    throw error;
  }
}

interface Source {
  readonly file: string;
  readonly content: string;
  readonly lines: LineCounter;
  readonly document: Document;
  /** Of the object in the document. */
  readonly path: Path;
  readonly object: Raw;
}

/** An object that stands in no file: of a cluster, for example. */
export function withoutPlaces(file: string, object: Raw): Manifest {
  const begin = (): Position => ({ line: 1, column: 1 });
  return {
    ...{ file, object, position: begin, within: begin },
    kind: textAt(object, 'kind'),
    apiVersion: textAt(object, 'apiVersion'),
    namespace: textAt(object, 'metadata', 'namespace'),
    name: textAt(object, 'metadata', 'name'),
  };
}

function manifestOf({ file, content, lines, document, path: base, object }: Source): Manifest {
  const position = (path: Path): Position => positionIn(document, lines, [...base, ...path]);
  return {
    ...withoutPlaces(file, object),
    position,
    within(path, line, column) {
      const node: unknown = document.getIn([...base, ...path], true);
      if (!isScalar(node) || node.type !== 'BLOCK_LITERAL' || !node.range) return position(path);
      const [start] = node.range;
      const header = lines.linePos(start).line;
      const body = content.slice(content.indexOf('\n', start) + 1);
      const indent = /^(?:[ \t]*\r?\n)*( *)/.exec(body)?.[1]?.length ?? 0;
      return { line: header + line, column: indent + column };
    },
  };
}

/** The position of the key, where there is one: it names what the problem is about. */
function positionIn(document: Document, lines: LineCounter, path: Path): Position {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = nodeAt(document, path.slice(0, depth));
    if (node?.range) {
      const { line, col } = lines.linePos(node.range[0]);
      return { line, column: col };
    }
  }
  return { line: 1, column: 1 };
}

function nodeAt(document: Document, path: Path): Node | undefined {
  if (path.length === 0) return document.contents ?? undefined;
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (isMap(parent)) {
    const pair = parent.items.find(
      (each: Pair) => isScalar(each.key) && String(each.key.value) === path.at(-1),
    );
    return pair && isScalar(pair.key) ? pair.key : undefined;
  }
  const node: unknown = document.getIn(path, true);
  return node === undefined ? undefined : (node as Node);
}

/** `spec.sinks[0].type` as a path; a step with other signs stands in quotes. */
export const pathOf = (words: string): Path =>
  [...words.matchAll(/'([^']*)'|([^.[\]]+)|\[(\d+)\]/g)].map(([, quoted, key, index]) =>
    index === undefined ? (quoted ?? key ?? '') : Number(index),
  );
