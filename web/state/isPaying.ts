import type { Snapshot } from "../engine/engineApi.ts";

/** True while a payment is prepared, proved, signed or handed over. */
export function isPaying({ send }: Pick<Snapshot, "send">): boolean {
  return send !== null && send.stage !== "sent" && send.stage !== "failed";
}
