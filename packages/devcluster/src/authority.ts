import type { Holder, Subject } from './certificate.ts';
import { certify, newHolder, privatePem } from './certificate.ts';

/** A certificate and its key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The names by which a client may call any server. */
const HOSTS = ['localhost', '127.0.0.1', '::1', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];

/** The certificate authority of one server. It is created at the start and lost at the end. */
export class Authority {
  readonly #self: Holder;
  /** PEM */
  readonly certificate: string;

  constructor() {
    this.#self = newHolder({ name: 'devcluster' });
    this.certificate = certify(this.#self, this.#self, { kind: 'authority' });
  }

  server(host: string): Certificate {
    const holder = newHolder({ name: 'kube-apiserver' });
    const hosts = [...new Set([...HOSTS, host])];
    return {
      cert: certify(holder, this.#self, { kind: 'server', hosts }),
      key: privatePem(holder),
    };
  }

  client(subject: Subject): Certificate {
    const holder = newHolder(subject);
    return { cert: certify(holder, this.#self, { kind: 'client' }), key: privatePem(holder) };
  }
}
