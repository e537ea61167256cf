/**
 * Receipts of a payment that a wallet sent, over a real node with a real proof: the payer finds the payee's note in its own tree, what it
 * makes is checked with `svc receipt check`, and the node hears nothing of which payment it is.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { runReceipt } from "@svc/node-server/app/receipt/runReceipt.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { CoreReceipts } from "@svc/shared/light/coreReceipts.ts";
import { noteCommitment } from "@svc/shared/light/noteCommitment.ts";
import { receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { sendPayment } from "@svc/shared/wallet/send/sendPayment.ts";
import { ownReceipts } from "@svc/shared/wallet/sync/ownReceipts.ts";
import type { WalletSync } from "@svc/shared/wallet/sync/walletSync.ts";
import { MemoryWalletStore, WalletKit, walletClock } from "../../demo/walletKit.ts";
import { core } from "../engine/engineFixture.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import { COIN, fixture, fund, mine } from "../walletd/walletApiCalls.ts";

const { alice, bob } = fixture.owners;
const profileJson = core.builtInProfile(fixture.profile);
const receipts = new CoreReceipts(core, profileJson);
const prover = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
/** Where the payer's wallet is kept, whatever becomes of its program. */
const store = new MemoryWalletStore();
/** Blocks above a payment after which it has a receipt. */
const OLD_ENOUGH = 400;

let node: RunningNode;
let txid: string;

/** Asks the node, and keeps each request with its bytes; a lie changes an answer. */
class WatchedNode {
  readonly asked: string[] = [];
  lie: (path: string, body: Uint8Array) => Uint8Array = (_, body) => body;
  readonly http = new HttpNode(node.httpAddress ?? "", async (input, init) => {
    const request = new Request(input, init);
    const path = request.url.slice(new URL(request.url).origin.length);
    this.asked.push(`${request.method} ${path} ${JSON.stringify([...request.headers])}`);
    const answer = await fetch(request);
    const body = this.lie(path, new Uint8Array(await answer.arrayBuffer()));
    return new Response(body.slice(), { status: answer.status, headers: answer.headers });
  });
}

/** Opens the wallet of a seed at the node's tip. */
async function opened(seed: string, kept = new MemoryWalletStore()) {
  const watched = new WatchedNode();
  const parts = { core, profileJson, prover, clock: walletClock(systemClock), store: kept };
  const kit = new WalletKit(parts, new Secret(decodeHex(seed)));
  const sync = await kit.open(watched.http, never);
  await sync.catchUp(never);
  return { kit, sync, watched, seed };
}

type Opened = Awaited<ReturnType<typeof opened>>;

function receiptsOf({ kit, sync, watched, seed }: Opened, rowId: string, challenge = "") {
  const parts = {
    receipts,
    node: watched.http,
    policy: kit.policy,
    viewingKey: core.fullViewingKey(decodeHex(seed)),
    commitment: (note: Parameters<typeof noteCommitment>[1]) => noteCommitment(core, note),
  };
  return ownReceipts(parts, sync, { rowId, challenge }, never);
}

/** The only receipt of a line of the history, as text, and what the node was asked for it. */
async function made(wallet: Opened, rowId: string, challenge = "") {
  wallet.watched.asked.length = 0;
  const outcome = await receiptsOf(wallet, rowId, challenge);
  if (outcome.kind !== "made" || outcome.receipts.length !== 1) expect.unreachable(outcome.kind);
  const [receipt] = outcome.receipts;
  if (receipt === undefined) expect.unreachable();
  return { receipt, text: receiptText(receipt.bytes), asked: [...wallet.watched.asked] };
}

/** Runs `svc receipt check`; gives what it printed. */
async function check(...args: readonly string[]): Promise<unknown> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const all = ["check", ...args, "--json", "--simnet"];
  expect(await runReceipt({ args: all, environment: {}, print, signal: never })).toBe(0);
  return JSON.parse(lines.join("\n"));
}

const rowsOf = (sync: WalletSync, kind: string) =>
  sync.state.history.filter((row) => row.kind === kind);

