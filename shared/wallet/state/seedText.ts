/**
 * Codec of a seed on paper, with error detection: 64 hexadecimal digits, then 8 check digits (docs/wallet.md, "On paper").
 *
 * The 72 digits are a word of a shortened BCH code over GF(16), whose generator has the roots β, β², β³, β⁴ and their
 * conjugates in GF(256). So up to four wrong digits anywhere are always found, and any damage within eight digits in
 * a row, and two whole groups of eight that changed places; of all other mistakes one in 2³² is missed. Nothing is
 * ever corrected: a corrected seed might be the wrong one. Programs and files keep the 64 digits alone.
 */
import { decodeHex, encodeHex } from "../../base/hex.ts";

/** The number of digits of a seed. */
export const SEED_DIGITS = 64;
/** The number of check digits that may follow the seed's digits. */
export const SEED_CHECK_DIGITS = 8;

/** The generator without its leading 1, highest power first; GF(16) by x⁴ + x + 1, GF(256) above it by y² + y + 8. */
const GENERATOR = [0xe, 0xa, 0xe, 0x2, 0x1, 0x7, 0x2, 0x6] as const;
/** Added to the check digits, so that a seed of zeros does not check with zeros: the constant of Bech32m. */
const MASK = "2bc830a3";

/** The result of parsing a typed seed. Positions count characters from 1, blanks left out. */
export type SeedText =
  /** `checked` is false for 64 digits without check digits: a mistake in them cannot be noticed. */
  | { readonly kind: "seed"; readonly seed: Uint8Array<ArrayBuffer>; readonly checked: boolean }
  | { readonly kind: "bad-character"; readonly character: string; readonly position: number }
  | { readonly kind: "bad-length"; readonly digits: number }
  | { readonly kind: "bad-check" };

/** Computes the check digits of a seed of 32 bytes. */
export function seedCheck(seed: Uint8Array): string {
  return checkOf(encodeHex(seed));
}

/** Parses a seed with or without its check digits. Capitals, blanks and line breaks do not matter. */
export function readSeedText(text: string): SeedText {
  const characters = [...text.replaceAll(/\s/g, "").toLowerCase()];
  const wrong = characters.findIndex((character) => !/^[0-9a-f]$/.test(character));
  const character = characters[wrong];
  if (character !== undefined) return { kind: "bad-character", character, position: wrong + 1 };
  const digits = characters.join("");
  const checked = digits.length === SEED_DIGITS + SEED_CHECK_DIGITS;
  if (!checked && digits.length !== SEED_DIGITS) {
    return { kind: "bad-length", digits: digits.length };
  }
  const seed = digits.slice(0, SEED_DIGITS);
  if (checked && checkOf(seed) !== digits.slice(SEED_DIGITS)) return { kind: "bad-check" };
  return { kind: "seed", seed: decodeHex(seed), checked };
}

/** The rest of the seed's polynomial times x⁸ by the generator, masked. */
function checkOf(seed: string): string {
  let rest: readonly number[] = GENERATOR.map(() => 0);
  for (const digit of seed) {
    const [first = 0, ...others] = rest;
    const factor = Number.parseInt(digit, 16) ^ first;
    rest = GENERATOR.map((coefficient, index) => (others[index] ?? 0) ^ times(factor, coefficient));
  }
  return rest
    .map((value, index) => (value ^ Number.parseInt(MASK[index] ?? "", 16)).toString(16))
    .join("");
}

/** Product in GF(16). */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 3; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product & 8 ? 0x13 : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}
