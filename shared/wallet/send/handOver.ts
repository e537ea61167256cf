/**
 * Hands payments to one of several nodes: first to the one that the wallet does not follow, so that no node sees both what a wallet scans
 * and what it pays (docs/privacy.md).
 */
import { SvcError } from "../../base/svcError.ts";
import { meansTaken } from "../reduce/outbox.ts";
import type { NodePort } from "../state/ports.ts";

/** Takes signed payments. */
export type SubmitPort = Pick<NodePort, "submit">;

/**
 * A node that is the first of these until it refuses a payment or is away; the next attempt goes to the next one, round and round. So no
 * node alone keeps a payment from the chain. One that has the payment already stays. Rejects as the node does that was asked.
 */
export function handOver(nodes: readonly [SubmitPort, ...SubmitPort[]]): SubmitPort {
  let turn = 0;
  return {
    submit: async (raw, signal) => {
      const node = nodes[turn % nodes.length] ?? nodes[0];
      try {
        return await node.submit(raw, signal);
      } catch (error) {
        if (!signal.aborted && !meansTaken(SvcError.from(error))) turn += 1;
        throw error;
      }
    },
  };
}
