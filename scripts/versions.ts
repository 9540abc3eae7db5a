/** The places where files of the repository name the version of hnotif. A release changes them; a test compares them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** A version as text: `0.1.0`, `1.0.0-rc.1`. */
const VERSION = String.raw`\d+\.\d+\.\d+(?:-[\w.]*\w)?`;

/** Which files have which places. A pattern matches the version alone. */
const PLACES: readonly (readonly [file: RegExp, version: RegExp])[] = [
  // Of the file itself, and of the other packages of the workspace.
  [/^(packages\/[\w-]+\/)?package\.json$/, at('^  "version": "', '"')],
  [/^packages\/[\w-]+\/package\.json$/, at('"@hnotif/[\\w-]+": "', '"')],
  // The lock file has them once more: for the workspace, its root, and each package.
  [/^package-lock\.json$/, at('^  "version": "', '"')],
  [
    /^package-lock\.json$/,
    at('^    "(?:packages/[\\w-]+)?": \\{\\n(?: +"name": "[^"]+",\\n)? +"version": "', '"'),
  ],
  [/^package-lock\.json$/, at('"@hnotif/[\\w-]+": "', '"')],
  [/^Dockerfile$/, at('org\\.opencontainers\\.image\\.version="', '"')],
  [/^deploy\/helm\/.*\/Chart\.yaml$/, at('^(?:version|appVersion): ')],
  // A release of Argo CD or Flux that takes the chart.
  [/^(deploy|docs)\/.*\.(ya?ml|md)$/, at('^ *(?:targetRevision|tag): ["\']?', '["\']? # hnotif$')],
  [/^deploy\/krew\/.*\.yaml$/, at('^  version: v')],
  [/^deploy\/krew\/.*\.yaml$/, at('/releases/download/v', '/')],
  [/^deploy\/krew\/.*\.yaml$/, at('/hnotif-', '\\.tar\\.gz')],
  // The image by our own name: `image: hnotif:0.1.0`, `docker build -t hnotif:0.1.0`.
  [/^deploy\/.*\.ya?ml$|^(deploy|docs)\/.*\.md$|^README\.md$|^Dockerfile$/, at('\\bhnotif:')],
];

function at(before: string, after = ''): RegExp {
  return new RegExp(`(?<=${before})${VERSION}(?=${after})`, 'gm');
}

/** The files that may have such a place, by their path from the root. */
export async function versionedFiles(): Promise<string[]> {
  const folders = await Promise.all(
    ['deploy', 'docs'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  const packages = (await readdir(join(root, 'packages'))).map((name) => `packages/${name}/package.json`);
  const all = [
    'package.json',
    'package-lock.json',
    'Dockerfile',
    'README.md',
    ...packages,
    ...folders.flat(),
  ];
  return all
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => PLACES.some(([file]) => file.test(path)));
}

/** All versions that a file names, in the order of its places. */
export const versionsIn = (path: string, text: string): string[] =>
  PLACES.filter(([file]) => file.test(path)).flatMap(([, version]) => text.match(version) ?? []);

/** The text of a file with another version at each place. */
export const withVersion = (path: string, text: string, to: string): string =>
  PLACES.filter(([file]) => file.test(path)).reduce(
    (changed, [, version]) => changed.replace(version, to),
    text,
  );

/** A file of the repository. */
export const readSource = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
