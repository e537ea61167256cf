/** Refusal of evidence without work, where the network asks for it (docs/light-client.md, "The floor"). */
import { SvcError } from "../base/svcError.ts";
import type { WorkFacts } from "../protocol/facts/evidenceFacts.ts";

/**
 * The tip, unless no work stands above it: its state is then the word of whoever made its header. `asks`: the profile of the network asks for
 * work. Throws `evidence/too-few-headers`.
 */
export function requireWork<T extends { readonly work: WorkFacts }>(shown: T, asks: boolean): T {
  if (!asks || BigInt(`0x${shown.work.work}`) > 0n) return shown;
  throw new SvcError("evidence/too-few-headers", { count: 0, min: 1 });
}
