/**
 * SHA-1, SHA-256 and SHA-512 (FIPS 180-4) as hexadecimal digits. Browsers have them as promises only, and a template cannot wait;
 * with Node's the engine could not run in a browser.
 */

const FIRST_PRIMES = 80;
const MASK = 0xffff_ffff_ffff_ffffn;
const CARRY = 0x1_0000_0000;

/** The first 64 bits of the fraction of a number's root of this degree, as the standard derives its constants. */
function rootBits(value: number, degree: bigint): bigint {
  const scaled = BigInt(value) << (64n * degree);
  let root = 1n << 68n;
  for (;;) {
    const next = ((degree - 1n) * root + scaled / root ** (degree - 1n)) / degree;
    if (next >= root) return root & MASK;
    root = next;
  }
}

interface Constants {
  /** The upper halves of the words: SHA-256's constants. */
  readonly upper: Int32Array;
  readonly lower: Int32Array;
}

const halves = (words: readonly bigint[]): Constants => ({
  upper: Int32Array.from(words, (word) => Number(BigInt.asIntN(32, word >> 32n))),
  lower: Int32Array.from(words, (word) => Number(BigInt.asIntN(32, word))),
});

let constants: { readonly rounds: Constants; readonly start: Constants } | undefined;

function sha2Constants() {
  if (constants !== undefined) return constants;
  const primes: number[] = [];
  for (let n = 2; primes.length < FIRST_PRIMES; n++)
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  constants = {
    rounds: halves(primes.map((prime) => rootBits(prime, 3n))),
    start: halves(primes.slice(0, 8).map((prime) => rootBits(prime, 2n))),
  };
  return constants;
}

/** Calls `block` for each block of the padded message: the bytes, a 1, zeros, and the length in bits. */
function eachBlock(bytes: Uint8Array, size: number, block: (view: DataView, at: number) => void): void {
  const whole = bytes.length - (bytes.length % size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += size) block(view, at);
  const rest = bytes.length - whole;
  // The length takes an eighth of a block; its upper bits are 0.
  const end = new DataView(new ArrayBuffer(rest + 1 + size / 8 > size ? 2 * size : size));
  new Uint8Array(end.buffer).set(bytes.subarray(whole));
  end.setUint8(rest, 0x80);
  end.setBigUint64(end.byteLength - 8, BigInt(bytes.length) * 8n);
  for (let at = 0; at < end.byteLength; at += size) block(end, at);
}

/** Words as hexadecimal digits; of several arrays in turn. */
function hex(...parts: readonly Int32Array[]): string {
  let digits = '';
  for (let i = 0; i < (parts[0]?.length ?? 0); i++)
    for (const part of parts) digits += ((part[i] ?? 0) >>> 0).toString(16).padStart(8, '0');
  return digits;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha1(bytes: Uint8Array): string {
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const w = new Int32Array(80);
  eachBlock(bytes, 64, (view, at) => {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 80; i++) w[i] = rotate(w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!, 31);
    let [a, b, c, d, e] = state as unknown as [number, number, number, number, number];
    for (let i = 0; i < 80; i++) {
      let mixed: number;
      if (i < 20) mixed = ((b & c) | (~b & d)) + 0x5a827999;
      else if (i < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1;
      else if (i < 60) mixed = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
      else mixed = (b ^ c ^ d) + 0xca62c1d6;
      const next = (rotate(a, 27) + mixed + e + w[i]!) | 0;
      e = d;
      d = c;
      c = rotate(b, 2);
      b = a;
      a = next;
    }
    add(state, [a, b, c, d, e]);
  });
  return hex(state);
}

export function sha256(bytes: Uint8Array): string {
  const { rounds, start } = sha2Constants();
  const k = rounds.upper;
  const state = start.upper.slice();
  const w = new Int32Array(64);
  eachBlock(bytes, 64, (view, at) => {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!;
      const y = w[i - 2]!;
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + k[i]! + w[i]!) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    add(state, [a, b, c, d, e, f, g, h]);
  });
  return hex(state);
}

type Eight = [number, number, number, number, number, number, number, number];

function add(state: Int32Array, words: readonly number[]): void {
  for (let i = 0; i < state.length; i++) state[i] = state[i]! + words[i]!;
}

