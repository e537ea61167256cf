/** Receipts of received payments that a wallet cannot make yet, or no longer: it says so, and asks nobody. What it makes is shown in `tests/e2e/node/receipts.test.ts`. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CoreReceipts } from "../../light/coreReceipts.ts";
import type { EvidencePort } from "../../light/evidencePort.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { FoldTree } from "../testkit/ports.ts";
import { ownReceipts } from "./ownReceipts.ts";

const POLICY = { ...TEST_POLICY, epochBlocks: 1_024n, recentBlocks: 2_112 };
const never = new AbortController().signal;
const refuse = (): never => {
  throw new Error("nobody is to be asked");
};
const node: EvidencePort = { opening: refuse, membership: refuse, run: refuse };
const core = { EvidenceJudge: refuse as never, receiptHeader: refuse };
const SIMNET = new URL("../../../wasm-core/profiles/simnet.json", import.meta.url);
const receipts = new CoreReceipts(core, readFileSync(SIMNET, "utf8"));

/** A wallet that was paid in block 1, so many blocks ago. */
async function asked(blocksSince: number, rowOf: (txid: string) => string = (txid) => txid) {
  const model = new ChainModel();
  const txid = model.txid();
  model.add({ txs: [{ txid, outputs: [{ value: 5n }] }] });
  model.addEmpty(blocksSince);
  const state = applyFacts(freshWallet(), model.page(1), POLICY);
  const held = { state, tree: new FoldTree(new Uint8Array()) };
  const commitment = refuse;
  const parts = { receipts, node, policy: POLICY, viewingKey: new Uint8Array(), commitment };
  return ownReceipts(parts, held, { rowId: rowOf(txid), challenge: "" }, never);
}

it("says how many blocks a payment lacks for a receipt", async () => {
  expect(await asked(10)).toEqual({ kind: "young", blocksLeft: 317n });
  expect(await asked(326)).toEqual({ kind: "young", blocksLeft: 1n });
});

it("says that it has the notes of a payment no longer", async () => {
  expect(await asked(400, () => "ff".repeat(32))).toEqual({ kind: "forgotten" });
});
