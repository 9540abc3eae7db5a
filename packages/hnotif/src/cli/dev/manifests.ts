import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LineCounter, parseAllDocuments, type Document } from 'yaml';
import type { Manifest } from './api.ts';

/**
 * A file or folder of the project, looked for upwards from this file: it is there in a checkout, not in an image.
 * Throws when it is not.
 */
export function projectPath(path: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    if (folder === dirname(folder))
      throw new Error(`${path} was not found: hnotif dev runs from a checkout of the project`);
  }
}

/**
 * All manifests of a folder, in the order of the files' names. Rejects with the file and the line of a fault, and with
 * nothing of what is written there: it may be a secret.
 */
export async function readManifests(folder: string): Promise<Manifest[]> {
  const files = (await readdir(folder)).filter((file) => /\.ya?ml$/.test(file)).sort();
  const manifests: Manifest[] = [];
  for (const file of files) {
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

/** What a document says. An alias that stands for nothing is found out only here. */
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

/**
 * The configuration in a sink's secret, as far as it is JSON; `{}` for a manifest that is no such secret. Throws when it is no
 * JSON; the parser's own message would show a piece of it.
 */
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

/** The fields of configurations that hold the address of a receiver. */
const ADDRESSES = ['url', 'webhook_url'] as const;

/**
 * The same manifests, with what is sent to one of these origins (scheme, host and port) sent to the other one: for ports that
 * were taken.
 */
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

/** Undefined where the field holds no address. */
export function addressIn(config: Readonly<Record<string, unknown>>, field: string): URL | undefined {
  const text = config[field];
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
}
