/**
 * Decoder of a stream of frames: in any order, from anywhere on, some twice and some never. Each mixed frame is an equation over
 * the parts, solved by elimination; an equation that follows from those before says nothing new and is dropped. So there are never
 * more of them than parts, whatever is shown, and the rank is the exact progress.
 */
import { SvcError } from "../../base/svcError.ts";
import { crc32 } from "./crc32.ts";
import { FragmentChooser } from "./fragmentChooser.ts";
import { readFrame, type UrPart } from "./urFrame.ts";

/** Parts mixed, as bits, and their sum without carry. The lowest bit is the equation's own. */
type Equation = { parts: bigint; readonly data: Uint8Array };

type Message = Pick<UrPart, "count" | "length" | "checksum"> & { readonly partBytes: number };

/** Reads one message. */
export class UrDecoder {
  readonly #type: string;
  #message: Message | null = null;
  #chooser: FragmentChooser | null = null;
  /** By their lowest part. */
  readonly #equations = new Map<number, Equation>();
  #result: Uint8Array | null = null;

  /** For messages of this type alone. */
  constructor(type: string) {
    this.#type = type;
  }

  /** The message, once enough frames came. */
  get result(): Uint8Array | null {
    return this.#result;
  }

  /** How much of the message is known, 0 to 1. */
  get share(): number {
    if (this.#result !== null) return 1;
    return this.#message === null ? 0 : this.#equations.size / this.#message.count;
  }

  /** Parts of the message; 0 before the first frame. */
  get count(): number {
    return this.#message?.count ?? (this.#result === null ? 0 : 1);
  }

  /** Forgets everything, for another message. */
  reset(): void {
    this.#message = null;
    this.#chooser = null;
    this.#equations.clear();
    this.#result = null;
  }

  /**
   * Takes the text of a frame; true when it told something new. A refused frame changes nothing, but frames that turn out not to
   * make up their message are all forgotten. Throws `airgap/wrong-type`, `airgap/other-message`, `airgap/message-checksum`, and as
   * `readFrame` does.
   */
  receive(text: string): boolean {
    const frame = readFrame(text);
    if (frame.type !== this.#type) {
      throw new SvcError("airgap/wrong-type", { found: frame.type, expected: this.#type });
    }
    if ("message" in frame) return this.#takeWhole(frame.message);
    const { part } = frame;
    const message = this.#messageOf(part);
    if (this.#result !== null) return false;
    this.#chooser ??= new FragmentChooser(message.count);
    this.#message = message;
    const indices = this.#chooser.partsOf(part.sequence, part.checksum);
    const parts = indices.reduce((bits, index) => bits | (1n << BigInt(index)), 0n);
    const isNew = this.#eliminate({ parts, data: part.data.slice() });
    if (this.#equations.size === message.count) this.#finish(message);
    return isNew;
  }

  #takeWhole(message: Uint8Array): boolean {
    const known = this.#result;
    if (known === null && this.#message === null) {
      this.#result = message;
      return true;
    }
    const isSame =
      known !== null && known.length === message.length && crc32(known) === crc32(message);
    if (!isSame) throw new SvcError("airgap/other-message", {});
    return false;
  }

  #messageOf(part: UrPart): Message {
    const { count, length, checksum } = part;
    const found = { count, length, checksum, partBytes: part.data.length };
    const known = this.#message;
    if (known === null && this.#result === null) return found;
    const isSame =
      known !== null &&
      known.count === count &&
      known.length === length &&
      known.checksum === checksum &&
      known.partBytes === found.partBytes;
    if (!isSame) throw new SvcError("airgap/other-message", {});
    return known;
  }

  /** Takes known equations out of a new one; keeps what is left. False when that is nothing. */
  #eliminate(equation: Equation): boolean {
    while (equation.parts !== 0n) {
      const lowest = lowestBit(equation.parts);
      const known = this.#equations.get(lowest);
      if (known === undefined) {
        this.#equations.set(lowest, equation);
        return true;
      }
      equation.parts ^= known.parts;
      addInto(equation.data, known.data);
    }
    if (equation.data.some((byte) => byte !== 0)) this.#fail();
    return false;
  }

  /** Puts the parts known from the last on into those before, and joins them. */
  #finish(message: Message): void {
    const joined = new Uint8Array(message.partBytes * message.count);
    const partAt = (index: number) =>
      joined.subarray(index * message.partBytes, (index + 1) * message.partBytes);
    for (let index = message.count - 1; index >= 0; index -= 1) {
      const equation = this.#equations.get(index);
      if (equation === undefined) return;
      const part = partAt(index);
      part.set(equation.data);
      let rest = equation.parts ^ (1n << BigInt(index));
      while (rest !== 0n) {
        const other = lowestBit(rest);
        rest ^= 1n << BigInt(other);
        addInto(part, partAt(other));
      }
    }
    const result = joined.slice(0, message.length);
    const hasPadding = joined.subarray(message.length).some((byte) => byte !== 0);
    if (hasPadding || crc32(result) !== message.checksum) this.#fail();
    this.#equations.clear();
    this.#result = result;
  }

  #fail(): never {
    this.reset();
    throw new SvcError("airgap/message-checksum", {});
  }
}

function addInto(sum: Uint8Array, more: Uint8Array): void {
  more.forEach((byte, at) => {
    sum[at] = (sum[at] ?? 0) ^ byte;
  });
}

function lowestBit(bits: bigint): number {
  let at = 0;
  let rest = bits;
  while ((rest & 0xffff_ffffn) === 0n) {
    rest >>= 32n;
    at += 32;
  }
  const low = Number(rest & 0xffff_ffffn);
  return at + (31 - Math.clz32(low & -low));
}
