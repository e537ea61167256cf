/** Test miner of networks that ask for little work: it tries nonces until the node takes the block. */
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { never } from "./nodeFixture.ts";

type Api = Pick<RunningNode["api"], "template" | "submitBlock">;

/** A block to be mined that pays this address; `extra` tells blocks on the same parents apart. */
export function templateFor(api: Api, payScript: Uint8Array, extra = 0): Promise<Uint8Array> {
  return api.template({ payScript, extraData: new Uint8Array(extra).fill(1) }, never);
}

/** Mines it; gives it as other nodes take it. Throws where the node refuses it for anything but its work. */
export async function submitMined(api: Api, template: Uint8Array): Promise<Uint8Array> {
  const block = decodeRawBlock(template);
  for (let nonce = 0n; ; nonce += 1n) {
    const header = { ...block.header, nonce };
    const mined = encodeRawBlock({ ...block, header });
    const outcome = await api.submitBlock(mined, never);
    if (outcome.kind === "accepted") return mined;
    const isEasy = outcome.kind === "rejected" && outcome.code === "header/invalid-pow";
    if (!isEasy) throw new Error(JSON.stringify(outcome));
  }
}
