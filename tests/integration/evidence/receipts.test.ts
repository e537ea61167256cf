/** Receipts of a payment on a real node: made by the payee, checked alone and under the node's chain, and refused where they lie. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anchorReceipt } from "@svc/node-server/app/receipt/anchorReceipt.ts";
import { placeNote, readNoteFile } from "@svc/node-server/app/receipt/noteFile.ts";
import { runReceipt } from "@svc/node-server/app/receipt/runReceipt.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { CoreReceipts } from "@svc/shared/light/coreReceipts.ts";
import { makeReceipt } from "@svc/shared/light/makeReceipt.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { readReceiptText, receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { readScanFacts, type ScannedNote } from "@svc/shared/wallet/state/scanFacts.ts";
import { readPaymentFixture, seedBytes } from "../../fixtures/payments/paymentFixture.ts";
import { core } from "../engine/engineFixture.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";

const fixture = readPaymentFixture();
let folder: TemporaryFolder;
let node: RunningNode;

beforeAll(async () => {
  folder = temporaryFolder();
  const clock = new ManualClock(fixture.firstBlockMs + 1_000_000n);
  node = await startTestNode(null, { network: { name: fixture.profile }, clock });
  for (const raw of fixture.trunk) await node.api.submitBlock(raw, never);
});
afterAll(async () => {
  await node?.stop();
  folder.remove();
});

type Found = { readonly note: ScannedNote; readonly chainIndex: bigint; readonly block: string };

/** The notes of a key on a node's chain, the newest last. */
async function notesOf(from: RunningNode, profile: string, viewing: Uint8Array): Promise<Found[]> {
  const { genesis } = await new HttpNode(from.httpAddress ?? "").tip(never);
  const answer = await fetch(`${from.httpAddress}/v1/blocks?after=${genesis}&limit=2000`);
  const { body, count, firstIndex } = readContainer(
    new Uint8Array(await answer.arrayBuffer()),
    2_000,
  );
  const scanner = new core.Scanner(profile, viewing);
  const { blocks } = readScanFacts(scanner.scanRecords(body, count));
  scanner.free();
  return blocks.flatMap(({ notes, hash }, offset) =>
    notes.map((note) => ({ note, block: hash, chainIndex: firstIndex + BigInt(offset) })),
  );
}

const viewingOf = (seed: string): Uint8Array => core.fullViewingKey(seedBytes(seed));

/** The payment `plain` as its payee read it. */
async function bobsNote(): Promise<Found> {
  const profile = core.builtInProfile(fixture.profile);
  const { txid } = fixture.payment("plain");
  const notes = await notesOf(node, profile, viewingOf(fixture.owners.bob.seed));
  const found = notes.find(({ note }) => note.txid === txid);
  if (found === undefined) throw new Error("bob received nothing");
  return found;
}

function noteText({ note, chainIndex }: Found, over: Record<string, unknown> = {}): string {
  const { recipient: to, value, rho, rseed } = note;
  const told = { recipient: to, value: String(value), rho, rseed, chainIndex: String(chainIndex) };
  return JSON.stringify({ ...told, ...over });
}

let files = 0;
function fileOf(text: string | Uint8Array): string {
  files += 1;
  const path = join(folder.path, `file-${files}`);
  writeFileSync(path, text);
  return path;
}

/** Runs `svc receipt` on the network of the fixture; gives what it printed. */
const svc = (...args: readonly string[]): Promise<string> => svcOn("--simnet", ...args);

async function svcOn(network: string, ...given: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const args = [...given, network];
  expect(await runReceipt({ args, environment: {}, print, signal: never })).toBe(0);
  return lines.join("\n");
}

const nodeFlag = (): string => `--node=${node.httpAddress}`;

/** A receipt of bob's note. */
async function made(...more: readonly string[]): Promise<string> {
  const note = fileOf(noteText(await bobsNote()));
  return svc("make", `--note=${note}`, nodeFlag(), ...more);
}

