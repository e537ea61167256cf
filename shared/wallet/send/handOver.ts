/**
 * Hands payments to one of several nodes: first to one that the wallet does not follow, so that no node sees both what a wallet scans
 * and what it pays (docs/privacy.md).
 */
import { SvcError } from "../../base/svcError.ts";
import { encodeHex } from "../../base/hex.ts";
import { recordHash } from "../../protocol/http/recordDigest.ts";
import { meansTaken } from "../reduce/outbox.ts";
import type { NodePort } from "../state/ports.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** Takes signed payments. */
export type SubmitPort = Pick<NodePort, "submit">;

/**
 * A node that is the first of these for each payment until it refuses the payment or is away; the next attempt for the same payment goes to
 * the next one, round and round. So no node alone keeps a payment from the chain, and the next payment begins with the first again. A node
 * that has the payment already keeps it. `order` is asked before each attempt. Rejects as the node does that was asked.
 */
export function handOver(order: () => readonly [SubmitPort, ...SubmitPort[]]): SubmitPort {
  /** How often each payment was refused, by the hash of its bytes. */
  const turns = new Map<string, number>();
  return {
    submit: async (raw, signal) => {
      const nodes = order();
      const payment = encodeHex(recordHash(raw));
      const turn = turns.get(payment) ?? 0;
      try {
        return await (nodes[turn % nodes.length] ?? nodes[0]).submit(raw, signal);
      } catch (error) {
        if (!signal.aborted && !meansTaken(SvcError.from(error))) {
          turns.delete(payment);
          turns.set(payment, turn + 1);
          const [oldest] = turns.keys();
          if (turns.size > WALLET_LIMITS.handOverTurns && oldest !== undefined)
            turns.delete(oldest);
        }
        throw error;
      }
    },
  };
}
