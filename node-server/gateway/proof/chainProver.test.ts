/** The prover over a model of a chain, whose evidence is what a test makes of it; the note tree is the core's. */
import { describe, expect, it } from "vitest";
import { asBlockHash, asLeafPosition, asTimestampMs } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { WorkCheckpoint } from "@svc/shared/light/checkpointOf.ts";
import type { EvidenceJudge } from "@svc/shared/light/coreJudge.ts";
import { provedUpTo } from "@svc/shared/light/workLadder.ts";
import { workOfBits } from "@svc/shared/light/workBlocks.ts";
import { EMPTY_TREE } from "@svc/shared/protocol/raw/treeState.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { StoreSteps } from "../../storage/rows/storeSteps.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import type { MadeReceipt } from "../receipts/paidNote.ts";
import { ReceiptPress } from "../receipts/receiptPress.ts";
import { fakeReceipts, madeOf, paidNote } from "../testkit/paidNotes.ts";
import { scannedBlock } from "../testkit/scannedChain.ts";
import { ChainProver } from "./chainProver.ts";
import { ProofTable } from "./proofTable.ts";
import { openTree } from "./provedTree.ts";
import type { ScanProof } from "./scanProof.ts";

const core = await loadCoreFile();
const BITS = 0x1e_7f_ff_00;
const NOW = asTimestampMs(1_000_000n);
const RECENT = 8;
const signal = new AbortController().signal;
const TABLES = { proof: 2, leaves: 3 };

/** One leaf for each block. */
function leafOf(number: number, fork = 0): Uint8Array {
  const leaf = new Uint8Array(32);
  new DataView(leaf.buffer).setUint32(0, number * 8 + fork + 2, true);
  return leaf;
}

/** A node and the scan that follows it. */
class Model {
  readonly #kv = new MemoryKv();
  readonly #steps = new StoreSteps(this.#kv, 1);
  readonly table = new ProofTable(this.#kv, TABLES);
  /** The tree of the chain that the work is on. */
  readonly truth: NoteTree = openTree(core, encodeHex(EMPTY_TREE), []);
  readonly asked: string[] = [];
  isSilent = false;
  /** The database takes nothing more. */
  isFull = false;
  /** Makes receipts of payments; null for none. */
  press: ReceiptPress | null = null;
  /** Those that were written. */
  readonly made: MadeReceipt[] = [];
  /** A header from which on the node shows no run to a later one. */
  lacks = "";
  /** How far below the header asked for a run ends, as one of a block level does. */
  short = 0;
  bits = BITS;
  nowMs = NOW;
  /** What the program knows of the network's work. */
  checkpoint: WorkCheckpoint | null = { bits: BITS, timestamp: asTimestampMs(0n) };
  view: ChainBlock[] = [genesis()];
  prover = this.open();

  open(): ChainProver {
    const tip = this.view.length > 1 ? (this.view.at(-1) ?? null) : null;
    return new ChainProver({
      core,
      judge: this.#judge(),
      node: {
        opening: async (of) => this.#answer(`opening ${of}`),
        run: async (from, to) => {
          if (from === this.lacks && to !== from)
            throw new SvcError("chain/pruned", { hash: from });
          const end = Math.max(Number(numberOf(from)), Number(numberOf(to)) - this.short);
          return this.#answer(
            `run ${from} ${from === to || this.short === 0 ? to : scannedBlock(end).hash}`,
          );
        },
        start: async () => {
          throw new SvcError("chain/pruned", { hash: "" });
        },
      },
      clock: { nowMs: () => this.nowMs },
      network: { hasWork: true, checkpoint: this.checkpoint },
      recentBlocks: RECENT,
      stored: { proof: this.table.read(), leaves: this.table.leaves(), tip },
      receipts: this.press,
      commit: (proof, { chainIndex }, receipts) => {
        if (this.isFull) throw new SvcError("store/commit-failed", { reason: "full" });
        this.#write(chainIndex, [], [], proof);
        this.made.push(...receipts);
      },
    });
  }

  begin(): void {
    const proof = this.prover.restart({
      block: genesis(),
      tree: EMPTY_TREE,
      historyMissing: false,
    });
    this.#write(null, [genesis()], [], proof);
  }

