import { API_VERSION } from '../group.ts';
import type { Schema } from './schema.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description: string;
  /** Above 0: shown by `-o wide` alone. */
  readonly priority?: number;
}

export interface Definition {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly description: string;
  readonly spec: Schema;
  /** Undefined: it has none. */
  readonly status?: Schema;
  readonly columns: readonly Column[];
}

/** A CustomResourceDefinition, ready to be applied. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced';
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames: readonly string[];
    };
    readonly versions: readonly {
      readonly name: string;
      readonly served: true;
      readonly storage: true;
      readonly schema: { readonly openAPIV3Schema: Schema };
      readonly subresources?: { readonly status: object };
      readonly additionalPrinterColumns: readonly Column[];
    }[];
  };
}

const AGE: Column = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'Time since the creation.',
};

/** A namespaced resource with an age, behind which stand the columns of `-o wide`, and with a status subresource where it has a status. */
export function customResource(group: string, definition: Definition): CustomResourceDefinition {
  const { kind, plural, shortNames, description, spec, status, columns } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames },
      versions: [
        {
          name: API_VERSION,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              description,
              type: 'object',
              required: ['spec'],
              properties: { ...TYPE_META, spec, ...(status && { status }) },
            },
          },
          ...(status && { subresources: { status: {} } }),
          additionalPrinterColumns: [
            ...columns.filter(({ priority = 0 }) => priority === 0),
            AGE,
            ...columns.filter(({ priority = 0 }) => priority > 0),
          ],
        },
      ],
    },
  };
}

const TYPE_META: Readonly<Record<string, Schema>> = {
  apiVersion: { type: 'string', description: 'Group and version of the resource.' },
  kind: { type: 'string', description: 'Kind of the resource.' },
  metadata: { type: 'object' },
};
