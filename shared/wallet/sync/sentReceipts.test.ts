/** Receipts of payments that a wallet sent: whose note stands where no scan tells, and what a node hears of it. */
import { describe, expect, it } from "vitest";
import { asSompi, asTxId, type TxId } from "../../base/brand.ts";
import { decodeHex } from "../../base/hex.ts";
import { rejectionCode } from "../../base/testkit/rejectionCode.ts";
import type { EvidencePort } from "../../light/evidencePort.ts";
import type { ReceiptParts } from "../../light/coreReceipts.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { restart, rollback } from "../reduce/rollback.ts";
import type { DisclosedOutput, Payment } from "../state/payment.ts";
import { cursorOf, type WalletState } from "../state/walletState.ts";
import { ChainModel, FOREIGN_ADDRESS, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { FoldTree } from "../testkit/ports.ts";
import { ownReceipts } from "./ownReceipts.ts";

const POLICY = { ...TEST_POLICY, epochBlocks: 1_024n, recentBlocks: 2_112 };
const never = new AbortController().signal;
const PAID = 5n;
const WORD = "33".repeat(32);
/** The leaves of two payees. */
const [LEAF, SECOND] = ["5e".repeat(32), "5f".repeat(32)];

/** What a payer kept of the payee of a leaf: here a note's nullifier names its leaf. */
function outputOf(leaf: string, value = PAID): DisclosedOutput {
  return {
    ...{ index: 0, recipient: FOREIGN_ADDRESS, value: asSompi(value), rseed: WORD },
    rho: leaf,
  };
}

/** A wallet that mined a coin and then pays with it; the chain is that of its node. */
class Scene {
  readonly model = new ChainModel();
  readonly txid: TxId = asTxId("77".repeat(32));
  state: WalletState;
  /** What the node was asked. */
  readonly asked: string[] = [];
  /** What receipts were made of. */
  readonly made: ReceiptParts[] = [];

  constructor(outputs: readonly DisclosedOutput[] | null = [outputOf(LEAF)]) {
    this.model.add({ mined: [1_000_000_000n] });
    this.model.addEmpty(20);
    const scanned = applyFacts(freshWallet(), this.model.page(1), POLICY);
    const payment = { id: "p", payees: [payeeOf(PAID)] };
    const planned = withPlanned(scanned, POLICY, payment);
    const signed = advance(planned, "p", eventsToMempool(this.txid));
    const kept = (one: Payment) => (outputs === null ? one : { ...one, outputs });
    this.state = { ...signed, outbox: signed.outbox.map(kept) };
  }

  /** A block that applies the payment; its leaves begin with foreign ones. */
  apply(leaves: readonly string[] = [LEAF], foreign = 3): void {
    const reserved = this.state.outbox.flatMap((payment) => payment.reserved);
    const spends = reserved.map(({ nullifier }) => nullifier);
    const txs = [{ txid: this.txid, spends }];
    this.model.add({ txs, foreignLeaves: foreign + leaves.length });
    const others = Array.from({ length: foreign }, () => this.model.fresh());
    this.model.swapLeaf(this.model.length, [...others, ...leaves].join(""));
  }

  /** Adds so many blocks and scans what was not scanned yet. */
  grow(blocks: number, policy = POLICY): void {
    this.model.addEmpty(blocks);
    const from = Number(cursorOf(this.state).chainIndex) + 1;
    this.state = applyFacts(this.state, this.model.page(from), policy);
  }

  receipts(rowId: string, challenge = "") {
    const answer = async (piece: string, ...of: readonly unknown[]) => {
      this.asked.push([piece, ...of.slice(0, 2)].join(" "));
      return new Uint8Array();
    };
    const node: EvidencePort = {
      opening: (...of) => answer("opening", ...of),
      membership: (...of) => answer("membership", ...of),
      run: (...of) => answer("run", ...of),
    };
    const { tip } = this.model;
    const receipts = {
      answer: () => new Uint8Array(64),
      hardestHeader: () => ({ header: tip, below: tip }),
      make: (parts: ReceiptParts) => Uint8Array.of(this.made.push(parts)),
    };
    const commitment = ({ rho }: { readonly rho: string }) => decodeHex(rho);
    const parts = { receipts, node, policy: POLICY, viewingKey: new Uint8Array(), commitment };
    const tree = new FoldTree(decodeHex(this.model.leavesUpTo(this.model.length)));
    return ownReceipts(parts, { state: this.state, tree }, { rowId, challenge }, never);
  }

  /** Where the made receipts have their notes. */
  get positions(): readonly number[] {
    return this.made.map(({ note }) => note.position);
  }
}

/** Blocks above a payment after which a receipt can be made. */
const DEEP = 400;

describe("a receipt of a payment that was sent", () => {
  it("shows the payee's note, which is found in the block that applied the payment", async () => {
    const scene = new Scene();
    scene.apply();
    scene.grow(DEEP);
    const made = await scene.receipts(scene.txid);
    const receipt = { value: PAID, payee: "test:payee", bytes: Uint8Array.of(1) };
    expect(made).toEqual({ kind: "made", receipts: [receipt] });
    expect(scene.made).toMatchObject([
      { note: { ...{ recipient: FOREIGN_ADDRESS, value: PAID, rseed: WORD, rho: LEAF } } },
    ]);
    // One mined leaf and one beside it, one in each of 20 blocks, then three of others.
    expect(scene.positions).toEqual([25]);
  });

  it("asks the node what one of a received payment of the same time asks", async () => {
    const scene = new Scene();
    const received = scene.model.txid();
    scene.apply();
    scene.model.add({ txs: [{ txid: received, outputs: [{ value: 9n }] }] });
    scene.grow(DEEP);
    await scene.receipts(scene.txid);
    const ofSent = scene.asked.splice(0);
    expect(await scene.receipts(received)).toMatchObject({ kind: "made" });
    expect(ofSent.length).toBeGreaterThan(2);
    expect(scene.asked).toEqual(ofSent);
    const paid = scene.state.history.find(({ id }) => id === scene.txid)?.chainIndex;
    expect(ofSent.join(" ")).not.toContain(scene.model.at(Number(paid))?.hash);
  });

  it("is one for each payee", async () => {
    const scene = new Scene([outputOf(SECOND, 2n), outputOf(LEAF, 3n)]);
    scene.apply([LEAF, SECOND]);
    scene.grow(DEEP);
    const made = await scene.receipts(scene.txid);
    expect(made).toMatchObject({ kind: "made", receipts: [{ value: 2n }, { value: 3n }] });
    expect(scene.positions).toEqual([26, 25]);
    expect(new Set(scene.asked).size).toBe(scene.asked.length);
  });

  it("carries a text that nobody signed: the payer has no key for that", async () => {
    const scene = new Scene();
    scene.apply();
    scene.grow(DEEP);
    await scene.receipts(scene.txid, "order 7");
    expect(scene.made).toMatchObject([{ challenge: { text: "order 7" } }]);
    expect(scene.made[0]?.challenge).not.toHaveProperty("answer");
  });

  it("is of the chain that stands: after a reorganisation the note has another place", async () => {
    const scene = new Scene();
    scene.apply();
    scene.grow(4);
    expect(await scene.receipts(scene.txid)).toMatchObject({ kind: "young" });
    const [, common] = scene.state.blocks;
    scene.state = rollback(scene.state, common?.hash ?? expect.unreachable());
    expect(await scene.receipts(scene.txid)).toEqual({ kind: "forgotten" });
    scene.model.cut(1);
    scene.model.addEmpty(30);
    scene.apply([LEAF], 5);
    scene.grow(DEEP);
    expect(await scene.receipts(scene.txid)).toMatchObject({ kind: "made" });
    expect(scene.positions).toEqual([37]);
  });

  it("is of a payment whose block is no longer remembered, too, and of one that was scanned again", async () => {
    const scene = new Scene();
    scene.apply();
    scene.grow(DEEP, { ...POLICY, recentBlocks: 340 });
    const [oldest] = scene.state.blocks;
    const paid = scene.state.history.find(({ id }) => id === scene.txid)?.chainIndex ?? 0n;
    expect(oldest?.chainIndex).toBeGreaterThan(paid);
    expect(scene.state.outbox[0]).toMatchObject({ raw: null });
    await scene.receipts(scene.txid);
    scene.state = restart(scene.state, scene.state.account.birthday, false);
    scene.grow(0);
    await scene.receipts(scene.txid);
    expect(scene.positions).toEqual([25, 25]);
  });

  it("is none where the wallet never had what shows the payee: it says so, and asks nobody", async () => {
    const { rho: _, ...older } = outputOf(LEAF);
    for (const outputs of [null, [], [older]]) {
      const scene = new Scene(outputs);
      scene.apply();
      scene.grow(DEEP);
      expect(await scene.receipts(scene.txid)).toEqual({ kind: "undisclosed" });
      expect(scene.asked).toEqual([]);
    }
    const restored = new Scene();
    restored.apply();
    restored.state = applyFacts(freshWallet(), restored.model.page(1), POLICY);
    restored.grow(DEEP);
    expect(restored.state.history.at(-1)).toMatchObject({ kind: "sent", id: restored.txid });
    expect(await restored.receipts(restored.txid)).toEqual({ kind: "undisclosed" });
    expect(restored.asked).toEqual([]);
  });

  it("is none where the block that is told to have it does not: the record is false", async () => {
    const scene = new Scene();
    scene.apply([SECOND]);
    scene.apply([LEAF]);
    scene.grow(DEEP);
    expect(await rejectionCode(scene.receipts(scene.txid))).toBe("wallet/false-record");
    expect(scene.asked).toEqual([]);
  });
});