describe("svc receipt", () => {
  it("shows who was paid how much by which block, alone and under the chain of a node", async () => {
    const { note, block } = await bobsNote();
    const text = await made();
    expect(text).toMatch(/^ur:svc-receipt\/[a-z]+$/);
    expect(readReceiptText(text.toUpperCase()).length).toBeLessThan(8 * 1024);
    const alone: unknown = JSON.parse(await svc("check", text, "--json"));
    const shown = { recipient: note.recipient, value: String(note.value), block };
    expect(alone).toMatchObject({ ...shown, grade: "work", address: fixture.owners.bob.address });
    const anchored: unknown = JSON.parse(await svc("check", text, nodeFlag(), "--json"));
    expect(anchored).toMatchObject({ ...shown, grade: "chain" });
    expect(await svc("check", text)).toMatch(/this network proves nothing/);
  });

  it("is not anchored by blocks that are much easier than the checker knows the network to be", async () => {
    const text = await made();
    const hard = svc("check", text, nodeFlag(), "--bits=1d00ffff");
    expect(await rejectionCode(hard)).toBe("evidence/too-easy");
    expect(await svc("check", text, nodeFlag(), "--bits=207fffff")).toMatch(/^recipient/);
    // By itself it stands on its own work, whatever the network has become.
    expect(await svc("check", text, "--bits=1d00ffff")).toMatch(/^recipient/);
  });

  it.each([
    // Bytes of the slot's amount, and of the tree root.
    ["opening", -1, "evidence/other-state"],
    ["membership", 80, "evidence/not-member"],
  ] as const)("is not anchored by a node that lies about the %s", async (piece, place, code) => {
    const receipt = readReceiptText(await made());
    const liar: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (typeof input !== "string" || !input.includes(`/evidence/${piece}`)) return answer;
      const { ok, status } = answer;
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (ok) bytes.set([(bytes.at(place) ?? 0) ^ 1], place < 0 ? bytes.length + place : place);
      return new Response(bytes, { status });
    };
    const receipts = new CoreReceipts(core, core.builtInProfile(fixture.profile));
    const http = new HttpNode(node.httpAddress ?? "", liar);
    const check = anchorReceipt({ receipts, node: http, signal: never }, receipt);
    expect(await rejectionCode(check)).toBe(code);
  });

  it("writes a file that is read again, as bytes and as text, and never over another", async () => {
    const out = join(folder.path, "bob.receipt");
    expect(await made(`--out=${out}`)).toMatch(/bytes$/);
    expect(await svc("check", out)).toMatch(/^recipient {4}/);
    const text = fileOf(receiptText(readFileSync(out)));
    expect(await svc("check", text)).toMatch(/^recipient {4}/);
    expect(await rejectionCode(made(`--out=${out}`))).toBe("node/bad-option");
  });

  it("is refused for another challenge, and says that nobody signed one", async () => {
    const text = await made("--challenge=order 7");
    expect(await svc("check", text, "--challenge=order 7")).toMatch(/"order 7" \(not signed/);
    expect(await rejectionCode(svc("check", text, "--challenge=order 8"))).toBe(
      "evidence/other-challenge",
    );
    const silent = await made();
    expect(await rejectionCode(svc("check", silent, "--challenge=order 7"))).toBe(
      "evidence/other-challenge",
    );
  });

  it("is not made for another recipient or amount, and not for a block without the note", async () => {
    const found = await bobsNote();
    const { recipient: other } = fixture.owners.carol;
    const lies: readonly string[] = [
      noteText(found, { recipient: other }),
      noteText(found, { value: String(found.note.value + 1n) }),
      noteText(found, { chainIndex: String(found.chainIndex - 1n) }),
    ];
    for (const lie of lies) {
      const making = svc("make", `--note=${fileOf(lie)}`, nodeFlag());
      expect(await rejectionCode(making)).toBe("evidence/not-in-tree");
    }
    const receipt = readReceiptText(await made());
    const at = Buffer.from(receipt).indexOf(Buffer.from(found.note.recipient, "hex"));
    const forged = Buffer.from(receipt);
    forged.write(other, at, "hex");
    expect(await rejectionCode(svc("check", fileOf(forged)))).toBe("evidence/not-in-tree");
    expect(await rejectionCode(svc("check", fileOf(forged), nodeFlag()))).toBe(
      "evidence/not-in-tree",
    );
  });

  it("of another network is refused", async () => {
    const text = await made();
    expect(await rejectionCode(svcOn("--testnet", "check", text))).toBe("evidence/other-network");
  });

  it("shows the payment itself where the payer discloses it", async () => {
    const found = await bobsNote();
    const { raw, txid, memo } = fixture.payment("plain");
    const payment = {
      transaction: Buffer.from(raw).toString("hex"),
      index: found.note.outputIndex,
    };
    const note = fileOf(noteText(found, { payment }));
    const text = await svc("make", `--note=${note}`, nodeFlag());
    const facts: unknown = JSON.parse(await svc("check", text, "--json"));
    const told = Buffer.from(memo).toString("hex");
    expect(facts).toMatchObject({ disclosure: { txid, memo: told, spent: null } });
    expect(await svc("check", text)).toContain("as the payer says");
    const other = { ...payment, index: 1 - payment.index };
    const false_ = fileOf(noteText(found, { payment: other }));
    expect(await rejectionCode(svc("make", `--note=${false_}`, nodeFlag()))).toBe(
      "signer/note-differs",
    );
  });

  it("carries an answer that only the payee can give", async () => {
    const file = readNoteFile(noteText(await bobsNote()));
    const receipts = new CoreReceipts(core, core.builtInProfile(fixture.profile));
    const http = new HttpNode(node.httpAddress ?? "");
    const { note, path, block } = await placeNote(core, http, file, never);
    const text = "till 3";
    const answer = receipts.answer(viewingOf(fixture.owners.bob.seed), note, text);
    const stranger = viewingOf(fixture.owners.alice.seed);
    expect(codeOf(() => receipts.answer(stranger, note, text))).toBe("keys/address-mismatch");
    const { sink } = await http.tip(never);
    const order = { note, path, block, from: block, to: sink, challenge: { text, answer } };
    const receipt = await makeReceipt(receipts, http, order, never);
    const { challenge } = receipts.check(receipt, { challenge: text });
    expect(challenge).toEqual({ text, isAnswered: true });
  });

  it.each([
    [["check"]],
    [["check", "--json"]],
    [["check", "no such file"]],
    [["check", "ur:svc-receipt/aeae", "--bits=1"]],
    [["make", "--note=x"]],
    [["make", "--node=http://127.0.0.1:1"]],
    [["frobnicate"]],
  ])("refuses %j", async (args) => {
    const run = runReceipt({ args, environment: {}, print: () => {}, signal: never });
    const help = args.length === 1 && args[0] === "check";
    if (help) expect(await run).toBe(0);
    else expect(await rejectionCode(run)).toBe("node/bad-option");
  });
});
