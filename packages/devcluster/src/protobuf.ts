import type { Json, JsonObject } from './json.ts';
import { textAt } from './json.ts';
import type { Message, Scalar } from './messages.ts';
import { message, MESSAGES } from './messages.ts';
import { timestamp } from './object.ts';
import { setOwn } from './schema/json-values.ts';
import { badRequest } from './status.ts';

/**
 * Decodes `application/vnd.kubernetes.protobuf`, in which newer kubectls create built-in objects. Answers are JSON, which all such
 * clients accept.
 */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const MAGIC = Buffer.from('k8s\0', 'latin1');
const TYPE = message([1, 'apiVersion'], [2, 'kind']);

/**
 * Decodes an object in its envelope (`runtime.Unknown`).
 *
 * @throws ApiError 400 if it is truncated, or of an unknown kind
 */
export function decodeProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC))
    throw badRequest(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  try {
    let type: JsonObject = {};
    let raw: Buffer = Buffer.alloc(0);
    for (const [number, value] of fieldsOf(body.subarray(MAGIC.length))) {
      if (number === 1) type = read(TYPE, bytesOf(value));
      if (number === 2) raw = bytesOf(value);
    }
    const kind = textAt(type, 'kind');
    const shape = MESSAGES.get(kind);
    if (!shape) throw new RangeError(`no message for kind ${JSON.stringify(kind)}`);
    return { ...type, ...read(shape, raw) };
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(`cannot decode protobuf: ${error.message}`);
    throw error;
  }
}

function read(shape: Message, bytes: Buffer): JsonObject {
  const object: JsonObject = {};
  for (const [number, value] of fieldsOf(bytes)) {
    const [name, { of, as }] = shape.get(number) ?? ['', { of: 'ignore', as: undefined }];
    if (of === 'ignore') continue;
    if (as === 'map') {
      const map = (object[name] ??= {}) as JsonObject;
      const entry = read(message([1, 'key'], [2, 'value', of]), bytesOf(value));
      setOwn(map, textAt(entry, 'key'), entry.value ?? '');
    } else if (as === 'list') {
      const list = (object[name] ??= []) as Json[];
      list.push(decodeValue(of, value));
    } else object[name] = decodeValue(of, value);
  }
  return object;
}

function decodeValue(of: Scalar | Message, value: bigint | Buffer): Json {
  switch (of) {
    case 'string':
      return bytesOf(value).toString();
    case 'bytes':
      return bytesOf(value).toString('base64');
    case 'int':
      return Number(numberOf(value));
    case 'bool':
      return numberOf(value) !== 0n;
    case 'time':
    case 'microTime':
      return decodeTime(bytesOf(value), of === 'microTime');
    case 'ignore':
      return null;
    default:
      return read(of, bytesOf(value));
  }
}

/** An empty message is Go's zero time, which JSON writes as null. */
function decodeTime(bytes: Buffer, micro: boolean): Json {
  const { seconds, nanos } = read(message([1, 'seconds', 'int'], [2, 'nanos', 'int']), bytes);
  if (typeof seconds !== 'number') return null;
  const text = timestamp(seconds * 1000);
  const micros = Math.floor((typeof nanos === 'number' ? nanos : 0) / 1000);
  return micro ? text.replace('Z', `.${String(micros).padStart(6, '0')}Z`) : text;
}

function bytesOf(value: bigint | Buffer): Buffer {
  if (typeof value === 'bigint') throw new RangeError('wrong wire type');
  return value;
}

function numberOf(value: bigint | Buffer): bigint {
  if (typeof value !== 'bigint') throw new RangeError('wrong wire type');
  return BigInt.asIntN(64, value);
}

/** The fields of a message on the wire: https://protobuf.dev/programming-guides/encoding/ */
function* fieldsOf(bytes: Buffer): Generator<[number, bigint | Buffer]> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('varint too long');
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    switch (tag & 7) {
      case 0:
        yield [tag >>> 3, varint()];
        break;
      case 2: {
        const end = Number(varint()) + at;
        if (end > bytes.length) throw new RangeError('message cut short');
        yield [tag >>> 3, bytes.subarray(at, end)];
        at = end;
        break;
      }
      default:
        throw new RangeError(`wire type ${tag & 7} not expected`);
    }
  }
}
