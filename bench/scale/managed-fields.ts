import { API } from './objects.ts';

/** Who wrote which field, as server-side bookkeeping has it: a tree of the same shape, once for each writer. */
export function managedFields(applied: object, status: object): object[] {
  const entry = (manager: string, fieldsV1: object, subresource?: string): object => ({
    manager,
    operation: 'Update',
    apiVersion: API,
    time: '2026-01-05T20:05:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource !== undefined && { subresource }),
  });
  const { labels, annotations, spec } = applied as Record<string, object>;
  return [
    entry('argocd-controller', fieldsOf({ metadata: { annotations, labels }, spec })),
    entry('hibernator', fieldsOf({ status }), 'status'),
  ];
}

/** Lists without merge keys are one field, as those of most custom resources are. */
const fieldsOf = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, field]: [string, unknown]) => [
      `f:${key}`,
      typeof field === 'object' && field !== null && !Array.isArray(field) ? fieldsOf(field) : {},
    ]),
  );
