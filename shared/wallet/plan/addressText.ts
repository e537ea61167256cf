/**
 * The form of an address text (specification shielded 2.2), for hosts without the core: prefix of the network, alphabet, checksum,
 * version, length and padding. Whether its 43 bytes are a receiver takes the curve, and is for the core to say.
 */
import { SvcError } from "../../base/svcError.ts";

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** The version byte of shielded addresses, the only kind there is. */
const VERSION = 9;
const CHECKSUM_SYMBOLS = 8;
/** 44 bytes in groups of five bits; 71 symbols hold 3 bits more. */
const PAYLOAD_SYMBOLS = 71;
const PADDING = 0b111;
/** Symbols that are read at most, so that a long text costs nothing. */
const MOST_SYMBOLS = 2 * (PAYLOAD_SYMBOLS + CHECKSUM_SYMBOLS);
/** Characters of a foreign prefix in an error. */
const SHOWN = 16;
const SYMBOL = 0x1fn;
const GENERATORS = [
  0x98_f2bc_8e61n,
  0x79_b76d_99e2n,
  0xf3_3e5f_b3c4n,
  0xae_2eab_e2a8n,
  0x1e_4f43_e470n,
] as const;

/**
 * Checks the form of an address of the network with this prefix. Throws `address/missing-prefix`, `address/wrong-network`,
 * `address/bad-character`, `address/bad-length`, `address/bad-checksum`, `address/bad-version`, `address/bad-padding`.
 */
export function requireAddressForm(hrp: string, text: string): void {
  const colon = text.indexOf(":");
  if (colon < 0) throw new SvcError("address/missing-prefix", {});
  const prefix = text.slice(0, colon);
  if (prefix !== hrp) {
    throw new SvcError("address/wrong-network", { expected: hrp, found: prefix.slice(0, SHOWN) });
  }
  const symbols = symbolsOf(text.slice(colon + 1));
  const { length } = symbols;
  if (length < CHECKSUM_SYMBOLS) throw new SvcError("address/bad-length", { length });
  if (checksum(hrp, symbols) !== 0n) throw new SvcError("address/bad-checksum", {});
  const data = symbols.slice(0, length - CHECKSUM_SYMBOLS);
  const [first, second] = data;
  if (first === undefined || second === undefined) {
    throw new SvcError("address/bad-length", { length });
  }
  // The version is read first, so that an address of another kind is called that and not too short.
  const version = (first << 3) | (second >> 2);
  if (version !== VERSION) throw new SvcError("address/bad-version", { version });
  if (data.length !== PAYLOAD_SYMBOLS) throw new SvcError("address/bad-length", { length });
  if (((data.at(-1) ?? 0) & PADDING) !== 0) throw new SvcError("address/bad-padding", {});
}

/** Writes 43 raw bytes as an address of the network with this prefix. */
export function writeAddressText(hrp: string, raw: Uint8Array): string {
  const symbols: number[] = [];
  let [buffer, bits] = [0, 0];
  for (const byte of [VERSION, ...raw]) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) symbols.push((buffer >> (bits - 5)) & 0x1f);
    buffer &= (1 << bits) - 1;
  }
  if (bits > 0) symbols.push((buffer << (5 - bits)) & 0x1f);
  const sum = checksum(hrp, [...symbols, ...Array.from({ length: CHECKSUM_SYMBOLS }, () => 0)]);
  for (let place = CHECKSUM_SYMBOLS - 1; place >= 0; place -= 1) {
    symbols.push(Number((sum >> BigInt(5 * place)) & SYMBOL));
  }
  return `${hrp}:${symbols.map((symbol) => ALPHABET.charAt(symbol)).join("")}`;
}

function symbolsOf(payload: string): readonly number[] {
  const { length } = payload;
  if (length > MOST_SYMBOLS) throw new SvcError("address/bad-length", { length });
  return [...payload].map((character, position) => {
    const symbol = ALPHABET.indexOf(character);
    if (symbol < 0) throw new SvcError("address/bad-character", { position });
    return symbol;
  });
}

/** The 40-bit checksum over prefix, a zero and the symbols; 0 over a whole address. */
function checksum(hrp: string, symbols: readonly number[]): bigint {
  const prefix = [...new TextEncoder().encode(hrp)].map((byte) => byte & 0x1f);
  let sum = 1n;
  for (const symbol of [...prefix, 0, ...symbols]) {
    const top = sum >> 35n;
    sum = ((sum & 0x07_ffff_ffffn) << 5n) ^ BigInt(symbol);
    for (const [bit, generator] of GENERATORS.entries()) {
      if (((top >> BigInt(bit)) & 1n) === 1n) sum ^= generator;
    }
  }
  return sum ^ 1n;
}
