import type { FuncMap } from '../value/func.ts';
import { floats } from './numeric/floats.ts';
import { ranges } from './numeric/ranges.ts';
import { whole } from './numeric/whole.ts';

/** sprig's conversions to numbers, arithmetic and ranges. */
export const numeric: FuncMap = { ...whole, ...floats, ...ranges };
