/** What others wrote in a bundle: the notices that their licences ask for, and the software bill of materials (SBOM). */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';

/** A package of the registry. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** Its SPDX expression. */
  readonly license: string;
  /** The texts of its licence and notice files. */
  readonly texts: readonly string[];
}

/** Our sources that are made from the data of a package, by the end of their path. */
const MADE_FROM: Readonly<Record<string, string>> = {
  'packages/gotemplate/src/time/zones.data.ts': 'node_modules/moment-timezone',
};

/** The packages of which something is in the bundle, by name. Fails for a package without a licence text. */
export async function packagesIn({ outputs }: Pick<Metafile, 'outputs'>): Promise<Package[]> {
  const folders = new Set<string>();
  for (const { inputs } of Object.values(outputs))
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = MADE_FROM[input] ?? /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  const packages = await Promise.all([...folders].map(readPackage));
  return packages.sort((a, b) => (refOf(a) < refOf(b) ? -1 : 1));
}

async function readPackage(folder: string): Promise<Package> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)\b/i.test(file)).sort();
  if (license === undefined || files.length === 0)
    throw new Error(`${folder}: no licence was found; a bundle must show the licence of each package`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return { name, version, license, texts: texts.map((text) => text.replaceAll('\r\n', '\n').trim()) };
}

const refOf = ({ name, version }: Pick<Package, 'name' | 'version'>): string => `${name}@${version}`;

const RULE = '-'.repeat(80);

/** The notices as a text. `comments`: licence comments that the bundler took out of the code. */
export function notices(packages: readonly Package[], comments: readonly string[]): string {
  const parts = packages.map((one) => [`${refOf(one)} (${one.license})`, ...one.texts].join('\n\n'));
  const unique = [
    ...new Set(comments.map((text) => text.replace(/^Bundled license information:\n/, '').trim())),
  ];
  if (unique.length > 0) parts.push(['Comments in the code of these packages', ...unique].join('\n\n'));
  const heading = 'This program contains the following packages, in whole or in part.';
  return `${[heading, ...parts].join(`\n\n${RULE}\n\n`)}\n`;
}

/** What of CycloneDX is read here. */
export interface Sbom {
  metadata: { component: Component; timestamp?: string };
  serialNumber?: string;
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  type: string;
  description?: string;
  scope?: string;
  properties?: unknown[];
}

/** The SBOM of the workspace as npm writes it from the lock file: CycloneDX, as JSON. */
async function workspaceSbom(): Promise<Sbom> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
    { maxBuffer: 64 << 20 },
  );
  return JSON.parse(stdout) as Sbom;
}

/**
 * The SBOM of a bundle: npm's, without the packages of which nothing is in the bundle. It has neither a time nor a random
 * number, so that two builds of a commit are the same.
 */
export async function sbom(
  manifest: { name: string; version: string; description: string },
  packages: readonly Package[],
  whole: Promise<Sbom> = workspaceSbom(),
): Promise<Sbom> {
  const bom = await whole;
  const kept = new Set(packages.map(refOf));
  // For the lock file some are only for development: a bundle is made then. For its user all are a part of it.
  const components = bom.components
    .filter((component) => kept.has(component['bom-ref']))
    .map((component) => ({ ...component, scope: 'required', properties: [] }));
  const found = new Set(components.map((component) => component['bom-ref']));
  const missing = [...kept].filter((ref) => !found.has(ref));
  if (missing.length > 0)
    throw new Error(`not in package-lock.json: ${missing.join(', ')}; run npm install to mend it`);
  const root = refOf(manifest);
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((to) => kept.has(to)) }));
  const indirect = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
  delete bom.serialNumber;
  delete bom.metadata.timestamp;
  return {
    ...bom,
    metadata: {
      ...bom.metadata,
      component: {
        ...bom.metadata.component,
        'bom-ref': root,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        purl: `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`,
        properties: [],
      },
    },
    components,
    dependencies: [{ ref: root, dependsOn: [...kept].filter((ref) => !indirect.has(ref)) }, ...dependencies],
  };
}
