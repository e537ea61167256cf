/** Merge-mined blocks of a recorded chain, submitted as their miners did: over gRPC with the witness in `auxPow`. */
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import type { Block } from "@svc/shared/chain/block.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { blockFromRpc, blockToRpc } from "@svc/shared/protocol/rpc/rpcBlock.ts";
import { errorOf } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blockOf, Corpus } from "../../conform/corpus.ts";
import { startJudgingNode } from "./nodeFixture.ts";

const folder = fileURLToPath(new URL("../../vectors/reference/w", import.meta.url));
/** Blocks after genesis; the recording mixes native and merge-mined ones from its start. */
const BLOCKS = 40;

let node: RunningNode;
let client: GrpcClient;
let blocks: { hash: string; block: Block }[];

beforeAll(async () => {
  const corpus = new Corpus(folder);
  const witnesses = await corpus.witnesses();
  blocks = [];
  for await (const recorded of corpus.blocks()) {
    blocks.push({ hash: recorded.header.hash, block: blockOf(recorded, witnesses) });
    if (blocks.length > BLOCKS) break;
  }
  blocks.shift();
  node = await startJudgingNode(null, {
    network: { file: join(folder, "profile.json") },
    allowUnsyncedMining: true,
    clock: new ManualClock(blocks.at(-1)?.block.header.timestamp ?? 0n),
  });
  client = new GrpcClient(node.grpcAddress ?? "");
});

afterAll(async () => {
  client?.close();
  await node?.stop();
});

/** Submits a block; the detail of the refusal, or nothing. */
async function submit(block: Block): Promise<string | undefined> {
  const value = { block: blockToRpc(block), allowNonDaaBlocks: undefined };
  const answer = await client.exchange({ $case: "submitBlock", value });
  if (errorOf(answer) === undefined) return undefined;
  return answer.$case === "submitBlock" ? answer.value.rejectDetail : "another answer";
}

it("takes merge-mined blocks with their witness and with no other", async () => {
  const merged = blocks.filter(({ block }) => block.witness !== undefined);
  expect(merged.length).toBeGreaterThan(5);
  expect(merged.length).toBeLessThan(BLOCKS);
  let foreign = merged.at(-1)?.block.witness;
  for (const { block } of blocks) {
    const { witness, ...bare } = block;
    if (witness !== undefined) {
      expect(await submit(bare)).toMatch(/^header\/invalid-pow: /);
      if (foreign !== undefined && block !== merged.at(-1)?.block)
        expect(await submit({ ...bare, witness: foreign })).toMatch(/^header\/invalid-pow: /);
      foreign = witness;
    }
    expect(await submit(block)).toBeUndefined();
  }
});

it("keeps witnesses for those who check, and shows none to those who look", async () => {
  for (const { hash, block } of blocks) {
    const raw = await node.api.ask("blockBytes", [hash]);
    expect(decodeRawBlock(raw ?? new Uint8Array())).toEqual(block);
    const value = { hash, includeTransactions: true };
    const shown = (await client.call({ $case: "getBlock", value })).block;
    if (shown === undefined) throw new Error("no block");
    expect(shown.header?.auxPow).toBe("");
    expect(blockFromRpc(shown).header).toEqual(block.header);
  }
});

it("tells of each block what work it was found by, and gives the witness to who checks it", async () => {
  for (const { hash, block } of blocks) {
    const place = `${node.httpAddress}/api/blocks/${hash}`;
    const work = block.witness === undefined ? "native" : "merge-mined";
    expect(await (await fetch(place)).json()).toMatchObject({ block_hash: hash, extra: { work } });
    const raw = new Uint8Array(await (await fetch(`${place}/bytes`)).arrayBuffer());
    expect(decodeRawBlock(raw)).toEqual(block);
  }
});
