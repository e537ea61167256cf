/** Fuzzing mutator: makes malformed inputs out of good ones; the twin of crate `fuzz` for the decoders in TypeScript. */
import { mulberry32 } from "@svc/node-server/platform/testkit/mulberry32.ts";

/** Inputs kept beside the seeds because they had a new outcome, or were taken. */
const MAX_FOUND = 96;
/** Bytes of an input that is made of nothing. */
const MAX_RANDOM = 300;
/** Numbers at which decoders decide something. */
const NUMBERS = [
  0, 1, 2, 31, 32, 64, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000,
  0xffff_ffff,
];
/** Pieces at which readers of text decide something. */
const PIECES = [
  "null",
  "true",
  "-1",
  "0.5",
  "1e400",
  "00",
  "18446744073709551616",
  "{}",
  "[]",
  "[[[[[[[[",
  '{"toString":1}',
  '"__proto__":{}',
  '"code":',
  '""',
  "\\u0000",
  "\\ud800",
  "\u00e9",
  "\u{1f600}",
  "%",
  "%ff",
  "?amount=",
  "&memo=",
  "&address.1=",
  "&req-x=",
  ",",
  ":",
  "\n",
].map((piece) => new TextEncoder().encode(piece));

/** What JSON may have in the place of any value. */
const VALUES = [
  "null",
  "-1",
  "1e400",
  '"x"',
  "[]",
  "{}",
  '{"toString":1,"valueOf":1}',
  '[{"deep":[[]]}]',
].map((value) => new TextEncoder().encode(value));
const [QUOTE, COLON, COMMA, BRACKET, BRACE] = [0x22, 0x3a, 0x2c, 0x5d, 0x7d];

/** Numbers that follow from a seed and a name. */
export class Chance {
  /** The next 32 bits. */
  readonly bits: () => number;

  constructor(seed: number, name: string) {
    let mixed = seed >>> 0;
    for (const character of name) {
      mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x0100_0193) >>> 0;
    }
    this.bits = mulberry32(mixed);
  }

  /** A number below a bound; 0 for the bound 0. */
  below(bound: number): number {
    return bound <= 0 ? 0 : this.bits() % bound;
  }

  oneIn(draws: number): boolean {
    return this.below(draws) === 0;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.bits() & 0xff);
  }
}

/** A pool of inputs that begins with the seeds. */
export class Mutator {
  readonly #chance: Chance;
  readonly #pool: Uint8Array[];
  readonly #seeds: number;
  readonly #isText: boolean;
  readonly #maxLength: number;

  /** `isText` adds steps that make sense in text. */
  constructor(chance: Chance, seeds: readonly Uint8Array[], isText: boolean) {
    this.#chance = chance;
    this.#pool = [...seeds];
    this.#seeds = seeds.length;
    this.#isText = isText;
    this.#maxLength = 2 * Math.max(0, ...seeds.map(({ length }) => length)) + 1_024;
  }

