import type { FuncMap } from '../value/func.ts';
import { call } from './builtins/call.ts';
import { compare } from './builtins/compare.ts';
import { escape } from './builtins/escape.ts';
import { indexing } from './builtins/indexing.ts';
import { length } from './builtins/length.ts';
import { logic } from './builtins/logic.ts';
import { printing } from './builtins/printing.ts';
import { slicing } from './builtins/slicing.ts';

/** Go's predefined functions. Every template has them. */
export const builtins: FuncMap = {
  ...call,
  ...compare,
  ...escape,
  ...indexing,
  ...length,
  ...logic,
  ...printing,
  ...slicing,
};
