import { Agent, type Dispatcher } from 'undici';

/** An object of the API server. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    /** A manifest from a file has none. */
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
  readonly spec?: unknown;
  readonly stringData?: unknown;
}

/** The resource of a kind. */
interface KindInfo {
  readonly plural: string;
  readonly namespaced: boolean;
}

const BUILT_IN: Readonly<Record<string, KindInfo>> = {
  Namespace: { plural: 'namespaces', namespaced: false },
  Secret: { plural: 'secrets', namespaced: true },
  ConfigMap: { plural: 'configmaps', namespaced: true },
  CustomResourceDefinition: { plural: 'customresourcedefinitions', namespaced: false },
};

/** More connections at once than these would time out: the process that answers them is the one that plays. */
export const CONNECTIONS = 16;

/** The player's own small client of the control plane. It uses no code of the service. */
export class Api {
  readonly #server: string;
  readonly #agent: Agent;
  readonly #kinds = new Map(Object.entries(BUILT_IN));

  constructor(server: string) {
    this.#server = server;
    // The control plane is in this process: it may be slow, but it is there.
    const patience = { connectTimeout: 0, headersTimeout: 0, bodyTimeout: 0 };
    this.#agent = new Agent({ ...patience, connections: CONNECTIONS });
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Creates an object, unless it exists. A CRD makes its kind known. */
  async create(manifest: Manifest): Promise<void> {
    const response = await this.#send('POST', this.#collection(manifest), manifest);
    // Read the body of a conflict, too, so that its connection is free again.
    if (response.statusCode === 409) await response.body.dump();
    else await body(response, `create ${manifest.kind} ${manifest.metadata.name}`);
    if (manifest.kind === 'CustomResourceDefinition') this.#learn(manifest);
  }

  async list(apiVersion: string, kind: string): Promise<readonly Manifest[]> {
    const response = await this.#send('GET', `${this.#root(apiVersion)}/${this.#kind(kind).plural}`);
    const list = (await body(response, `list ${kind}`)) as { items: Manifest[] };
    return list.items.map((item) => ({ ...item, apiVersion, kind }));
  }

  /**
   * Replaces fields of an object's status; returns the resourceVersion of the write. Undefined: the object was deleted, and perhaps
   * another one of its name was created, which refuses the uid of the patch.
   */
  async patchStatus(manifest: Manifest, status: object): Promise<string | undefined> {
    const url = `${this.#collection(manifest)}/${manifest.metadata.name}/status`;
    const patch = { metadata: { uid: manifest.metadata.uid }, status };
    const response = await this.#send('PATCH', url, patch, 'application/merge-patch+json');
    if (response.statusCode === 404 || response.statusCode === 409) {
      await response.body.dump();
      return undefined;
    }
    const written = (await body(response, `write the status of ${manifest.metadata.name}`)) as Manifest;
    return written.metadata.resourceVersion ?? '';
  }

  #send(
    method: Dispatcher.HttpMethod,
    path: string,
    content?: object,
    type = 'application/json',
  ): Promise<Dispatcher.ResponseData> {
    const body = content === undefined ? null : JSON.stringify(content);
    return this.#agent.request({
      origin: this.#server,
      method,
      path,
      body,
      headers: { 'content-type': type },
    });
  }

  #collection({ apiVersion, kind, metadata }: Manifest): string {
    const { plural, namespaced } = this.#kind(kind);
    const scope = namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
    return `${this.#root(apiVersion)}${scope}/${plural}`;
  }

  #root(apiVersion: string): string {
    return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  }

  #kind(kind: string): KindInfo {
    const info = this.#kinds.get(kind);
    if (info === undefined)
      throw new Error(`kind ${kind} is not known: apply its CustomResourceDefinition first`);
    return info;
  }

  #learn(crd: Manifest): void {
    const spec = crd.spec as { names: { kind: string; plural: string }; scope: string };
    this.#kinds.set(spec.names.kind, { plural: spec.names.plural, namespaced: spec.scope === 'Namespaced' });
  }
}

async function body({ statusCode, body }: Dispatcher.ResponseData, what: string): Promise<unknown> {
  const answer = (await body.json()) as { message?: string };
  if (statusCode >= 300) throw new Error(`could not ${what}: ${answer.message ?? `HTTP ${statusCode}`}`);
  return answer;
}
