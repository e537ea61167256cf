/** Drawn payments that a node made up, under headers that nobody mined: found by where their blocks stand, named and undone. */
import { describe, expect, it } from "vitest";
import { asBlockHash, type BlockHash } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { ChainModel } from "../testkit/chainModel.ts";
import { longStory } from "../testkit/evidenceLies.ts";
import { ModelEvidence } from "../testkit/modelEvidence.ts";
import { first, PAID_AT, running, TOTAL } from "../testkit/opinionRun.ts";
import { BESIDE, veiledBeside } from "../testkit/secondNode.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** Evidence of the true chain by a node that tells a block which nobody mined; `path` is what it says of where that one stands. */
class BesideEvidence extends ModelEvidence {
  readonly #path: (at: BlockHash) => Promise<Uint8Array>;

  constructor(truth: ChainModel, path: (at: BlockHash) => Promise<Uint8Array>) {
    super(truth);
    this.#path = path;
  }

  override async membership(of: BlockHash, at: BlockHash): Promise<Uint8Array> {
    return of === BESIDE ? this.#path(at) : super.membership(of, at);
  }

  override async run(from: BlockHash, to: BlockHash): Promise<Uint8Array> {
    const there = from === BESIDE ? trueHash(this.model) : from;
    return super.run(there, to);
  }
}

function trueHash(truth: ChainModel): BlockHash {
  return asBlockHash(truth.at(PAID_AT)?.hash ?? "");
}

describe("a drawn payment under a header that nobody mined", () => {
  it("is found when evidence covers its block, and undone", async () => {
    const truth = longStory();
    const honest = new ModelEvidence(truth);
    const shown = new BesideEvidence(truth, (at) => honest.membership(trueHash(truth), at));
    const own = veiledBeside(truth, PAID_AT);
    const run = await running(truth, { own, draw: first, shown, hasForgedHeaders: true });
    expect(await run.look()).toBe("evidence/other-payload");
    expect([run.total(), run.said()]).toEqual([0n, "evidence/other-payload"]);

    run.node.model = truth;
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, null]);
  });

  it("is said not to be shown where the node has no place for its block", async () => {
    const truth = longStory();
    const shown = new BesideEvidence(truth, async () => {
      throw new SvcError("evidence/not-member", { index: 0n, count: 0n });
    });
    const own = veiledBeside(truth, PAID_AT);
    const run = await running(truth, { own, draw: first, shown, hasForgedHeaders: true });
    const said: unknown[] = [];
    for (let look = 0; look < WALLET_LIMITS.evidenceTries; look += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      expect(await run.look()).toBeNull();
      said.push(run.said());
      truth.addEmpty(20);
      run.node.model = veiledBeside(truth, PAID_AT);
    }
    expect(said).toEqual([null, null, "evidence/not-shown"]);
  });

  it("is said not to be shown where the node shows the place of no block at all", async () => {
    const truth = longStory();
    const shown = new BesideEvidence(truth, async () => new Uint8Array());
    shown.membership = async () => {
      throw new SvcError("chain/pruned", { hash: "" });
    };
    const run = await running(truth, { own: truth, draw: first, shown });
    const said: unknown[] = [];
    for (let look = 0; look < WALLET_LIMITS.evidenceTries + 1; look += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      expect(await run.look()).toBeNull();
      said.push(run.said());
      truth.addEmpty(20);
      truth.add({ txs: [{ txid: truth.txid() }], foreignLeaves: 2 });
    }
    expect(said).toEqual([null, null, "evidence/not-shown", "evidence/not-shown"]);
  });

  it("is undone, too, where all else was proved above its block before", async () => {
    const truth = longStory();
    const honest = new ModelEvidence(truth);
    let isRefused = true;
    const shown = new BesideEvidence(truth, async (at) => {
      if (isRefused) throw new SvcError("chain/pruned", { hash: BESIDE });
      return honest.membership(trueHash(truth), at);
    });
    const own = veiledBeside(truth, PAID_AT);
    const run = await running(truth, { own, draw: first, shown, hasForgedHeaders: true });
    expect(await run.look()).toBeNull();
    expect(run.sync.state.proof.near?.chainIndex).toBeGreaterThan(BigInt(PAID_AT));

    isRefused = false;
    truth.addEmpty(20);
    run.node.model = veiledBeside(truth, PAID_AT);
    expect(await run.look()).toBe("evidence/other-payload");
    expect(run.sync.state.blocks.at(-1)?.chainIndex).toBe(BigInt(PAID_AT - 1));
    run.node.model = truth;
    expect(await run.look()).toBeNull();
    expect([run.total(), run.said()]).toEqual([TOTAL, null]);
  });

  it("ends no fault of the node: only one whose block is shown does", async () => {
    const truth = longStory();
    const honest = new ModelEvidence(truth);
    const shown = new BesideEvidence(truth, (at) => honest.membership(trueHash(truth), at));
    const own = veiledBeside(truth, PAID_AT);
    const run = await running(truth, { own, draw: first, shown, hasForgedHeaders: true });
    for (let look = 0; look < 3; look += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      expect(await run.look()).toBe("evidence/other-payload");
      expect(run.said()).toBe("evidence/other-payload");
    }
  });

  it("from before the log is found by the run that begins at its block", async () => {
    const truth = longStory();
    truth.addEmpty(Number(WALLET_LIMITS.evidenceFarDepth));
    const shown = new BesideEvidence(truth, async () => new Uint8Array());
    const begin = { draw: first, shown, hasForgedHeaders: true, hasLog: false };
    const run = await running(truth, { own: veiledBeside(truth, PAID_AT), ...begin });
    expect(await run.look()).toBe("evidence/other-payload");
    expect(run.total()).toBe(0n);

    const fair = await running(truth, { own: truth, ...begin });
    expect(await fair.look()).toBeNull();
    expect([fair.total(), fair.said()]).toEqual([TOTAL, null]);
    expect(fair.sync.state.proof.far?.chainIndex).toBe(BigInt(PAID_AT - 1));
    expect(shown.asked.some((asked) => asked.startsWith(`run ${trueHash(truth)}`))).toBe(true);
  });
});
