/** Test miner over a node's RPC calls, on networks without proof of work. */
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { RpcFault } from "@svc/shared/protocol/rpc/rpcFault.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { SubmitBlockRequest } from "@svc/shared/protocol/rpc/generated/rpcMessages.ts";
import { PATIENCE_MS } from "./networkSizes.ts";
import { untilSo, type NodeProcess } from "./nodeProcess.ts";

/** A block as miners are given it. */
export type Template = SubmitBlockRequest["block"];

const core = await loadCoreFile();

/** An address of a wallet made from one repeated byte, in the form of the tests' networks. */
export function payAddressOf(byte: number): string {
  const viewingKey = callCore(() => core.fullViewingKey(new Uint8Array(32).fill(byte)));
  return callCore(() => core.encodeAddress("svcsim", core.addressAt(viewingKey, 0)));
}

/** A block on a node's own tip that nobody has yet. */
export async function templateAt(node: NodeProcess, payAddress: string): Promise<Template> {
  const value = { payAddress, extraData: node.spec.name };
  const { block } = await node.grpc.call({ $case: "getBlockTemplate", value });
  return block;
}

/** Hands a block in. Rejects when it is refused. */
export async function submitAt(node: NodeProcess, block: Template): Promise<void> {
  const value = { block, allowNonDaaBlocks: false };
  const { rejectDetail, error } = await node.grpc.call({ $case: "submitBlock", value });
  if (error !== undefined) throw new Error(`${node.spec.name}: ${error.message} ${rejectDetail}`);
}

/** Mines so many blocks on a node's own tip, one after the other. Rejects when one is refused. */
export async function mineAt(node: NodeProcess, count: number, payAddress: string): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    await submitAt(node, await readyTemplate(node, payAddress));
  }
}

/** Asks again, as miners do, while the node judges its chain: it may have started just now. */
async function readyTemplate(node: NodeProcess, payAddress: string): Promise<Template> {
  let template: Template;
  await untilSo(async () => {
    try {
      template = await templateAt(node, payAddress);
      return true;
    } catch (error) {
      if (error instanceof RpcFault && error.message.startsWith("template/not-ready")) return false;
      throw error;
    }
  }, PATIENCE_MS);
  return template;
}