/** Words of 64 bits are two arrays: JavaScript's numbers are exact to 53 bits, and bigints are slow. */
export function sha512(bytes: Uint8Array): string {
  const { rounds, start } = sha2Constants();
  const upper = start.upper.slice();
  const lower = start.lower.slice();
  const wu = new Int32Array(80);
  const wl = new Int32Array(80);
  // The eight variables of the rounds, rotated by an index instead of being copied.
  const vu = new Int32Array(8);
  const vl = new Int32Array(8);
  eachBlock(bytes, 128, (view, at) => {
    for (let i = 0; i < 16; i++) {
      wu[i] = view.getInt32(at + 8 * i);
      wl[i] = view.getInt32(at + 8 * i + 4);
    }
    for (let i = 16; i < 80; i++) {
      const xu = wu[i - 15]!;
      const xl = wl[i - 15]!;
      const yu = wu[i - 2]!;
      const yl = wl[i - 2]!;
      const low =
        ((part(xl, xu, 1) ^ part(xl, xu, 8) ^ part(xl, xu, 7)) >>> 0) +
        ((part(yl, yu, 19) ^ part(yu, yl, 29) ^ part(yl, yu, 6)) >>> 0) +
        (wl[i - 7]! >>> 0) +
        (wl[i - 16]! >>> 0);
      wl[i] = low;
      wu[i] =
        (part(xu, xl, 1) ^ part(xu, xl, 8) ^ (xu >>> 7)) +
        (part(yu, yl, 19) ^ part(yl, yu, 29) ^ (yu >>> 6)) +
        wu[i - 7]! +
        wu[i - 16]! +
        ((low / CARRY) | 0);
    }
    vu.set(upper);
    vl.set(lower);
    for (let i = 0; i < 80; i++) {
      const [a, b, c, d] = [-i & 7, (1 - i) & 7, (2 - i) & 7, (3 - i) & 7];
      const [e, f, g, h] = [(4 - i) & 7, (5 - i) & 7, (6 - i) & 7, (7 - i) & 7];
      const eu = vu[e]!;
      const el = vl[e]!;
      const low1 =
        (vl[h]! >>> 0) +
        ((part(el, eu, 14) ^ part(el, eu, 18) ^ part(eu, el, 9)) >>> 0) +
        (((el & vl[f]!) ^ (~el & vl[g]!)) >>> 0) +
        (rounds.lower[i]! >>> 0) +
        (wl[i]! >>> 0);
      const high1 =
        vu[h]! +
        (part(eu, el, 14) ^ part(eu, el, 18) ^ part(el, eu, 9)) +
        ((eu & vu[f]!) ^ (~eu & vu[g]!)) +
        rounds.upper[i]! +
        wu[i]! +
        ((low1 / CARRY) | 0);
      const au = vu[a]!;
      const al = vl[a]!;
      const low2 =
        ((part(al, au, 28) ^ part(au, al, 2) ^ part(au, al, 7)) >>> 0) +
        (((al & vl[b]!) ^ (al & vl[c]!) ^ (vl[b]! & vl[c]!)) >>> 0);
      const high2 =
        (part(au, al, 28) ^ part(al, au, 2) ^ part(al, au, 7)) +
        ((au & vu[b]!) ^ (au & vu[c]!) ^ (vu[b]! & vu[c]!)) +
        ((low2 / CARRY) | 0);
      const sum = (vl[d]! >>> 0) + (low1 % CARRY);
      vl[d] = sum;
      vu[d] = vu[d]! + high1 + ((sum / CARRY) | 0);
      // In the next round h is a.
      const first = (low1 % CARRY) + low2;
      const carry = ((first / CARRY) | 0) - ((low2 / CARRY) | 0);
      vl[h] = first;
      vu[h] = high1 + high2 + carry;
    }
    for (let i = 0; i < 8; i++) {
      const sum = (lower[i]! >>> 0) + (vl[i]! >>> 0);
      lower[i] = sum;
      upper[i] = upper[i]! + vu[i]! + ((sum / CARRY) | 0);
    }
  });
  return hex(upper, lower);
}

/** The lower half of two words after a shift to the right: `word`, filled from the other one. */
const part = (word: number, from: number, by: number): number => (word >>> by) | (from << (32 - by));
