import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LineCounter, parseAllDocuments, type Document } from 'yaml';
import { displayPath } from '../../cluster/display-path.ts';
import { FlagError } from '../io.ts';
import { whyUnreadable } from '../unreadable.ts';
import type { Manifest } from './api.ts';

/** The path of a project file or folder, searched upwards from this file. Throws if it does not exist, as in the image. */
export function projectPath(path: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    if (folder === dirname(folder))
      throw new Error(`${path} was not found: hnotif dev runs from a checkout of the project`);
  }
}

async function filesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((file) => /\.ya?ml$/.test(file)).sort();
  } catch (error) {
    throw new FlagError(`--examples: the folder${displayPath(folder)} ${whyUnreadable(error)}`);
  }
}

/** All manifests of a folder, in the order of the file names. Errors name file and line, but no content: it may be a secret. */
export async function readManifests(folder: string): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const file of await filesOf(folder)) {
    const path = join(folder, file);
    const lineCounter = new LineCounter();
    const text = await readFile(path, 'utf8');
    for (const document of parseAllDocuments(text, { version: '1.1', lineCounter, prettyErrors: false })) {
      const [fault] = document.errors;
      if (fault !== undefined)
        throw new Error(`${path}:${lineCounter.linePos(fault.pos[0]).line}: not YAML (${fault.code})`);
      const object = plain(document, path);
      if (object === null) continue;
      if (!isManifest(object))
        throw new Error(`${path}: an object without apiVersion, kind or metadata.name`);
      manifests.push(object);
    }
  }
  return manifests;
}

/** The value of a document. Only this finds an alias without its anchor. */
function plain(document: Document, path: string): unknown {
  try {
    return document.toJS();
  } catch {
    throw new Error(`${path}: not YAML (an alias without its anchor)`);
  }
}

function isManifest(object: unknown): object is Manifest {
  const { apiVersion, kind, metadata } = object as Partial<Record<string, unknown>>;
  const name = (metadata as { name?: unknown } | null | undefined)?.name;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof name === 'string';
}

/** The configuration in a sink's secret; `{}` for other manifests. Throws if it is not JSON, without the parser's message, which shows content. */
export function configOf({ kind, metadata, stringData }: Manifest): Readonly<Record<string, unknown>> {
  const text =
    kind === 'Secret' ? (stringData as { config?: unknown } | null | undefined)?.config : undefined;
  if (typeof text !== 'string') return {};
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    throw new Error(`secret ${metadata.namespace ?? 'default'}/${metadata.name}: config is not JSON`);
  }
  return typeof config === 'object' && config !== null ? { ...config } : {};
}

/** Fields of configurations with the address of a receiver. */
const ADDRESSES = ['url', 'webhook_url'] as const;

/** The manifests with other origins (scheme, host and port) of receivers, because ports were taken. */
export function withReceivers(
  manifests: readonly Manifest[],
  moves: ReadonlyMap<string, string>,
): Manifest[] {
  return manifests.map((manifest) => {
    const config = configOf(manifest);
    const moved = ADDRESSES.flatMap((field) => {
      const address = addressIn(config, field);
      const to = address === undefined ? undefined : moves.get(address.origin);
      return address === undefined || to === undefined
        ? []
        : [[field, to + address.href.slice(address.origin.length)] as const];
    });
    if (moved.length === 0) return manifest;
    const text = JSON.stringify({ ...config, ...Object.fromEntries(moved) });
    return { ...manifest, stringData: { ...(manifest.stringData as object), config: text } };
  });
}

/** Undefined: the field has no address. */
export function addressIn(config: Readonly<Record<string, unknown>>, field: string): URL | undefined {
  const text = config[field];
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
}
