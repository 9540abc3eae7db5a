import { API } from './objects.ts';

/** The managed fields of an object: for each writer a tree of the fields that it wrote. */
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

/** Lists without merge keys are one field, as in most custom resources. */
const fieldsOf = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, field]: [string, unknown]) => [
      `f:${key}`,
      typeof field === 'object' && field !== null && !Array.isArray(field) ? fieldsOf(field) : {},
    ]),
  );
