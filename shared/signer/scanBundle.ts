/** Bundle scan for indexers: the outputs that an incoming viewing key reads, announcements of value 0 included (specification shielded 20). */
import * as v from "valibot";
import { fields } from "../base/fields.ts";
import { decodeHex } from "../base/hex.ts";
import { callCore } from "../core/callCore.ts";
import type { CoreGlue } from "../core/generated/coreGlue.ts";

const outputs = v.array(
  v.object({
    index: fields.u32,
    recipient: fields.rawAddress,
    value: fields.sompi,
    memo: fields.hex,
  }),
);

/** An output: index of its action, owner, value, and the memo as hex without padding. */
export type ReadOutput = v.InferOutput<typeof outputs>[number];

/**
 * Reads a bundle, which is the payload of a payment. `ivk` is hex of 64 bytes; `format` is 1 from the security fork on, 0 before.
 * Actions that are not well formed are left out. Throws `codec/*`, `shielded/*`, `tx/*`, `keys/bad-viewing-key`.
 */
export function scanBundle(
  core: Pick<CoreGlue, "scanBundle">,
  ivk: string,
  bundle: Uint8Array,
  format: 0 | 1,
): readonly ReadOutput[] {
  const text = callCore(() => core.scanBundle(decodeHex(ivk), bundle, format));
  return v.parse(outputs, JSON.parse(text));
}
