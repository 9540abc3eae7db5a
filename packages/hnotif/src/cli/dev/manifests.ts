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

/** The configuration in a sink's secret, as far as `dev` needs it. */
interface SinkConfig {
  readonly url?: unknown;
  readonly signing_secret?: unknown;
}

/** Throws when the configuration is no JSON; the parser's own message would show a piece of it. */
function configOf({ metadata, stringData }: Manifest): SinkConfig {
  const text = (stringData as { config?: unknown } | null | undefined)?.config;
  if (typeof text !== 'string') return {};
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    throw new Error(`secret ${metadata.namespace ?? 'default'}/${metadata.name}: config is not JSON`);
  }
  return typeof config === 'object' && config !== null ? config : {};
}

/** The secrets with which the examples' webhooks are signed, for the receiver to check. */
export function signingSecrets(manifests: readonly Manifest[]): string[] {
  const secrets = manifests
    .filter(({ kind }) => kind === 'Secret')
    .flatMap((secret) => configOf(secret).signing_secret)
    .filter((secret) => typeof secret === 'string');
  return [...new Set(secrets)];
}

/** The same manifests, with webhooks to `from` (scheme, host and port) sent to `to`: for a port that was taken. */
export function withReceiver(manifests: readonly Manifest[], from: string, to: string): Manifest[] {
  return manifests.map((manifest) => {
    const config = manifest.kind === 'Secret' ? configOf(manifest) : {};
    if (typeof config.url !== 'string' || !config.url.startsWith(from)) return manifest;
    const moved = JSON.stringify({ ...config, url: to + config.url.slice(from.length) });
    return { ...manifest, stringData: { ...(manifest.stringData as object), config: moved } };
  });
}
