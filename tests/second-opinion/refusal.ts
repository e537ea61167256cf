/** The error with which the second verifier refuses evidence. */

/** A refusal, by a code of the specification. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, reason = "") {
    super(reason === "" ? code : `${code}: ${reason}`);
    this.code = code;
  }
}
