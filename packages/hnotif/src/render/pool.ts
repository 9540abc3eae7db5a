// Placeholder, to be replaced by its author.
import type { Clock } from '../clock.ts';
import type { Rendered, TemplateRunner } from './template.ts';
export class TemplatePool implements TemplateRunner {
  constructor(_options: { readonly clock: Clock }) {}
  render(): Promise<Rendered> {
    return Promise.resolve({ ok: false, reason: 'TemplateWorkerFailed', message: '' });
  }
  check(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}
