/**
 * Independent test vectors that no document prints, computed from the formulas of the specification and nothing else:
 * BLAKE2b and AES of a library, big integers, no line of the project. `independent.test.ts` compares them with the files.
 */
import { createCipheriv } from "node:crypto";
import { blake2b } from "@noble/hashes/blake2.js";

/** Order of the base field of Pallas, and of its curve. */
const Q = 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n;
const R = 0x40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001n;

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

/** A number of so many bytes, the lowest first. */
function little(value: bigint | number, length: number): Uint8Array {
  const rest = BigInt(value);
  return Uint8Array.from({ length }, (_, at) => Number((rest >> BigInt(8 * at)) & 0xffn));
}

function hash(personal: string, bytes: Uint8Array, dkLen: 32 | 64 = 32): Uint8Array {
  return blake2b(bytes, { dkLen, personalization: utf8(personal) });
}

/** BLAKE2b-512 as a number below the modulus, 32 bytes, the lowest first (shielded 1.3 and 6.3). */
function reduced(personal: string, bytes: Uint8Array, modulus: bigint): Uint8Array {
  const wide = BigInt(`0x${hexOf(hash(personal, bytes, 64).toReversed())}`);
  return little(wide % modulus, 32);
}

/** The digest of a signed message (shielded 19). */
export function messageDigest(personal: string, tag: string, address: string, text: string): string {
  const [name, message] = [utf8(tag), utf8(text)];
  const parts = [little(name.length, 8), name, bytesOf(address), little(message.length, 8), message];
  return hexOf(hash(personal, joined(...parts)));
}

/** A coinbase note; its seed begins with the block where one is given (shielded 6.3). */
export function coinbaseNote(
  personal: { readonly rho: string; readonly seed: string },
  output: { readonly block: string; readonly txid: string; readonly index: number },
) {
  const seed = joined(bytesOf(output.block), bytesOf(output.txid), little(output.index, 4));
  const rho = reduced(personal.rho, seed, Q);
  // The first candidate is taken unless its key is zero, which no one will ever see.
  const rseed = hash(personal.seed, joined(seed, little(0, 4)));
  const expand = (lead: number, modulus: bigint) =>
    hexOf(reduced("Zcash_ExpandSeed", joined(rseed, Uint8Array.of(lead), rho), modulus));
  return { rho: hexOf(rho), rseed: hexOf(rseed), psi: expand(9, Q), rcm: expand(5, R) };
}

/** Signature hash of a payment (specification shielded 4.1). The fields of an action are 820 bytes before its signature. */
export function sighash(
  personal: string,
  domain: string,
  bundle: {
    readonly flags: number;
    readonly balance: bigint;
    readonly anchor: Uint8Array;
    readonly actions: readonly Uint8Array[];
    readonly anchorBlock?: string;
  },
): string {
  const context = joined(Uint8Array.of(2), new Uint8Array(37));
  const head = [bytesOf(domain), Uint8Array.of(bundle.flags), little(bundle.balance, 8), bundle.anchor];
  const actions = [little(bundle.actions.length, 4), ...bundle.actions.map((one) => one.subarray(0, 820))];
  const tail = [bytesOf(bundle.anchorBlock ?? ""), little(context.length, 4), context];
  return hexOf(hash(personal, joined(...head, ...actions, ...tail)));
}

/** A payload's fields that are signed (shielded 3.2). */
export function signedPart(payload: Uint8Array) {
  const view = Buffer.from(payload);
  const actions = Array.from({ length: view.readUInt32BE(109) }, (_, at) =>
    payload.subarray(113 + 884 * at, 113 + 884 * (at + 1)),
  );
  return { flags: view.readUInt8(0), balance: view.readBigInt64BE(1), anchor: payload.subarray(9, 41), actions };
}

/** The bundle of the vectors: field after field of an action is filled with the next number. */
export function syntheticActions(count: number): readonly Uint8Array[] {
  const widths = [32, 32, 32, 32, 32, 580, 80, 64];
  return Array.from({ length: count }, (_, first) =>
    joined(...widths.map((width, at) => new Uint8Array(width).fill(first + at))),
  );
}

const payloadLength = (actions: number): number => 2837 + 3156 * actions;

/** Sompi that a wallet pays for a payment of so many actions (specification shielded 13.2). */
export const walletFee = (actions: number): string => String(200 * (payloadLength(Math.max(actions, 2)) + 128));

