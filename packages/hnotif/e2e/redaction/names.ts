import type { LookupAddress } from 'node:dns';
import { canary } from './canary.ts';

type Done = (error: Error | null, addresses: readonly LookupAddress[]) => void;

/** What the resolver does with every name: an address, an error with this code, or nothing at all. */
export type Resolving =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'error'; readonly code: string }
  | { readonly kind: 'silent' };

const LOOPBACK: Resolving = { kind: 'address', address: '127.0.0.1' };

const silent: Done[] = [];

/** The resolver of the controllers under test, in the place of the system's: no test asks a real one. */
export const names: { resolving: Resolving; reset(): void } = {
  resolving: LOOPBACK,
  reset() {
    names.resolving = LOOPBACK;
    // Whoever still waits hears of it: others may wait for the same answer.
    for (const done of silent.splice(0))
      done(Object.assign(new Error('too late'), { code: 'EAI_AGAIN' }), []);
  },
};

/** In the place of `dns.lookup`. What a library says in its errors is nobody's to be shown. */
export function lookup(name: string, _options: object, done: Done): void {
  const { resolving } = names;
  if (resolving.kind === 'address') done(null, [{ address: resolving.address, family: 4 }]);
  else if (resolving.kind === 'error') {
    const error = new Error(`lookup of ${name} for ${canary.text('library')}`);
    done(Object.assign(error, { code: resolving.code, url: canary.text('library') }), []);
  } else silent.push(done);
}
