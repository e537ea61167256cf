/** A receipt outlives its block: on a node of a network that prunes soon, it is checked under the chain when the block is gone. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { placeNote, readNoteFile } from "@svc/node-server/app/receipt/noteFile.ts";
import { runReceipt } from "@svc/node-server/app/receipt/runReceipt.ts";
import { anchorReceipt } from "@svc/node-server/app/receipt/anchorReceipt.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { CoreReceipts } from "@svc/shared/light/coreReceipts.ts";
import { makeReceipt } from "@svc/shared/light/makeReceipt.ts";
import { standsNear } from "@svc/shared/light/receiptRange.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { readReceiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { readScanFacts } from "@svc/shared/wallet/state/scanFacts.ts";
import { BlockMaker, core, recipient } from "../engine/engineFixture.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import { DEPTH, FINALITY, smallNetwork } from "../node/smallNetwork.ts";

const profile = core.canonicalProfile(smallNetwork());
const receipts = new CoreReceipts(core, profile);
const PAYEE = 5;
let folder: TemporaryFolder;
let node: RunningNode;
let source: BlockMaker;
let profileFlag: string;

function fileOf(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}

beforeAll(async () => {
  folder = temporaryFolder();
  const file = fileOf("network.json", smallNetwork());
  profileFlag = `--profile=${file}`;
  node = await startTestNode(folder.path, { network: { file }, shieldedHistory: true });
  source = new BlockMaker(profile);
});
afterAll(async () => {
  await node?.stop();
  folder.remove();
});

async function mine(count: number, payee: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await node.api.submitBlock(source.next(recipient(payee)), never);
  }
}

/** The note file of the first note that the payee got. */
async function firstNote(): Promise<string> {
  const { genesis } = await new HttpNode(node.httpAddress ?? "").tip(never);
  const answer = await fetch(`${node.httpAddress}/v1/blocks?after=${genesis}&limit=2000`);
  const page = readContainer(new Uint8Array(await answer.arrayBuffer()), 2_000);
  const scanner = new core.Scanner(profile, core.fullViewingKey(new Uint8Array(32).fill(PAYEE)));
  const { blocks } = readScanFacts(scanner.scanRecords(page.body, page.count));
  scanner.free();
  const place = blocks.findIndex(({ notes }) => notes.length > 0);
  const note = blocks[place]?.notes[0];
  if (note === undefined) throw new Error("the payee got nothing");
  const { recipient: to, value, rho, rseed } = note;
  const chainIndex = String(page.firstIndex + BigInt(place));
  return JSON.stringify({ recipient: to, value: String(value), rho, rseed, chainIndex });
}

it("holds under the chain after its block was pruned, and a new one is made of what stays", async () => {
  const http = new HttpNode(node.httpAddress ?? "");
  await mine(10, PAYEE);
  await mine(20, 1);
  const noteText = await firstNote();
  const file = readNoteFile(noteText);
  const placed = await placeNote(core, http, file, never);
  const { sink } = await http.tip(never);
  const where = { block: placed.block, from: placed.block, to: sink };
  const receipt = await makeReceipt(receipts, http, { ...placed, ...where }, never);
  const header = receipts.headerOf(receipt);
  const anchored = () => anchorReceipt({ receipts, node: http, signal: never }, receipt);
  expect(await anchored()).toMatchObject({ grade: "chain", block: placed.block });
  const blocks = [placed.block, header];
  const bodies = () => Promise.all(blocks.map((hash) => node.api.ask("blockBytes", [hash])));
  expect(await bodies()).not.toContain(undefined);
  await mine(DEPTH + 4 * FINALITY, 1);
  await expect.poll(bodies).toEqual([undefined, undefined]);
  const later = await anchored();
  expect(later).toMatchObject({ grade: "chain", block: placed.block, value: file.value });
  expect(receipts.check(receipt)).toMatchObject({ grade: "work", block: placed.block });
  const lines: string[] = [];
  const args = ["make", `--note=${fileOf("note.json", noteText)}`, `--node=${node.httpAddress}`];
  const print = (line: string): void => void lines.push(line);
  await runReceipt({ args: [...args, profileFlag], environment: {}, print, signal: never });
  const again = readReceiptText(lines.join(""));
  const made = receipts.check(again);
  expect(made).toMatchObject({ block: placed.block, blueScore: later.blueScore });
  // By now there is a header that stands well above the payment and well below the tip.
  expect(made.header).not.toBe(header);
  expect(standsNear(made)).toBe(false);
  const anchoredAgain = await anchorReceipt({ receipts, node: http, signal: never }, again);
  expect(anchoredAgain).toMatchObject({ grade: "chain", depth: made.depth });
});