  /** Blocks come, those of a fork where it is named; the node tells `told` in place of the leaf of one. */
  grow(to: number, told: (number: number) => Uint8Array = leafOf, fork = 0): void {
    for (let number = Number(this.view.at(-1)?.chainIndex) + 1; number <= to; number += 1) {
      const block = { ...scannedBlock(number, fork), leafEnd: asLeafPosition(BigInt(number)) };
      if (this.truth.size() < BigInt(number)) this.truth.append(leafOf(number));
      const leaves = [told(number)];
      this.prover.append(leaves);
      this.#write(scannedBlock(number - 1).chainIndex, [block], leaves, null);
      this.view = [...this.view, block].slice(-RECENT);
    }
  }

  prove(): Promise<void> {
    return this.prover.prove(this.view, signal);
  }

  depthOf(blocks: bigint): bigint | null {
    const { ladder } = this.prover.depth;
    return ladder === null ? null : provedUpTo(ladder, blocks);
  }

  #write(
    common: ChainBlock["chainIndex"] | null,
    blocks: readonly ChainBlock[],
    leaves: readonly Uint8Array[],
    proof: ScanProof | null,
  ): void {
    this.#steps.commit((batch) => this.table.change(batch, common, blocks, { leaves, proof }));
  }

  #answer(question: string): Uint8Array {
    this.asked.push(question);
    if (this.isSilent) throw new SvcError("http/unavailable", { reason: "" });
    return new TextEncoder().encode(question);
  }

  /** Judges what `#answer` gave: every header of the chain holds. */
  #judge(): Pick<EvidenceJudge, "tip" | "opened"> {
    const tip: EvidenceJudge["tip"] = (_, { opening, run }) => {
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).split(" ");
      const [, of = ""] = text(opening);
      const [, from = "", to = ""] = text(run);
      const index = Number(numberOf(of));
      const [base, end] = [numberOf(from), numberOf(to)];
      const blocks = end - base;
      return {
        state: {
          ...{ block: asBlockHash(of), child: asBlockHash(from) },
          treeRoot: encodeHex(this.truth.root(BigInt(index))),
          ...{ nullifierRoot: "", cumulativeCoinbase: 0n, cumulativeFees: 0n, logCount: null },
          blueScore: null,
        } as never,
        product: null,
        work: {
          ...{ base: asBlockHash(from), tip: asBlockHash(to), blocks, bits: this.bits },
          work: (workOfBits(this.bits) * blocks).toString(16),
          ...{ blocksOfTip: blocks, timestamp: this.nowMs, daaScore: 0n },
          blueScore: end,
        } as never,
      };
    };
    return { tip, opened: tip };
  }
}

/** The number in a hash of `scannedBlock`, whatever its fork. */
function numberOf(hash: string): bigint {
  return BigInt(`0x${hash.slice(8)}`);
}

function genesis(): ChainBlock {
  return { ...scannedBlock(0), leafEnd: asLeafPosition(0n) };
}

