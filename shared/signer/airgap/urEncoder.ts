/**
 * Encoder of a message as a stream of frames without an end (BCR-2020-005, BCR-2024-001): whoever sees enough of them, from anywhere
 * on, has the message.
 */
import { SvcError } from "../../base/svcError.ts";
import { AIRGAP_LIMITS } from "../airgapLimits.ts";
import { crc32 } from "./crc32.ts";
import { FragmentChooser } from "./fragmentChooser.ts";
import { partFrame, wholeFrame } from "./urFrame.ts";

/** The frames of one message. */
export class UrEncoder {
  /** Parts that the message is cut into; 1 when one frame holds all of it. */
  readonly count: number;
  readonly #type: string;
  readonly #message: Uint8Array;
  readonly #partBytes: number;
  readonly #checksum: number;
  readonly #chooser: FragmentChooser;

  /** Cuts a message, which is not empty, into parts of at most `frameBytes`. Throws `airgap/message-too-long`, `airgap/too-many-frames`. */
  constructor(
    type: string,
    message: Uint8Array,
    frameBytes: number = AIRGAP_LIMITS.airgapFrameBytes,
  ) {
    const { airgapMessageBytes: max, airgapFramesMax } = AIRGAP_LIMITS;
    const { length } = message;
    if (length > max) throw new SvcError("airgap/message-too-long", { length, max });
    this.#type = type;
    this.#message = message;
    this.#partBytes = Math.ceil(length / Math.ceil(length / frameBytes));
    this.count = Math.ceil(length / this.#partBytes);
    if (this.count > airgapFramesMax) {
      throw new SvcError("airgap/too-many-frames", { count: this.count, max: airgapFramesMax });
    }
    this.#checksum = crc32(message);
    this.#chooser = new FragmentChooser(this.count);
  }

  /** The text of frame `sequence`, from 1 on; the first `count` of them suffice when none is lost. */
  frame(sequence: number): string {
    if (this.count === 1) return wholeFrame(this.#type, this.#message);
    const data = new Uint8Array(this.#partBytes);
    for (const index of this.#chooser.partsOf(sequence, this.#checksum)) {
      const start = index * this.#partBytes;
      const part = this.#message.subarray(start, start + this.#partBytes);
      part.forEach((byte, at) => {
        data[at] = (data[at] ?? 0) ^ byte;
      });
    }
    const { length } = this.#message;
    const head = { sequence, count: this.count, length, checksum: this.#checksum };
    return partFrame(this.#type, { ...head, data });
  }
}
