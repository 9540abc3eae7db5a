import type { IncomingHttpHeaders } from 'node:http';

import type { Body } from './body.ts';
import type { WriteOptions } from './create.ts';
import type { FieldValidation } from './decode.ts';
import type { Cause } from './schema/cause.ts';
import { forbidden, invalid as invalidField, notSupported, required, tooLong } from './schema/cause.ts';
import { invalid } from './status.ts';

const MODES: readonly string[] = ['Strict', 'Warn', 'Ignore'];
const MAX_MANAGER = 128;

/**
 * The options of a write in its query.
 *
 * @param kind in the group meta.k8s.io
 * @param applies whether the write is a server-side apply, which needs a manager and can be forced
 * @throws ApiError 422
 */
export function writeOptions(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
  { duplicates }: Body,
  applies = false,
): WriteOptions {
  const mode = query.get('fieldValidation') ?? '';
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const manager = query.get('fieldManager') ?? '';
  const causes: Cause[] = [];
  if (mode !== '' && !MODES.includes(mode))
    causes.push(notSupported('fieldValidation', mode, ['', ...MODES]));
  const wrong = dryRun.find((value) => value !== 'All');
  if (wrong !== undefined) causes.push(notSupported('dryRun', wrong, ['All']));
  if (applies && manager === '') causes.push(required('fieldManager', 'is required for apply patch'));
  if (!applies && query.has('force'))
    causes.push(forbidden('force', 'may not be specified for non-apply patch'));
  causes.push(...managerCauses(manager));
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', causes);
  return {
    fieldValidation: (mode || 'Warn') as FieldValidation,
    ...{ dryRun: dryRun.length > 0, duplicates, manager: manager || nameOf(headers['user-agent']) },
  };
}

function managerCauses(manager: string): Cause[] {
  if (Buffer.byteLength(manager) > MAX_MANAGER) return [tooLong('fieldManager', MAX_MANAGER)];
  return /\p{C}/u.test(manager)
    ? [invalidField('fieldManager', manager, 'should only contain printable characters')]
    : [];
}

/** Without a field manager: the program of the user agent. */
const nameOf = (agent = ''): string =>
  (agent.split('/')[0] ?? '').replace(/\p{C}/gu, '').slice(0, MAX_MANAGER) || 'unknown';
