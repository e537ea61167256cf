/** Mines over the calls that miners use, on networks without proof of work. */
import { callCore } from "@svc/shared/core/callCore.ts";
import type { NodeProcess } from "./nodeProcess.ts";
import { core } from "./scene.ts";

/** An address of a wallet made from one repeated byte, in the form of the tests' networks. */
export function payAddressOf(byte: number): string {
  const viewingKey = callCore(() => core.fullViewingKey(new Uint8Array(32).fill(byte)));
  return callCore(() => core.encodeAddress("svcsim", core.addressAt(viewingKey, 0)));
}

/** Mines so many blocks on a node's own tip, one after the other. Rejects when one is refused. */
export async function mineAt(node: NodeProcess, count: number, payAddress: string): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    const template = await node.grpc.call({
      $case: "getBlockTemplate",
      value: { payAddress, extraData: node.spec.name },
    });
    const { rejectDetail, error } = await node.grpc.call({
      $case: "submitBlock",
      value: { block: template.block, allowNonDaaBlocks: false },
    });
    if (error !== undefined) throw new Error(`${node.spec.name}: ${error.message} ${rejectDetail}`);
  }
}
