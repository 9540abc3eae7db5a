import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { NAMESPACE_OF_RELEASE, objectsOf, RENDITIONS } from './chart.ts';
import { DEPLOY, manifestsOf, type Manifest } from '../../../lab/src/rights.ts';

/** A shipped way to install hnotif. */
export interface Variant {
  readonly name: string;
  /** All objects, in their final form. The flags are those of the Deployment. */
  readonly objects: () => Promise<readonly Manifest[]>;
}

/** The output of `kubectl kustomize` for a folder. */
export async function kustomize(folder: string): Promise<readonly Manifest[]> {
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', folder]);
  return manifestsOf(stdout);
}

const folderOf = (name: string): string => join(DEPLOY, 'kustomize', name);

/** A new kustomization with components of deploy/. */
async function composed(resource: string, components: readonly string[]): Promise<readonly Manifest[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-kustomize-'));
  try {
    const own = join(folder, 'own');
    await mkdir(own);
    const paths = (names: readonly string[]): string[] => names.map((name) => relative(own, folderOf(name)));
    await writeFile(
      join(own, 'kustomization.yaml'),
      JSON.stringify({ resources: paths([resource]), components: paths(components) }),
    );
    return await kustomize(own);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const built = (name: string): Variant => ({ name, objects: () => kustomize(folderOf(name)) });

const composition = (resource: string, ...components: readonly string[]): Variant => ({
  name: [resource, ...components].join(' with '),
  objects: () => composed(resource, components),
});

/** Like `helm install --create-namespace`. */
const renditions: readonly Variant[] = RENDITIONS.filter(({ shipped }) => shipped).map((rendition) => ({
  name: `the chart for ${rendition.title}`,
  objects: () => {
    const metadata = { name: NAMESPACE_OF_RELEASE };
    const objects = [{ apiVersion: 'v1', kind: 'Namespace', metadata }, ...objectsOf(rendition)];
    return Promise.resolve(objects as unknown as readonly Manifest[]);
  },
}));

/** All of them. */
export const VARIANTS: readonly Variant[] = [
  built('base'),
  built('overlays/namespaced'),
  built('overlays/hibernator'),
  built('overlays/monitoring'),
  composition('base', 'components/metrics-auth'),
  composition('overlays/namespaced', 'components/hibernator'),
  ...renditions,
];
