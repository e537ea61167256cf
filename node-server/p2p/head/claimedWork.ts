/** The blue work that a header claims, which nobody has checked. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";

/** The claimed blue work as a number; the message has it without leading zero bytes. */
export function claimedWork({ blueWork }: Pick<P2pBlockHeader, "blueWork">): bigint {
  return blueWork.length === 0 ? 0n : BigInt(`0x${encodeHex(blueWork)}`);
}
