import type { LookupAddress } from 'node:dns';
import { canary } from './canary.ts';

type Done = (error: Error | null, addresses: readonly LookupAddress[]) => void;

/** What the resolver does with every name: an address, or an error with this code. */
export type Resolving =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'error'; readonly code: string };

const LOOPBACK: Resolving = { kind: 'address', address: '127.0.0.1' };

/** The resolver of the controllers under test, in the place of the system's: no test asks a real one. */
export const names: { resolving: Resolving; reset(): void } = {
  resolving: LOOPBACK,
  reset() {
    names.resolving = LOOPBACK;
  },
};

/** In the place of `dns.lookup`. What a library says in its errors is nobody's to be shown. */
export function lookup(name: string, _options: object, done: Done): void {
  const { resolving } = names;
  if (resolving.kind === 'address') done(null, [{ address: resolving.address, family: 4 }]);
  else {
    const error = new Error(`lookup of ${name} for ${canary.text('library')}`);
    done(Object.assign(error, { code: resolving.code, url: canary.text('library') }), []);
  }
}
