import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { copyJson, equalJson, getOwn, setOwn } from '../schema/json-values.ts';
import { PatchError } from './error.ts';
import { listPosition, parsePointer, step } from './pointer.ts';

export { PatchError } from './error.ts';

/** The most operations in one patch, as in kube-apiserver. */
const maxOperations = 10_000;

/**
 * Applies a JSON patch (RFC 6902). Its operations apply one after the other, all or none; `target` is not changed.
 *
 * @throws PatchError when the patch is not well formed, or an operation does not fit the document. The messages are
 * those of the library the real server uses, github.com/evanphx/json-patch.
 */
export function jsonPatch(target: Json, patch: Json): Json {
  if (!Array.isArray(patch)) {
    throw new PatchError('json: cannot unmarshal into Go value of type jsonpatch.Patch');
  }
  if (patch.length > maxOperations) {
    throw new PatchError(
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  let document = copyJson(target);
  for (const operation of patch) document = applyOperation(document, operation);
  return document;
}

function applyOperation(document: Json, operation: Json): Json {
  if (!isObject(operation))
    throw new PatchError('json: cannot unmarshal into Go value of type jsonpatch.Operation');
  const op = textOf(operation, 'op') ?? 'unknown';
  const path = textOf(operation, 'path');
  if (path === undefined) throw new PatchError(`${op} operation failed to decode path: missing value`);
  switch (op) {
    case 'add':
      return add(document, path, valueOf(operation, op), op);
    case 'remove':
      return remove(document, path, op).document;
    case 'replace':
      return replace(document, path, valueOf(operation, op));
    case 'move':
      return move(document, fromOf(operation, op), path);
    case 'copy':
      return add(document, path, copyJson(read(document, fromOf(operation, op), op, 'from path')), op);
    case 'test':
      return test(document, path, getOwn(operation, 'value') ?? null);
    default:
      throw new PatchError(`Unexpected kind: ${op}`);
  }
}

function add(document: Json, path: string, value: Json, op: string): Json {
  const { parents, last } = split(path);
  if (last === undefined) return value;
  const parent = container(
    document,
    parents,
    op === 'add' ? `path: "${path}"` : `destination path: ${path}`,
    op,
  );
  if (Array.isArray(parent)) {
    const position = listPosition(last, parent.length, true);
    if (position === undefined) {
      throw new PatchError(
        `error in ${op} for path: '${path}': Unable to access invalid index: ${last}: invalid index referenced`,
      );
    }
    parent.splice(position, 0, value);
  } else {
    setOwn(parent, last, value);
  }
  return document;
}

function remove(document: Json, path: string, op: string): { document: Json; removed: Json } {
  const { parents, last } = split(path);
  if (last === undefined) return { document: null, removed: document };
  const parent = container(document, parents, `path: "${path}"`, op);
  const removed = step(parent, last);
  if (removed === undefined) {
    throw new PatchError(
      `error in ${op} for path: '${path}': Unable to remove nonexistent key: ${last}: missing value`,
    );
  }
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
  return { document, removed };
}

function replace(document: Json, path: string, value: Json): Json {
  const { parents, last } = split(path);
  if (last === undefined) return value;
  const parent = container(document, parents, `path: ${path}`, 'replace');
  if (step(parent, last) === undefined) {
    throw new PatchError(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  }
  if (Array.isArray(parent)) parent[Number(last)] = value;
  else setOwn(parent, last, value);
  return document;
}

function move(document: Json, from: string, path: string): Json {
  if (path.startsWith(`${from}/`)) {
    throw new PatchError(`move operation does not apply: ${path} is inside of ${from}`);
  }
  const { document: without, removed } = remove(document, from, 'move');
  return add(without, path, removed, 'move');
}

function test(document: Json, path: string, expected: Json): Json {
  const { parents, last } = split(path);
  const actual =
    last === undefined ? document : step(container(document, parents, `path: ${path}`, 'test'), last);
  // The library takes a missing field for null: `test` with null says that a field is absent.
  if (!equalJson(actual ?? null, expected)) throw new PatchError(`testing value ${path} failed: test failed`);
  return document;
}

function read(document: Json, path: string, op: string, what: string): Json {
  const { parents, last } = split(path);
  if (last === undefined) return document;
  const value = step(container(document, parents, `${what}: ${path}`, op), last);
  if (value === undefined) throw new PatchError(`error in ${op} for path: '${path}': missing value`);
  return value;
}

function container(
  document: Json,
  parents: readonly string[],
  missing: string,
  op: string,
): Json[] | JsonObject {
  let value: Json | undefined = document;
  for (const part of parents) value = value === undefined ? undefined : step(value, part);
  if (Array.isArray(value) || isObject(value)) return value;
  throw new PatchError(`${op} operation does not apply: doc is missing ${missing}: missing value`);
}

function split(path: string): { parents: string[]; last: string | undefined } {
  const parts = parsePointer(path);
  return { parents: parts.slice(0, -1), last: parts.at(-1) };
}

function textOf(operation: JsonObject, field: string): string | undefined {
  const value = getOwn(operation, field);
  return typeof value === 'string' ? value : undefined;
}

function fromOf(operation: JsonObject, op: string): string {
  const from = textOf(operation, 'from');
  if (from === undefined) throw new PatchError(`${op} operation failed to decode from: missing value`);
  return from;
}

function valueOf(operation: JsonObject, op: string): Json {
  const value = getOwn(operation, 'value');
  if (value === undefined) throw new PatchError(`${op} operation failed to decode value: missing value`);
  // A copy, so that a later operation of the same patch cannot change it.
  return copyJson(value);
}