  /** The next input: as a rule an input of the pool after one to eight steps. */
  next(): Uint8Array {
    if (this.#chance.oneIn(50)) return this.#chance.bytes(this.#chance.below(MAX_RANDOM));
    let input = this.#any();
    const steps = 1 + this.#chance.below(1 << this.#chance.below(4));
    for (let step = 0; step < steps; step += 1) input = this.#step(input);
    return input.subarray(0, this.#maxLength);
  }

  /** Whether the next input should be repaired, so that it passes a checksum. */
  wantsRepair(): boolean {
    return !this.#chance.oneIn(4);
  }

  /** Takes an input into the pool: one with a new outcome, or one of a few among those that were taken. */
  offer(input: Uint8Array, isNew: boolean): void {
    if (!isNew && !this.#chance.oneIn(24)) return;
    if (this.#pool.length < this.#seeds + MAX_FOUND) this.#pool.push(input);
    else this.#pool[this.#seeds + this.#chance.below(MAX_FOUND)] = input;
  }

  #any(): Uint8Array {
    return this.#pool[this.#chance.below(this.#pool.length)]?.slice() ?? new Uint8Array();
  }

  #place(length: number): number {
    if (this.#chance.oneIn(4)) return this.#chance.below(Math.min(length, 80));
    if (this.#chance.oneIn(3)) {
      return Math.max(0, length - 1 - this.#chance.below(Math.min(length, 80)));
    }
    return this.#chance.below(length);
  }

  #range(length: number): { start: number; end: number } {
    const start = this.#place(length);
    const most = [8, 64, length / 2 + 1][this.#chance.below(3)] ?? 8;
    return { start, end: Math.min(length, start + 1 + this.#chance.below(Math.floor(most))) };
  }

  #step(input: Uint8Array): Uint8Array {
    if (this.#isText && this.#chance.oneIn(2)) return this.#stepInText(input);
    switch (this.#chance.below(10)) {
      case 0:
      case 1:
      case 2:
        return this.#changeByte(input);
      case 3:
      case 4:
        return this.#overwrite(input, NUMBERS[this.#chance.below(NUMBERS.length)] ?? 0);
      case 5:
        return this.#overwrite(input, this.#chance.below(input.length + 1));
      case 6:
        return input.subarray(0, this.#chance.below(input.length + 1)).slice();
      case 7: {
        const { start, end } = this.#range(input.length);
        return replaced(input, start, end, new Uint8Array());
      }
      case 8: {
        const place = this.#place(input.length + 1);
        const piece = this.#chance.bytes(1 + this.#chance.below(48));
        return replaced(input, place, place, this.#chance.oneIn(2) ? piece.fill(0) : piece);
      }
      default: {
        const other = this.#any();
        const from = this.#range(other.length);
        const { start, end } = this.#range(input.length);
        return replaced(input, start, end, other.subarray(from.start, from.end));
      }
    }
  }

  #changeByte(input: Uint8Array): Uint8Array {
    const place = this.#place(input.length);
    const old = input[place];
    if (old === undefined) return input;
    input[place] = this.#chance.oneIn(2) ? old ^ (1 << this.#chance.below(8)) : this.#chance.bits();
    return input;
  }

  /** A number of one to eight bytes, the lowest first, over what is there. */
  #overwrite(input: Uint8Array, number: number): Uint8Array {
    const width = 1 << this.#chance.below(4);
    const place = this.#place(input.length);
    let rest = Math.max(0, number + this.#chance.below(5) - 2);
    for (let at = place; at < Math.min(place + width, input.length); at += 1) {
      input[at] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    return input;
  }

  #stepInText(input: Uint8Array): Uint8Array {
    if (this.#chance.oneIn(3)) return this.#changeDigit(input);
    if (this.#chance.oneIn(3)) return this.#changeValue(input);
    const piece = PIECES[this.#chance.below(PIECES.length)] ?? new Uint8Array();
    const { start, end } = this.#range(input.length);
    return replaced(input, start, this.#chance.oneIn(2) ? start : end, piece);
  }

  /** Another value behind the next colon, as far as the text is JSON. */
  #changeValue(input: Uint8Array): Uint8Array {
    const colon = input.indexOf(COLON, this.#place(input.length));
    if (colon < 0) return input;
    const start = colon + 1;
    const ends =
      input[start] === QUOTE
        ? [input.indexOf(QUOTE, start + 1) + 1]
        : [COMMA, BRACKET, BRACE].map((end) => input.indexOf(end, start));
    const end = Math.min(input.length, ...ends.filter((found) => found > start));
    const value = VALUES[this.#chance.below(VALUES.length)] ?? new Uint8Array();
    return replaced(input, start, end, value);
  }

  #changeDigit(input: Uint8Array): Uint8Array {
    const place = this.#place(input.length);
    const at = input.subarray(place).findIndex((byte) => byte >= 0x30 && byte <= 0x39);
    if (at >= 0) input[place + at] = 0x30 + this.#chance.below(10);
    return input;
  }
}

function replaced(input: Uint8Array, start: number, end: number, piece: Uint8Array): Uint8Array {
  const made = new Uint8Array(input.length - (end - start) + piece.length);
  made.set(input.subarray(0, start));
  made.set(piece, start);
  made.set(input.subarray(end), start + piece.length);
  return made;
}
