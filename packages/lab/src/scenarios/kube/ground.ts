import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crds } from '@hnotif/core/resources';
import { DEFAULT_API_GROUP as GROUP } from '@hnotif/core/resources';
import { createNamespace } from '../../objects.ts';
import { pause, until } from '../../wait.ts';
import { deployed, type Manifest } from '../../rights.ts';
import type { Plane } from '../../plane.ts';

/** The label of all cluster-wide objects of a run. Its value is the name of the run. */
export const LABEL = 'hnotif-e2e-kube';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The kinds of objects in a namespace to delete. Instances of CRDs are deleted with their CRDs. */
const CONTENTS = 'secrets,configmaps,events,serviceaccounts,leases,roles,rolebindings';

const BASE = ['namespace', 'account', 'rights', 'lease', 'deployment'];
const SERVES_MS = 30_000;

/** The objects of a run in a cluster: CRDs, and namespaces and roles with its own prefix. */
export class Ground {
  readonly plane: Plane;
  /** The prefix of all names. */
  readonly run: string;
  /** The namespace of hnotif. */
  readonly system: string;

  private constructor(plane: Plane, run: string) {
    this.plane = plane;
    this.run = run;
    this.system = `${run}-system`;
  }

  /**
   * Writes nothing yet.
   *
   * @throws when the cluster has CRDs of the group: they would be deleted at the end, with all their objects
   */
  static async on(plane: Plane): Promise<Ground> {
    const { items } = (await plane.kube.get(CRDS)) as unknown as { readonly items: readonly Definition[] };
    const there = items.filter(({ spec }) => spec.group === GROUP);
    if (there.length > 0) {
      const names = there.map(({ metadata }) => metadata.name).join(', ');
      const runs = [...new Set(there.flatMap(({ metadata }) => metadata.labels?.[LABEL] ?? []))];
      const remedy =
        runs.length > 0
          ? `a killed run has left them; delete all its objects: ${runs.map(removalOf).join('; ')}`
          : 'at its end the run would delete them with all their objects: use a cluster without hnotif and without its operator';
      throw new Error(`the cluster already has CRDs of the group ${GROUP} (${names}); ${remedy}`);
    }
    return new Ground(plane, `hnotif-e2e-${randomBytes(4).toString('hex')}`);
  }

  /** The collection with the Lease of hnotif. */
  get leases(): string {
    return `/apis/coordination.k8s.io/v1/namespaces/${this.system}/leases`;
  }

  /** The objects of deploy/kustomize/base with the names of this run. */
  async base(): Promise<readonly Manifest[]> {
    const all = await Promise.all(BASE.map((file) => deployed(`kustomize/base/${file}.yaml`)));
    return all.flat().map((object) => this.renamed(object));
  }

  /** The CRDs of deploy/, and those of the operator. The run acts as the operator. */
  async definitions(): Promise<readonly Manifest[]> {
    const own = await deployed('crds/crds.yaml');
    const operators = crds(GROUP, { withPlans: true }).filter(({ metadata }) =>
      own.every((each) => each.metadata.name !== metadata.name),
    );
    return [...own, ...(operators as unknown as readonly Manifest[])].map((object) => this.#labelled(object));
  }

  /** An object of deploy/ for the namespace of this run; cluster roles have the run's name. */
  renamed(object: Manifest): Manifest {
    const { roleRef, subjects } = object as Rights;
    const isClusterWide = object.metadata.namespace === undefined;
    const own = (name: string): string => name.replace(/^hnotif/, this.run);
    const { name: before } = object.metadata;
    const name = !isClusterWide ? before : object.kind === 'Namespace' ? this.system : own(before);
    const here = { namespace: this.system };
    const renamed = {
      ...object,
      metadata: { ...object.metadata, name, ...(!isClusterWide && here) },
      ...(roleRef && {
        roleRef: roleRef.kind === 'ClusterRole' ? { ...roleRef, name: own(roleRef.name) } : roleRef,
      }),
      // An account of the manifests is in the namespace of hnotif. A group has no namespace.
      ...(subjects && {
        subjects: subjects.map((each) => ({ ...each, ...(each.kind === 'ServiceAccount' && here) })),
      }),
    };
    return isClusterWide ? this.#labelled(renamed) : renamed;
  }

  /** Creates the CRDs, the namespace, the account and its rights. It does not create the Deployment: a cluster cannot pull its image. */
  async install(): Promise<void> {
    await this.#create(await this.definitions());
    await this.#create((await this.base()).filter(({ kind }) => kind !== 'Deployment'));
    await this.served();
  }

  /** `kubectl create` as a dry run: stores nothing. */
  async tried(object: Manifest): Promise<void> {
    await this.#create([object], '--dry-run=server');
  }

  /** `kubectl create`, which refuses existing objects. */
  async #create(objects: readonly Manifest[], ...flags: readonly string[]): Promise<void> {
    const file = join(this.plane.folder, 'objects.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    await this.plane.kubectl('create', '-f', file, ...flags);
  }

  /** Resolves when the server serves the CRDs. */
  async served(): Promise<void> {
    const crds = (await this.definitions()).map(({ metadata }) => metadata.name);
    const names = crds.map((name) => `crd/${name}`);
    await this.plane.kubectl('wait', '--for=condition=Established', '--timeout=30s', ...names);
    // The condition is not enough: a real server sets it shortly before it serves the CRD.
    for (const name of crds) {
      const path = `/apis/${GROUP}/v1alpha1/${name.split('.')[0]}`;
      const isServed = async (): Promise<boolean> => (await this.plane.kube.ask('GET', path)).code === 200;
      await until(isServed, { what: `the API server’s serving of ${path}`, limitMs: SERVES_MS });
    }
  }

  async namespace(suffix: string): Promise<string> {
    const name = `${this.run}-${suffix}`;
    await createNamespace(this.plane.kube, name, { [LABEL]: this.run });
    return name;
  }

  /**
   * Deletes all objects with the label of this run. Resolves with the namespaces that still exist after `waitMs`: the controller
   * manager deletes namespaces.
   */
  async clean(waitMs = 30_000): Promise<readonly string[]> {
    const { plane, run } = this;
    const own = ['-l', `${LABEL}=${run}`];
    const left = async (kinds: string): Promise<readonly string[]> =>
      (await plane.kubectl('get', kinds, ...own, '-o', 'name'))
        .split('\n')
        .flatMap((name) => name.split('/')[1] ?? []);
    const remove = (...what: readonly string[]): Promise<string> =>
      plane.kubectl('delete', '--wait=false', '--ignore-not-found', ...what);
    await remove('clusterrolebindings,clusterroles,crd', ...own);
    for (const name of await left('namespace')) await remove(CONTENTS, '--all', '-n', name);
    await remove('namespace', ...own);
    for (const end = performance.now() + waitMs; ; await pause(100)) {
      const names = await left('namespace,crd');
      if (names.length === 0 || performance.now() > end) return names;
    }
  }

  #labelled(object: Manifest): Manifest {
    const { labels } = object.metadata as Labelled;
    return { ...object, metadata: { ...object.metadata, labels: { ...labels, [LABEL]: this.run } } as never };
  }
}

/** A command that deletes all objects that a run has left in a cluster. */
export const removalOf = (run: string): string =>
  `kubectl delete crd,clusterrole,clusterrolebinding,namespace -l ${LABEL}=${run}`;

interface Labelled {
  readonly labels?: Readonly<Record<string, string>>;
}

interface Definition {
  readonly metadata: Labelled & { readonly name: string };
  readonly spec: { readonly group: string };
}

interface Rights {
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string }[];
}
