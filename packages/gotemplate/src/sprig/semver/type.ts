/** `*semver.Version`, as templates see it. */
import { STRING, UINT64, pointerTo, structType } from '../../value/type.ts';
import { Pointer, Struct, Typed, bare } from '../../value/value.ts';
import type { Version } from './version.ts';

export const VERSION = structType('semver.Version', [
  { name: 'major', type: UINT64 },
  { name: 'minor', type: UINT64 },
  { name: 'patch', type: UINT64 },
  { name: 'pre', type: STRING },
  { name: 'metadata', type: STRING },
  { name: 'original', type: STRING },
]);

export function toStruct({ major, minor, patch, prerelease, metadata, original }: Version): Struct {
  const numbers = [major, minor, patch].map((part) => new Typed(UINT64, part));
  return new Struct(VERSION, [...numbers, prerelease, metadata, original]);
}

export function fromStruct({ fields }: Struct): Version {
  const [major, minor, patch] = fields.map((field) => bare(field) as bigint);
  const [prerelease, metadata, original] = fields.slice(3) as string[];
  return { major, minor, patch, prerelease, metadata, original } as Version;
}

/** A version as the functions of templates return it. */
export function toPointer(version: Version): Pointer {
  return new Pointer(pointerTo(VERSION), toStruct(version));
}