beforeAll(async () => {
  node = await startTestNode(null);
  await fund(node);
  const { kit, sync } = await opened(alice.seed, store);
  const payee = kit.readPayee({ address: bob.address, amount: "1", memo: "bread" });
  const request = { id: "p", payees: [payee], maxFee: null, recoverable: false };
  const payment = await sendPayment(kit.sendParts(), request, () => undefined, never);
  txid = payment.txid ?? expect.unreachable();
  await mine(node, 3);
  await sync.catchUp(never);
  // The program ends without another word. What it stored has to do.
  await kit.close();
});
afterAll(async () => {
  await prover.stop();
  await node?.stop();
});

describe("a receipt of a payment that the wallet sent", () => {
  it("is not made while few blocks lie above it, and nobody is asked", async () => {
    const payer = await opened(alice.seed, store);
    payer.watched.asked.length = 0;
    expect(await receiptsOf(payer, txid)).toMatchObject({ kind: "young" });
    expect(payer.watched.asked).toEqual([]);
    await payer.kit.close();
    await mine(node, OLD_ENOUGH);
  });

  it("shows payee and amount, alone and under the chain, after its program was killed", async () => {
    const payer = await opened(alice.seed, store);
    const { receipt, text } = await made(payer, txid, "order 7");
    expect(receipt).toMatchObject({ value: COIN, payee: bob.address });
    const shown = {
      address: bob.address,
      value: String(COIN),
      challenge: { text: "order 7", isAnswered: false },
    };
    expect(await check(text)).toMatchObject({ ...shown, grade: "work" });
    expect(await check(text, `--node=${node.httpAddress}`)).toMatchObject({
      ...shown,
      grade: "chain",
    });
    await payer.kit.close();
  });

  it("shows the note that the payee's own receipt shows, and a node cannot tell them apart", async () => {
    const [payer, payee] = [await opened(alice.seed, store), await opened(bob.seed)];
    const sent = await made(payer, txid);
    const received = await made(payee, txid);
    expect(sent.text).toBe(received.text);
    const [mined] = rowsOf(payer.sync, "mined");
    const other = await made(payer, mined?.id ?? "");
    expect(other.text).not.toBe(sent.text);
    expect(sent.asked.length).toBeGreaterThan(2);
    expect(received.asked).toEqual(sent.asked);
    expect(other.asked).toEqual(sent.asked);
    const [row] = rowsOf(payer.sync, "sent");
    const paid = payer.sync.state.blocks.find(({ chainIndex }) => chainIndex === row?.chainIndex);
    expect(sent.asked.join("\n")).not.toContain(paid?.hash ?? expect.unreachable());
    await Promise.all([payer.kit.close(), payee.kit.close()]);
  });

  it("is made by a wallet that scanned everything again, and not by one that was restored", async () => {
    const payer = await opened(alice.seed, store);
    const before = await made(payer, txid);
    await payer.sync.rescan(never, "genesis");
    await payer.sync.catchUp(never);
    expect(await made(payer, txid)).toEqual(before);
    await payer.kit.close();
    const restored = await opened(alice.seed);
    expect(rowsOf(restored.sync, "sent").map(({ id }) => id)).toContain(txid);
    expect(await receiptsOf(restored, txid)).toEqual({ kind: "undisclosed" });
    await restored.kit.close();
  });

  it("is not made with evidence that somebody changed", async () => {
    const payer = await opened(alice.seed, store);
    for (const piece of ["opening", "membership", "run"]) {
      payer.watched.lie = (path, body) => {
        if (!path.startsWith(`/v1/evidence/${piece}`)) return body;
        const place = piece === "membership" ? 80 : body.length - 1;
        return body.map((byte, at) => (at === place ? byte ^ 1 : byte));
      };
      expect(await rejectionCode(receiptsOf(payer, txid)), piece).toMatch(
        /^(?:evidence|codec|header|coinbase|shielded|tx|block|pow)\//,
      );
    }
    await payer.kit.close();
  });
});
