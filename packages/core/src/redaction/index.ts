export { redact } from './redact.ts';
export { Secret } from './secret.ts';
