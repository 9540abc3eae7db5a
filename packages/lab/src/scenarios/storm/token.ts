import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DevCluster } from '@hnotif/devcluster';

/** The token of a service account in a file. It is renewed as by a kubelet, or too late. */
export class TokenFile {
  readonly #cluster: DevCluster;
  readonly #folder = mkdtempSync(join(tmpdir(), 'hnotif-storm-'));
  readonly #file = join(this.#folder, 'token');
  #token = '';

  constructor(cluster: DevCluster) {
    this.#cluster = cluster;
    this.renew();
  }

  /** The path of a kubeconfig whose user has this token file. */
  kubeconfig(): string {
    const path = join(this.#folder, 'kubeconfig');
    const token = this.#token;
    const text = this.#cluster.kubeconfig({ token });
    writeFileSync(path, text.replace(`token: ${JSON.stringify(token)}`, `tokenFile: ${this.#file}`));
    return path;
  }

  /** Makes the token in the file invalid. */
  revoke(): void {
    this.#cluster.users.revoke(this.#token);
  }

  /** Writes another token to the file. */
  renew(): void {
    this.#token = this.#cluster.users.token('storm', { groups: ['system:masters'] });
    writeFileSync(this.#file, this.#token);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
