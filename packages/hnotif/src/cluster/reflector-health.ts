import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import type { KubeError } from './error.ts';
import { mayNot, notServed } from './list.ts';
import { PASSING, Refusals } from './refusal.ts';

interface ReflectorHealthOptions {
  /** The name of the resource, for people. */
  readonly name: string;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What keeps a reflector from following its resource, in words and in the log. Each new problem is logged once. */
export class ReflectorHealth {
  /** Why nothing is followed though nothing has failed. */
  pausing: string | undefined;
  readonly #options: ReflectorHealthOptions;
  readonly #refusals = new Refusals();
  #error: KubeError | undefined;
  /** Whether the error is a refusal that may pass. */
  #mayPass = false;

  constructor(options: ReflectorHealthOptions) {
    this.#options = options;
  }

  get isFailing(): boolean {
    return this.#error !== undefined || this.pausing !== undefined;
  }

  /** The problem, for any reader: without credentials and without the output of plugins. */
  get problem(): string | undefined {
    if (this.#error === undefined) return this.pausing;
    if (this.#error.status === 404) return notServed(this.#options.name);
    return this.#mayPass ? `${this.#error.summary}: ${PASSING}` : this.#error.summary;
  }

  /** Whether a right is missing. */
  get isForbidden(): boolean {
    return this.#error?.status === 403 && !this.#mayPass;
  }

  failed(failure: KubeError): void {
    const { clock, log, name, namespace } = this.#options;
    const before = { message: this.#error?.message, mayPass: this.#mayPass };
    this.#error = failure;
    this.#mayPass = failure.status === 403 && this.#refusals.mayPass(name, clock.monotonic());
    if (before.message === failure.message && before.mayPass === this.#mayPass) return;
    const where = { ...this.#where, reason: failure.reason, detail: failure.message };
    if (failure.status === 404) log.warn(where, notServed(name));
    else if (this.#mayPass) log.info(where, `${name} cannot be followed for the moment: ${PASSING}`);
    else if (failure.status === 403) log.warn(where, mayNot(name, 'listed and watched', namespace));
    else log.warn(where, `${name} cannot be followed; trying again`);
  }

  recovered(): void {
    const { log, name } = this.#options;
    if (this.#error !== undefined) log.info(this.#where, `${name} is followed again`);
    this.#error = undefined;
    this.#mayPass = false;
    this.#refusals.permitted(name);
  }

  get #where(): object {
    const { name, namespace } = this.#options;
    return { resource: name, ...(namespace !== undefined && { namespace }) };
  }
}
