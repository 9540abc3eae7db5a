export { differenceInWords, nearestInWords } from './nearest.ts';
export { Routes } from './routes.ts';
export { type Requirement, matches, meetsAll, requirementsOf } from './selector.ts';
