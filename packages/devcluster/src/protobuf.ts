import type { Json, JsonObject } from './json.ts';
import { textAt } from './json.ts';
import { timestamp } from './object.ts';
import { setOwn } from './schema/own.ts';
import { badRequest } from './status.ts';

/**
 * Reads `application/vnd.kubernetes.protobuf`, in which newer kubectls create built-in objects. Answers are JSON:
 * every such client takes that too. Field numbers are those of the `generated.proto` files of k8s.io/api and
 * k8s.io/apimachinery.
 */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

type Scalar = 'string' | 'bytes' | 'int' | 'bool' | 'time' | 'microTime' | 'ignore';
interface Type {
  readonly of: Scalar | Message;
  readonly as?: 'list' | 'map';
}
/** Field number → name and type. */
type Message = ReadonlyMap<number, readonly [name: string, type: Type]>;

type Field = readonly [number, string, (Scalar | Message)?, Type['as']?];

/** Fields are strings unless they say otherwise. */
const message = (...fields: readonly Field[]): Message =>
  new Map(fields.map(([number, name, of = 'string', as]) => [number, [name, { of, ...(as && { as }) }]]));

const owner = message(
  [1, 'kind'],
  [3, 'name'],
  [4, 'uid'],
  [5, 'apiVersion'],
  [6, 'controller', 'bool'],
  [7, 'blockOwnerDeletion', 'bool'],
);

const metadata = message(
  [1, 'name'],
  [2, 'generateName'],
  [3, 'namespace'],
  [5, 'uid'],
  [6, 'resourceVersion'],
  [7, 'generation', 'int'],
  [8, 'creationTimestamp', 'time'],
  [9, 'deletionTimestamp', 'time'],
  [10, 'deletionGracePeriodSeconds', 'int'],
  [11, 'labels', 'string', 'map'],
  [12, 'annotations', 'string', 'map'],
  [13, 'ownerReferences', owner, 'list'],
  [14, 'finalizers', 'string', 'list'],
  [17, 'managedFields', 'ignore'],
);

const reference = message(
  [1, 'kind'],
  [2, 'namespace'],
  [3, 'name'],
  [4, 'uid'],
  [5, 'apiVersion'],
  [6, 'resourceVersion'],
  [7, 'fieldPath'],
);

const rule = message(
  [1, 'verbs', 'string', 'list'],
  [2, 'apiGroups', 'string', 'list'],
  [3, 'resources', 'string', 'list'],
  [4, 'resourceNames', 'string', 'list'],
  [5, 'nonResourceURLs', 'string', 'list'],
);

const role = message([1, 'metadata', metadata], [2, 'rules', rule, 'list'], [3, 'aggregationRule', 'ignore']);

const binding = message(
  [1, 'metadata', metadata],
  [2, 'subjects', message([1, 'kind'], [2, 'apiGroup'], [3, 'name'], [4, 'namespace']), 'list'],
  [3, 'roleRef', message([1, 'apiGroup'], [2, 'kind'], [3, 'name'])],
);

const MESSAGES = new Map<string, Message>([
  ['Role', role],
  ['ClusterRole', role],
  ['RoleBinding', binding],
  ['ClusterRoleBinding', binding],
  [
    'ServiceAccount',
    message(
      [1, 'metadata', metadata],
      [2, 'secrets', reference, 'list'],
      [3, 'imagePullSecrets', message([1, 'name']), 'list'],
      [4, 'automountServiceAccountToken', 'bool'],
    ),
  ],
  [
    'SelfSubjectAccessReview',
    message(
      [1, 'metadata', metadata],
      [
        2,
        'spec',
        message(
          [
            1,
            'resourceAttributes',
            message(
              [1, 'namespace'],
              [2, 'verb'],
              [3, 'group'],
              [4, 'version'],
              [5, 'resource'],
              [6, 'subresource'],
              [7, 'name'],
            ),
          ],
          [2, 'nonResourceAttributes', message([1, 'path'], [2, 'verb'])],
        ),
      ],
      [3, 'status', 'ignore'],
    ),
  ],
  [
    'Namespace',
    message(
      [1, 'metadata', metadata],
      [2, 'spec', message([1, 'finalizers', 'string', 'list'])],
      [3, 'status', message([1, 'phase'], [2, 'conditions', 'ignore'])],
    ),
  ],
  [
    'Secret',
    message(
      [1, 'metadata', metadata],
      [2, 'data', 'bytes', 'map'],
      [3, 'type'],
      [4, 'stringData', 'string', 'map'],
      [5, 'immutable', 'bool'],
    ),
  ],
  [
    'ConfigMap',
    message(
      [1, 'metadata', metadata],
      [2, 'data', 'string', 'map'],
      [3, 'binaryData', 'bytes', 'map'],
      [4, 'immutable', 'bool'],
    ),
  ],
  [
    'Event',
    message(
      [1, 'metadata', metadata],
      [2, 'involvedObject', reference],
      [3, 'reason'],
      [4, 'message'],
      [5, 'source', message([1, 'component'], [2, 'host'])],
      [6, 'firstTimestamp', 'time'],
      [7, 'lastTimestamp', 'time'],
      [8, 'count', 'int'],
      [9, 'type'],
      [10, 'eventTime', 'microTime'],
      [11, 'series', message([1, 'count', 'int'], [2, 'lastObservedTime', 'microTime'])],
      [12, 'action'],
      [13, 'related', reference],
      [14, 'reportingComponent'],
      [15, 'reportingInstance'],
    ),
  ],
  [
    'Lease',
    message(
      [1, 'metadata', metadata],
      [
        2,
        'spec',
        message(
          [1, 'holderIdentity'],
          [2, 'leaseDurationSeconds', 'int'],
          [3, 'acquireTime', 'microTime'],
          [4, 'renewTime', 'microTime'],
          [5, 'leaseTransitions', 'int'],
          [6, 'strategy'],
          [7, 'preferredHolder'],
        ),
      ],
    ),
  ],
  [
    'DeleteOptions',
    message(
      [1, 'gracePeriodSeconds', 'int'],
      [2, 'preconditions', message([1, 'uid'], [2, 'resourceVersion'])],
      [3, 'orphanDependents', 'bool'],
      [4, 'propagationPolicy'],
      [5, 'dryRun', 'string', 'list'],
    ),
  ],
]);

const MAGIC = Buffer.from('k8s\0', 'latin1');
const TYPE = message([1, 'apiVersion'], [2, 'kind']);

/**
 * Decodes an object in its envelope (`runtime.Unknown`).
 *
 * @throws ApiError 400 when it is cut short, or of a kind not known here
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
