/** Builds the value of a case's data. */
import { fromJS } from '../src/value/from-js.ts';
import type { Value } from '../src/value/value.ts';
import type { CaseData } from './case.ts';
import { notification } from './notification.ts';
import { decodeTyped } from './typed.ts';

/** A new value for each call, because a template may change its data. */
export function buildData(data: CaseData | undefined): Value {
  switch (data?.kind) {
    case undefined:
      return null;
    case 'json':
      return fromJS(data.value);
    case 'notification':
      return notification(data.value, data.retryCount);
    case 'typed':
      return decodeTyped(data.value);
  }
}
