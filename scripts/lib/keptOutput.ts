/** Output of a program, kept instead of shown. */
import { StringDecoder } from "node:string_decoder";

/** The output. Hand `show` to whoever runs the program. */
export class KeptOutput {
  /** A character may lie in two chunks. */
  readonly #decoder = new StringDecoder("utf8");
  #text = "";

  /** Keeps a chunk. */
  readonly show = (chunk: string | Uint8Array): void => {
    this.#text += typeof chunk === "string" ? chunk : this.#decoder.write(chunk);
  };

  /** All of it so far. */
  get text(): string {
    return this.#text;
  }
}
