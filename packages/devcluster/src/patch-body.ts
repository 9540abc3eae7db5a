import { parse as parseYaml } from 'yaml';

import { type Body, mediaType, parseBody } from './body.ts';
import type { Json } from './json.ts';
import { isObject } from './json.ts';
import type { KubeObject } from './object.ts';
import { PatchError } from './patch/error.ts';
import { jsonPatch } from './patch/json.ts';
import { mergePatch } from './patch/merge.ts';
import { strategicMergePatch } from './patch/strategic.ts';
import type { Resource } from './resource.ts';
import { ApiError, badRequest } from './status.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** The media types of patches. Custom resources have no strategic merge. */
export const patchTypes = ({ custom }: Pick<Resource, 'custom'>): string[] => [
  ...[JSON_PATCH, MERGE_PATCH],
  ...(custom ? [] : [STRATEGIC_PATCH]),
  APPLY_PATCH,
];

/** A patch and its media type. A configuration to apply is YAML, which includes JSON. */
export interface Patch extends Body {
  readonly type: string;
}

/** @throws ApiError 400 or 415 */
export function readPatch(body: Buffer, contentType: string | undefined, resource: Resource): Patch {
  const type = mediaType(contentType, patchTypes(resource));
  const isYaml = type === APPLY_PATCH && !/^\s*\{/.test(body.toString('latin1'));
  return { type, ...(isYaml ? readYaml(body) : parseBody(body, type)) };
}

function readYaml(body: Buffer): Body {
  try {
    // Through JSON, because YAML also has values that are not JSON.
    return parseBody(Buffer.from(JSON.stringify(parseYaml(body.toString()))), 'application/json');
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw badRequest(`error decoding YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * The object with a patch that is no configuration to apply.
 *
 * @throws ApiError 400 or 422
 */
export function patched({ type, json }: Patch, { strategy }: Resource, old: KubeObject): Json {
  try {
    if (type === JSON_PATCH) {
      if (!Array.isArray(json)) throw badRequest('error decoding patch: the body must be a list');
      return jsonPatch(old, json);
    }
    if (!isObject(json)) throw badRequest('error decoding patch: the body must be an object');
    return type === MERGE_PATCH ? mergePatch(old, json) : strategicMergePatch(old, json, strategy.shape);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    // A real server gives no reason either.
    throw new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}