/** The least that a node relays; a named anchor is 32 bytes longer. */
export const nodeMinimum = (actions: number, isNamed: boolean): string =>
  String(200 * (94 + payloadLength(actions) + (isNamed ? 32 : 0)));

/** Sompi of a block in a month of the curve (consensus 10.3): 3 of 22 parts of the parent's table, floors of both. */
export const subsidy = (month: number): string =>
  String(Math.floor((Math.floor(44e9 * 2 ** (-month / 12)) * 3) / 22));

/** Work of compact bits: 2^256 by the target and 1 (specification consensus 4). */
export function work(bits: number): string {
  const exponent = BigInt(bits >>> 24);
  const target = BigInt(bits & 0x7f_ffff) << (8n * (exponent - 3n));
  return String(2n ** 256n / (target + 1n));
}

/**
 * A written seed at β to β⁴, all of them 0 for one without a mistake (docs/wallet.md, "On paper"). GF(256) is pairs over
 * GF(16), x⁴ + x + 1 below and y² + y + 8 above, the high digit the factor of y; β is y + x.
 */
export function seedSyndromes(seed: string, check: string): readonly number[] {
  const plain = Array.from(check, (digit, at) =>
    (Number.parseInt(digit, 16) ^ Number.parseInt("2bc830a3".charAt(at), 16)).toString(16),
  );
  let root = 1;
  return [1, 2, 3, 4].map(() => {
    root = timesPairs(root, 0x12);
    return [...seed, ...plain].reduce((sum, digit) => timesPairs(sum, root) ^ Number.parseInt(digit, 16), 0);
  });
}

function timesPairs(a: number, b: number): number {
  const [a1, a0, b1, b0] = [a >> 4, a & 15, b >> 4, b & 15];
  const high = timesDigits(a1, b1);
  const middle = timesDigits(a1, b0) ^ timesDigits(a0, b1) ^ high;
  return (middle << 4) | (timesDigits(a0, b0) ^ timesDigits(high, 8));
}

function timesDigits(a: number, b: number): number {
  let product = 0;
  for (let bit = 0; bit < 4; bit += 1) if ((b >> bit) & 1) product ^= a << bit;
  for (let bit = 6; bit >= 4; bit -= 1) if ((product >> bit) & 1) product ^= 0x13 << (bit - 4);
  return product;
}

/** Bits of a diversifier index, and of either half of it. */
const INDEX_BITS = 88;
const HALF_BITS = 44;
const ROUNDS = 10;

/** The diversifier of an index: FF1 of NIST SP 800-38G over AES-256, radix 2, no tweak (shielded 2.2). */
export function diversifier(dk: string, index: number): string {
  const bits = Array.from({ length: INDEX_BITS }, (_, at) => (BigInt(index) >> BigInt(at)) & 1n);
  const number = (some: readonly bigint[]): bigint => some.reduce((sum, bit) => 2n * sum + bit, 0n);
  let [left, right] = [number(bits.slice(0, HALF_BITS)), number(bits.slice(HALF_BITS))];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sum = left + feistelRound(dk, round, right);
    [left, right] = [right, sum % 2n ** BigInt(HALF_BITS)];
  }
  // The first bit of a half is its highest, and the lowest of the first byte.
  const bit = (at: number): bigint => {
    const half = at < HALF_BITS ? left : right;
    return (half >> BigInt(HALF_BITS - 1 - (at % HALF_BITS))) & 1n;
  };
  const value = Array.from({ length: INDEX_BITS }, (_, at) => bit(at) << BigInt(at));
  return hexOf(little(value.reduce((sum, one) => sum + one, 0n), INDEX_BITS / 8));
}

/** Twelve bytes of the round function: AES in CBC-MAC over parameters, round and half. */
function feistelRound(dk: string, round: number, half: bigint): bigint {
  const parameters = [1, 2, 1, 0, 0, 2, 10, HALF_BITS, 0, 0, 0, INDEX_BITS, 0, 0, 0, 0];
  const block = [...new Uint8Array(9), round, ...little(half, 6).toReversed()];
  const cipher = createCipheriv("aes-256-cbc", bytesOf(dk), new Uint8Array(16)).setAutoPadding(false);
  const mac = cipher.update(Uint8Array.from([...parameters, ...block])).subarray(16, 28);
  return BigInt(`0x${hexOf(mac)}`);
}
