import { ParseError, Fields } from './fields.ts';

/** The fields of `metadata` that hnotif keeps. */
export interface Metadata {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The fields of an object of the API server. Throws a `ParseError` if it is not an object or has no name. */
export function fieldsOf(kind: string, raw: unknown): { root: Fields; metadata: Fields; identity: Metadata } {
  const root = Fields.of(raw);
  if (root === undefined) throw new ParseError(kind, '', ['expected an object']);
  const metadata = root.object('metadata');
  const identity = {
    namespace: metadata.word('namespace'),
    name: metadata.requiredText('name', 'the name of the object'),
    uid: metadata.text('uid'),
    resourceVersion: metadata.text('resourceVersion'),
  };
  if (identity.name === '') throw new ParseError(kind, '', root.problems);
  return { root, metadata, identity };
}

export const qualifiedName = ({ namespace, name }: Pick<Metadata, 'namespace' | 'name'>): string =>
  namespace === '' ? name : `${namespace}/${name}`;

/** `metadata.annotations` without the manifest that kubectl last applied. */
export function annotationsOf(metadata: Fields): Readonly<Record<string, string>> {
  const annotations = metadata.textMap('annotations');
  if (!Object.hasOwn(annotations, LAST_APPLIED)) return annotations;
  const { [LAST_APPLIED]: _, ...rest } = annotations;
  return rest;
}
