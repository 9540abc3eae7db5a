import fc from 'fast-check';
import { expect, it } from 'vitest';

import { decodeProtobuf } from './protobuf.ts';
import { ApiError } from './status.ts';

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 128))];
}

/** A field of bytes, text or whole message. */
function field(number: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
}

const integer = (number: number, value: number): Buffer =>
  Buffer.from([...varint(number * 8), ...varint(value)]);

const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields);

const envelope = (kind: string, raw: Buffer): Buffer =>
  message(Buffer.from('k8s\0'), field(1, message(field(1, 'v1'), field(2, kind))), field(2, raw));

it('reads a secret with its metadata and data', () => {
  const metadata = message(
    field(1, 's'),
    field(3, 'team'),
    field(8, ''),
    field(11, message(field(1, 'a'), field(2, 'b'))),
    field(14, 'x/y'),
  );
  const entry = message(field(1, 'key'), field(2, Buffer.from([0, 255])));
  const raw = message(field(1, metadata), field(2, entry), field(3, 'Opaque'), integer(5, 1));
  expect(decodeProtobuf(envelope('Secret', raw))).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 's',
      namespace: 'team',
      creationTimestamp: null,
      labels: { a: 'b' },
      finalizers: ['x/y'],
    },
    data: { key: 'AP8=' },
    type: 'Opaque',
    immutable: true,
  });
});

it('reads times, of leases with their six digits', () => {
  const time = message(integer(1, 1_767_225_600), integer(2, 5_000));
  const spec = message(field(1, 'me'), integer(2, 15), field(4, time));
  expect(decodeProtobuf(envelope('Lease', field(2, spec)))).toMatchObject({
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000005Z' },
  });
});

it('reads a request for a token', () => {
  const bound = message(field(1, 'Pod'), field(2, 'v1'), field(3, 'p'), field(4, 'u'));
  const spec = message(field(1, 'a'), field(1, 'b'), field(3, bound), integer(4, 1200));
  expect(decodeProtobuf(envelope('TokenRequest', field(2, spec)))).toMatchObject({
    spec: {
      audiences: ['a', 'b'],
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'u' },
      expirationSeconds: 1200,
    },
  });
});

it('refuses with 400 a kind it does not know', () => {
  expect(() => decodeProtobuf(envelope('Pod', Buffer.alloc(0)))).toThrow(ApiError);
});

it('reads any bytes or refuses them, and nothing else happens', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, wrapped) => {
      const raw = Buffer.from(bytes);
      const body = wrapped ? envelope('Event', raw) : message(Buffer.from('k8s\0'), raw);
      try {
        decodeProtobuf(body);
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    }),
    { seed: 11, numRuns: 500 },
  );
});
