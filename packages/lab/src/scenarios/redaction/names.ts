import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
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

/** Takes the place of `dns.lookup` in this process, for names of `.test`. Returns a function that gives it back. */
export function takeNames(): () => void {
  const { lookup: before } = dns;
  const put = (resolver: typeof dns.lookup): void => {
    dns.lookup = resolver;
    syncBuiltinESMExports();
  };
  names.reset();
  const ask = before as (...asked: readonly unknown[]) => void;
  const resolver = (...asked: Parameters<typeof lookup>): void => {
    if (asked[0].endsWith('.test')) lookup(...asked);
    else ask(...asked);
  };
  put(resolver as typeof dns.lookup);
  return () => {
    put(before);
  };
}

/** The errors of a library must not be shown to anybody. */
function lookup(name: string, _options: object, done: Done): void {
  const { resolving } = names;
  if (resolving.kind === 'address') done(null, [{ address: resolving.address, family: 4 }]);
  else {
    const error = new Error(`lookup of ${name} for ${canary.text('library')}`);
    done(Object.assign(error, { code: resolving.code, url: canary.text('library') }), []);
  }
}
