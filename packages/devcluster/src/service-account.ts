import { builtin, builtinStrategy } from './builtin.ts';
import { serviceAccountSchema } from './builtin-schemas.ts';
import { listAt } from './json.ts';
import { ageColumn, column, nameColumn } from './table.ts';

/** Tokens come from `users.token` or a TokenRequest. None is created automatically. */
export const SERVICE_ACCOUNTS = builtin(
  { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', shortNames: ['sa'] },
  [
    nameColumn,
    column('Secrets', (account) => listAt(account, 'secrets').length, { type: 'integer' }),
    ageColumn,
  ],
  builtinStrategy(serviceAccountSchema, {}),
);