describe("a prover", () => {
  it("proves block by block, with one opening and each header once", async () => {
    const model = new Model();
    model.begin();
    for (let block = 2; block <= 30; block += 1) {
      model.grow(block);
      await model.prove();
    }
    expect(model.depthOf(1n)).toBe(29n);
    expect(model.depthOf(10n)).toBe(20n);
    expect(model.prover.problem).toBeNull();
    const openings = model.asked.filter((question) => question.startsWith("opening"));
    expect(new Set(openings).size).toBe(openings.length);
  });

  it("goes on after a new start where it was, over a base that has moved", async () => {
    const model = new Model();
    model.begin();
    for (let block = 2; block <= 40; block += 1) {
      model.grow(block);
      await model.prove();
    }
    expect(model.table.read()?.base?.chainIndex).toBeGreaterThan(10n);
    expect([...model.table.leaves()].length).toBeLessThanOrEqual(2 * RECENT);
    model.prover = model.open();
    model.grow(44);
    await model.prove();
    expect(model.prover.problem).toBeNull();
    expect(model.depthOf(10n)).toBe(34n);
  });

  it("throws what the chain commits to where the node tells other notes, and names the last proved block", async () => {
    const model = new Model();
    model.begin();
    model.grow(5);
    await model.prove();
    for (const to of [8, 9, 11, 12]) {
      model.grow(to, (number) => leafOf(number, 1));
      await expect(model.prove()).rejects.toMatchObject({ code: "evidence/other-notes" });
      const proved = model.prover.lastProved(model.view);
      expect(proved?.chainIndex).toBe(5n);
      if (proved !== null) model.prover.doubt(proved);
      model.view = model.view.filter(({ chainIndex }) => chainIndex <= 5n);
    }
    model.grow(8);
    await model.prove();
    expect(model.prover.problem).toBeNull();
    expect(model.depthOf(1n)).toBe(7n);
  });

  it("goes on where another block took the place of the header that was judged last", async () => {
    const model = new Model();
    model.begin();
    model.grow(5);
    await model.prove();
    const [, , , , proved] = model.view;
    if (proved !== undefined) model.prover.doubt(proved);
    model.view = model.view.filter(({ chainIndex }) => chainIndex <= 4n);
    model.grow(7, leafOf, 1);
    model.asked.length = 0;
    await model.prove();
    expect(model.prover.problem).toBeNull();
    expect(model.asked.join()).not.toContain(scannedBlock(5).hash);
    expect(model.depthOf(1n)).toBe(6n);
  });

  it("says that nothing is shown after three questions in vain, and keeps what was proved", async () => {
    const model = new Model();
    model.begin();
    model.grow(5);
    await model.prove();
    model.isSilent = true;
    for (const block of [6, 7, 8]) {
      expect(model.prover.problem).toBeNull();
      model.grow(block);
      await model.prove();
    }
    expect(model.prover.problem?.code).toBe("evidence/not-shown");
    expect(model.depthOf(1n)).toBe(4n);
    model.isSilent = false;
    await model.prove();
    expect(model.prover.problem).toBeNull();
    expect(model.depthOf(1n)).toBe(7n);
  });

  it("knows nothing against a node, nor for it, before a look and while it will be asked once more", async () => {
    const model = new Model();
    model.begin();
    expect(model.prover.verdict).toBeUndefined();
    model.grow(4);
    await model.prove();
    expect(model.prover.verdict).toBeNull();
    model.grow(6);
    model.isSilent = true;
    await model.prove();
    expect(model.prover.verdict).toBeUndefined();
    await model.prove();
    await model.prove();
    expect(model.prover.verdict).toMatchObject({ code: "evidence/not-shown" });
    model.isSilent = false;
    await model.prove();
    expect(model.prover.verdict).toBeNull();
  });

  it("counts work anew at a node that shows states and not the run from the last one", async () => {
    const model = new Model();
    model.begin();
    model.grow(5);
    await model.prove();
    model.lacks = scannedBlock(5).hash;
    for (const block of [6, 7, 8, 9]) {
      model.grow(block);
      await model.prove();
    }
    expect(model.prover.problem).toBeNull();
    expect(model.depthOf(1n)).toBe(8n);
    expect(model.depthOf(5n)).toBeNull();
  });

  it("takes a run that ends below its header, as those of a block level do, and none that ends above it", async () => {
    const model = new Model();
    model.begin();
    model.grow(3);
    await model.prove();
    model.grow(8);
    model.short = 1;
    await model.prove();
    expect(model.prover.problem).toBeNull();
    model.short = -3;
    model.grow(9);
    await model.prove();
    expect(model.prover.problem).toMatchObject({ code: "evidence/other-header" });
  });

  it("names a tip that is older than any honest pause", async () => {
    const model = new Model();
    model.begin();
    model.grow(5);
    await model.prove();
    model.nowMs = asTimestampMs(NOW + 1_200_001n);
    expect(model.prover.problem?.code).toBe("evidence/stale-tip");
  });

  it("makes nothing deep where the program knows no work of the network, whatever is shown", async () => {
    const model = new Model();
    model.checkpoint = null;
    model.prover = model.open();
    model.begin();
    expect(model.prover.problem?.code).toBe("evidence/unknown-work");
    model.grow(300);
    await model.prove();
    expect(model.prover.end?.chainIndex).toBe(299n);
    expect(model.prover.verdict?.code).toBe("evidence/unknown-work");
    expect(model.prover.depth).toEqual({ tip: 300n, ladder: { believedTo: null, steps: [] } });
    // A release that knows it counts what was proved before.
    model.checkpoint = { bits: BITS, timestamp: asTimestampMs(0n) };
    model.prover = model.open();
    expect(model.prover.problem).toBeNull();
    const { ladder } = model.prover.depth;
    expect(ladder === null ? null : provedUpTo(ladder, 1n)).toBe(299n);
  });

  describe("that makes receipts", () => {
    /** A model in which these blocks paid; those of which a receipt was made have one. */
    function payingModel(...blocks: readonly number[]): Model {
      const model = new Model();
      const payments = {
        *open(state: bigint) {
          for (const block of blocks) {
            const row = paidNote(block, block);
            const last = model.made.findLast(({ paid }) => paid.index === row.index);
            const made = last === undefined ? null : { state: last.state, work: last.work };
            const base = model.table.read()?.base?.chainIndex ?? 0n;
            if (row.chainIndex > base && row.chainIndex <= state) yield { ...row, made };
          }
        },
      };
      const onFault = (error: SvcError): never => {
        throw error;
      };
      model.press = new ReceiptPress({ receipts: fakeReceipts(() => 1n), payments, onFault });
      model.prover = model.open();
      return model;
    }
    const shown = ({ made }: Model) =>
      made.map(({ bytes, state }) => [madeOf(bytes).payment, state, madeOf(bytes).opening]);

    it("makes each with the first state that covers the payment, out of what was shown to prove it", async () => {
      const model = payingModel(3, 4, 6);
      model.begin();
      for (const block of [4, 6, 8]) {
        model.grow(block);
        await model.prove();
      }
      expect(shown(model)).toEqual([
        [3, 3n, `opening ${scannedBlock(3).hash}`],
        [4, 4n, `opening ${scannedBlock(4).hash}`],
        [6, 6n, `opening ${scannedBlock(6).hash}`],
      ]);
    });

    it("asks for the same, whether there are payments or not", async () => {
      const asked = await Promise.all(
        [new Model(), payingModel(), payingModel(3, 4, 6, 20, 29)].map(async (model) => {
          model.begin();
          for (let block = 2; block <= 30; block += 1) {
            model.grow(block);
            await model.prove();
          }
          return model.asked;
        }),
      );
      expect(asked[1]).toEqual(asked[0]);
      expect(asked[2]).toEqual(asked[0]);
    });

    it("makes none of a state that is not the chain's, or that no evidence shows", async () => {
      const model = payingModel(3);
      model.begin();
      model.grow(5, (number) => leafOf(number, 1));
      await expect(model.prove()).rejects.toMatchObject({ code: "evidence/other-notes" });
      model.isSilent = true;
      await model.prove();
      expect(model.made).toEqual([]);
    });

    it("makes each once where it is killed between proof and database, and after", async () => {
      const model = payingModel(3);
      model.begin();
      model.grow(5);
      model.isFull = true;
      await expect(model.prove()).rejects.toMatchObject({ code: "store/commit-failed" });
      expect(model.made).toEqual([]);
      model.isFull = false;
      for (const _start of [1, 2]) {
        model.prover = model.open();
        await model.prove();
      }
      expect(shown(model).map(([payment]) => payment)).toEqual([3]);
    });

    it("reaches payments that came while it was away, before the base of its tree follows", async () => {
      const model = payingModel(3, 40);
      model.begin();
      model.grow(45);
      await model.prove();
      expect(shown(model).map(([payment]) => payment)).toEqual([3, 40]);
      expect(model.table.read()?.base?.chainIndex).toBeGreaterThan(30n);
    });
  });

  it("begins anew where a program that asks for nothing went on with the blocks", async () => {
    const model = new Model();
    model.begin();
    model.grow(5);
    await model.prove();
    const block = { ...scannedBlock(6), leafEnd: asLeafPosition(9n) };
    model.view = [...model.view, block];
    model.prover = model.open();
    expect(model.prover.depth).toEqual({ tip: null, ladder: { believedTo: 6n, steps: [] } });
  });
});
