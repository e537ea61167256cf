/**
 * What a visitor's browser recomputes, against a whole node: true answers pass, and of every altered answer the check names what
 * differs. The node's blocks hold real payments.
 */
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { readComputedHashes } from "@svc/shared/protocol/facts/computedHashes.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import { writePaymentProof, type PaymentProof } from "@svc/shared/signer/paymentProof.ts";
import { auditSupply, auditSupplyAt } from "@svc/web/explorer/check/auditSupply.ts";
import { checkBlock } from "@svc/web/explorer/check/checkBlock.ts";
import { FalseNetwork, openContext, orNone } from "@svc/web/explorer/check/checkContext.ts";
import { missingOf, verdictOf } from "@svc/web/explorer/check/checkReport.ts";
import { restSource, type CheckSource } from "@svc/web/explorer/check/checkSource.ts";
import { checkDisclosure } from "@svc/web/explorer/check/checkPasted.ts";
import { checkTransaction } from "@svc/web/explorer/check/checkTransaction.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { disclosedPayment } from "./disclosedPayment.ts";
import {
  contextOf,
  differing,
  lyingSource,
  openSteps,
  proven,
  rewritten,
  withHeader,
  type Lie,
} from "./lyingSource.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const fixture = readPaymentFixture();
const core = await loadCoreFile();
let node: RunningNode;
let honest: CheckSource;
/** The block with the payment, the chain block that applied it, and the one above. */
let [carrier, accepting, above] = ["", "", ""];
const { txid } = fixture.payment("plain");
beforeAll(async () => {
  node = await startTestNode(null, {
    network: { name: fixture.profile },
    index: "on",
    clock: new ManualClock(fixture.firstBlockMs + 1_000_000n),
  });
  const hashes: string[] = [];
  for (const raw of fixture.trunk) {
    await node.api.submitBlock(raw, never);
    hashes.push(readComputedHashes(core.computeHashes(raw)).hash);
  }
  [carrier = "", accepting = "", above = ""] = hashes.slice(fixture.forkIndex);
  honest = restSource(`${node.httpAddress}/api`);
  // The index follows the chain at its own pace.
  const status = async () => {
    const told = await orNone(honest.json(`/transactions/${txid}`)).catch(() => null);
    return Object(told)["status"];
  };
  await vi.waitUntil(async () => (await status()) === "applied", { timeout: STEP_HANG_MS });
});
afterAll(async () => {
  await node?.stop();
});
/** What a check starts from before a server that lies so. */
const lied = (lie: Lie) => contextOf(lyingSource(honest, lie));
const blockLies = async (lie: Lie, hash = carrier) =>
  differing(await checkBlock(await lied(lie), hash));
const transactionLies = async (lie: Lie) =>
  differing(await checkTransaction(await lied(lie), txid));

describe("an honest node", () => {
  it("passes the check of a block with a payment, and of every field that is shown of it", async () => {
    const report = await checkBlock(await contextOf(honest), carrier);
    expect(differing(report)).toEqual([]);
    expect(new Set(proven(report))).toEqual(
      new Set([
        ...["bytes", "headerHash", "merkleRoot", "network", "version", "coinbase", "subsidy"],
        ...["document", "mergeset", "blueCount", "judged"],
        // What ties those three to headers.
        ...["parent", "sequencing", "stateBefore", "child", "stateAfter", "minted", "treeGrowth"],
      ]),
    );
    expect(openSteps(report)).toEqual([
      "onChain: noWork",
      "work: notAsked",
      "ancestry: oneBlock",
      "place: onlyTheChain",
      // Of its selected parent, and of the block above.
      ...["work: notAsked", "work: notAsked"],
      "chain: onlyTheChain",
    ]);
    expect(report.facts?.transactions.map((one) => one.txid)).toContain(txid);
  });

  it("passes the check of every block of its chain", async () => {
    const context = await contextOf(honest);
    let hash = above;
    while (hash !== fixture.genesis) {
      const report = await checkBlock(context, hash);
      expect([hash, differing(report)]).toEqual([hash, []]);
      hash = report.facts?.parents[0]?.[0] ?? fixture.genesis;
    }
    expect(differing(await checkBlock(context, fixture.genesis))).toEqual([]);
  });

  it("proves that a payment was carried, accepted and applied", async () => {
    const report = await checkTransaction(await contextOf(honest), txid);
    expect(differing(report)).toEqual([]);
    for (const step of [
      ...["carried", "sequencing", "accepted", "stateBefore", "stateAfter", "treeGrowth"],
      ...["outcome", "document"],
    ]) {
      expect(proven(report)).toContain(step);
    }
    expect(report.steps.find(({ step }) => step === "outcome")?.found).toBe("applied");
    expect(openSteps(report)).toContain("chain: onlyTheChain");
  });

  it("proves the supply after a block, and says what it does not show", async () => {
    const report = await auditSupplyAt(await contextOf(honest), accepting);
    expect(differing(report)).toEqual([]);
    expect(report.figures).toMatchObject({ unexplained: "0" });
    expect(proven(report)).toEqual(
      expect.arrayContaining(["statePreimage", "noteCount", "pool", "schedule"]),
    );
    expect(openSteps(report)).toContain("hiddenValues: noChainShows");
  });

  it("has the supply of the block below the tip audited, since nothing commits to the tip's yet", async () => {
    const report = await auditSupply(await contextOf(honest));
    expect(differing(report)).toEqual([]);
    expect(proven(report)).toContain("statePreimage");
    expect(verdictOf("supply", report)).toBe("partly");
    expect(openSteps(report)).toEqual(
      expect.arrayContaining(["document: newest", "supply: newest"]),
    );
    const { blockHash } = Object(await honest.json("/info/shielded"));
    expect(report.at).not.toBeNull();
    expect(report.at?.block).not.toBe(blockHash);
  });

  it("has a block and a payment checked whole", async () => {
    const context = await contextOf(honest);
    expect(verdictOf("block", await checkBlock(context, carrier))).toBe("ok");
    expect(verdictOf("transaction", await checkTransaction(context, txid))).toBe("ok");
  });
});

describe("a lying node is seen", () => {
  const shown = (path: string, alter: (document: Record<string, never>) => unknown): Lie => ({
    json: (asked, document) => (asked === path ? (alter(document), document) : document),
  });
  const header = (over: Record<string, unknown>): Lie =>
    shown(`/blocks/${carrier}`, (document) => Object.assign(Object(document["header"]), over));
  const bytes = (
    hash: string,
    alter: (own: Uint8Array) => Uint8Array | Promise<Uint8Array>,
  ): Lie => ({
    bytes: (path, own) => (path === `/blocks/${hash}/bytes` ? alter(own) : own),
  });

  it.each([
    ["timestamp", 1_700_000_000_000],
    ["bits", 0x1b02d093],
    ["nonce", "77"],
    ["daaScore", "9"],
    ["blueScore", "9"],
    ["blueWork", "ffff"],
    ["hashMerkleRoot", "ab".repeat(32)],
    ["acceptedIdMerkleRoot", "ab".repeat(32)],
    ["pruningPoint", "ab".repeat(32)],
    ["parents", []],
  ])("about the %s that it shows of a block", async (field, value) => {
    expect(await blockLies(header({ [field]: value }))).toEqual([`shown ${field}`]);
  });

  it("about the transactions that it shows of a block", async () => {
    const removed = shown(`/blocks/${carrier}`, (document) => {
      Object(document["verboseData"]).transactionIds = [];
    });
    expect(await blockLies(removed)).toEqual(["shown transactionIds"]);
    const more = shown(`/blocks/${carrier}`, (document) => {
      Object(document["transactions"])[0].outputs[0].amount += 1;
    });
    expect(await blockLies(more)).toEqual(["shown transactions"]);
  });

  it("about an address, the kind of a transaction and the difficulty that it shows of a block", async () => {
    const lie = shown(`/blocks/${carrier}`, (document) => {
      const [coinbase, payment] = Object(document["transactions"]);
      coinbase.outputs[0].verboseData.scriptPublicKeyAddress = "somebody";
      payment.shielded = false;
      Object(document["verboseData"]).difficulty = 77;
    });
    expect(await blockLies(lie)).toEqual(["shown difficulty", "shown addresses", "shown shielded"]);
  });

  it("about an address and the size that it shows of a transaction", async () => {
    const { verboseData } = Object(await honest.json(`/blocks/${carrier}`));
    const [coinbase = ""] = verboseData.transactionIds;
    const lie = shown(`/transactions/${coinbase}`, (document) => {
      Object.assign(document, { size: 5 });
      Object(document["outputs"])[0].script_public_key_address = "somebody";
    });
    const report = await checkTransaction(await lied(lie), coinbase);
    expect(differing(report)).toEqual(["shown size", "shown addresses"]);
    const whole = await checkTransaction(await contextOf(honest), coinbase);
    expect(differing(whole)).toEqual([]);
  });

  it("about the miner, the kind of work and the selected parent that it shows", async () => {
    const lie = shown(`/blocks/${carrier}`, (document) => {
      Object.assign(Object(document["extra"]), {
        minerAddress: "somebody",
        minerInfo: "a large pool",
        work: "native",
      });
      Object.assign(Object(document["verboseData"]), { selectedParentHash: "ab".repeat(32) });
    });
    expect(await blockLies(lie)).toEqual([
      "shown selectedParentHash",
      "shown work",
      "shown minerAddress",
      "shown minerInfo",
    ]);
  });

  it("with an altered timestamp in the bytes", async () => {
    const lies = await blockLies(bytes(carrier, withHeader({ nonce: 5n })));
    expect(lies).toEqual(["block headerHash", "shown block_hash", "shown hash", "shown nonce"]);
  });

  it("with the header of another block", async () => {
    const lies = await blockLies(bytes(carrier, () => honest.bytes(`/blocks/${accepting}/bytes`)));
    expect(lies).toContain("block headerHash");
  });

  it("with swapped transactions", async () => {
    const swap = rewritten((block) => ({
      ...block,
      transactions: block.transactions.toReversed(),
    }));
    expect(await blockLies(bytes(carrier, swap))).toContain("block merkleRoot");
  });

  it("with an added transaction", async () => {
    const add = rewritten((block) => ({
      ...block,
      transactions: [...block.transactions, ...block.transactions.slice(1)],
    }));
    expect(await blockLies(bytes(carrier, add))).toContain("block merkleRoot");
  });

  it("with a removed transaction", async () => {
    const cut = rewritten((block) => ({ ...block, transactions: block.transactions.slice(0, 1) }));
    expect(await blockLies(bytes(carrier, cut))).toContain("block merkleRoot");
  });

  it("with truncated bytes", async () => {
    expect(await blockLies(bytes(carrier, (own) => own.slice(0, -1)))).toEqual(["block bytes"]);
  });

  it("with an applied payment shown as dropped by nobody", async () => {
    const lie = shown(`/transactions/${txid}`, (document) =>
      Object.assign(document, {
        status: "dropped",
        is_accepted: false,
        accepting_block_hash: null,
        accepting_block_blue_score: null,
        accepting_block_time: null,
      }),
    );
    // The block that merged it is asked of the block that carries it.
    expect(await transactionLies(lie)).toEqual(["transaction outcome"]);
  });

  it("with an applied payment shown as dropped", async () => {
    const lie = shown(`/transactions/${txid}`, (document) =>
      Object.assign(document, { status: "dropped", is_accepted: false }),
    );
    expect(await transactionLies(lie)).toEqual(["transaction outcome"]);
  });

  it("with a payment that it calls accepted and not applied at once", async () => {
    const lie = shown(`/transactions/${txid}`, (document) =>
      Object.assign(document, { is_accepted: false }),
    );
    expect(await transactionLies(lie)).toEqual(["shown is_accepted"]);
  });

  it("with another fee, another size and more actions of a payment", async () => {
    const lie = shown(`/transactions/${txid}`, (document) =>
      Object.assign(document, { fee: "1", actions: 9, size: 5 }),
    );
    expect(await transactionLies(lie)).toEqual(["shown size", "shown actions", "shown fee"]);
  });

  it("with another time of acceptance", async () => {
    const lie = shown(`/transactions/${txid}`, (document) =>
      Object.assign(document, { accepting_block_time: 5 }),
    );
    expect(await transactionLies(lie)).toEqual(["shown accepting_block_time"]);
  });

  it("with another transaction in its place", async () => {
    const lie = shown(`/transactions/${txid}`, (document) =>
      Object.assign(document, { transaction_id: "ab".repeat(32) }),
    );
    expect(await transactionLies(lie)).toEqual(["shown transaction_id"]);
  });

  it("with an applied payment left out of what the block applied", async () => {
    const lie = shown(`/blocks/${accepting}/acceptance`, (document) =>
      Object.assign(document, { applied: [] }),
    );
    expect(await transactionLies(lie)).toEqual(["accepting treeGrowth"]);
  });

  it("which hides the block that commits to the effect: an accepted payment is not proven applied", async () => {
    const hidden = shown(`/blocks/${accepting}/acceptance`, (document) =>
      Object.assign(document, { child: null }),
    );
    const report = await checkTransaction(await lied(hidden), txid);
    expect(differing(report)).toEqual([]);
    expect(verdictOf("transaction", report)).toBe("partly");
    expect(missingOf("transaction", report).map(({ step }) => step)).toEqual(["outcome"]);
  });

  it("which withholds the bytes of that block, or the proof", async () => {
    const without = (path: string): CheckSource => ({
      json: (asked) => honest.json(asked === path ? `${asked}-none` : asked),
      bytes: (asked) => honest.bytes(asked === path ? `${asked}-none` : asked),
      evidence: honest.evidence,
    });
    for (const path of [`/blocks/${above}/bytes`, `/blocks/${accepting}/acceptance`]) {
      const report = await checkTransaction(await contextOf(without(path)), txid);
      expect([path, verdictOf("transaction", report)]).toEqual([path, "partly"]);
    }
    const shield = { ...Object(await honest.json("/info/shielded")), blockHash: accepting };
    const report = await auditSupply(await contextOf(without(`/blocks/${above}/bytes`)), shield);
    expect(verdictOf("supply", report)).not.toBe("ok");
    expect([report.figures, report.at]).toEqual([null, null]);
    expect(proven(report)).not.toContain("schedule");
  });

  it("with the supply proof of another block", async () => {
    const { blockHash } = Object(await honest.json("/info/shielded"));
    const other = Object(await honest.json(`/info/supply/${accepting}`));
    const lie = shown(`/info/supply/${blockHash}`, (document) => Object.assign(document, other));
    await expect(auditSupply(await lied(lie))).rejects.toThrow(/codec\/bad-json/);
  });

  it("with an accepted id left out", async () => {
    const lie = shown(`/blocks/${accepting}/acceptance`, (document) =>
      Object(document["accepted"]).pop(),
    );
    expect(await transactionLies(lie)).toContain("accepting sequencing");
  });

  it("with another accepting block", async () => {
    const lie = shown(`/transactions/${txid}`, (document) =>
      Object.assign(document, { accepting_block_hash: above }),
    );
    const lies = await transactionLies(lie);
    expect(lies).toContain("accepting accepted");
  });

  it("with supply numbers of its own", async () => {
    const { blockHash } = v.parse(
      v.looseObject({ blockHash: v.string() }),
      await honest.json("/info/shielded"),
    );
    expect(blockHash).not.toBe(accepting);
    const pool = Object(await honest.json(`/info/supply/${accepting}`));
    const told = {
      ...Object(await honest.json("/info/shielded")),
      blockHash: accepting,
      anchor: pool.state.treeRoot,
      blueScore: pool.blueScore,
      daaScore: pool.daaScore,
      noteCount: Number(pool.frontier.size),
      turnstileIn: pool.state.cumulativeCoinbase,
    };
    const context = await contextOf(honest);
    const sum = BigInt(pool.state.cumulativeCoinbase) - BigInt(pool.state.cumulativeFees);
    const coins = {
      circulatingSupply: String(sum),
      maxSupply: null,
      emissionModel: "perpetual-tail",
    };
    const whole = await auditSupply(context, told, coins);
    expect(differing(whole)).toEqual([]);
    expect(verdictOf("supply", whole)).toBe("ok");
    expect(whole.at).toEqual({ block: accepting, daaScore: pool.daaScore });
    const coined = { ...coins, circulatingSupply: String(sum + 1n) };
    expect(verdictOf("supply", await auditSupply(context, told, coined))).toBe("partly");
    const more = { ...told, turnstileIn: String(BigInt(told.turnstileIn) + 1n), noteCount: 1 };
    expect(differing(await auditSupply(context, more))).toEqual([
      "shown turnstileIn",
      "shown noteCount",
    ]);
    const burned = { ...told, turnstileOut: "1" };
    expect(differing(await auditSupply(context, burned))).toEqual(["shown burned"]);
    expect(proven(whole)).toContain("burned");
    expect(openSteps(whole)).toContain("emission: byRules");
  });

  it("with an altered pre-image of the state", async () => {
    const lie = shown(`/info/supply/${accepting}`, (document) => {
      Object(document["state"]).cumulativeCoinbase = "1";
    });
    const report = await auditSupplyAt(await lied(lie), accepting);
    expect(differing(report)).toContain("child statePreimage");
    expect(differing(report)).toContain("supply schedule");
  });

  it("with the profile of another network under this one's name", async () => {
    const lie = shown("/info/profile", (document) =>
      Object.assign(Object(document["genesis"]), { nonce: 9 }),
    );
    const context = await openContext(core, lyingSource(honest, lie));
    expect(context).toBeInstanceOf(FalseNetwork);
    expect(context).toMatchObject({ steps: [{ step: "profile", outcome: "differs" }] });
  });

  it("with another known network in place of its own", async () => {
    const other = JSON.parse(core.builtInProfile("mainnet"));
    const context = await contextOf(
      lyingSource(honest, { json: (path, own) => (path === "/info/profile" ? other : own) }),
    );
    const lies = differing(await checkBlock(context, carrier));
    expect(lies).toContain("block network");
    expect(lies).toContain("block work");
  });

  it("without the bytes, which is no proof of anything", async () => {
    const refusing: CheckSource = { ...honest, bytes: (path) => honest.bytes(`${path}-none`) };
    const report = await checkBlock(await contextOf(refusing), carrier);
    expect(openSteps(report)).toEqual(["bytes: notServed"]);
  });
});

describe("a disclosure", () => {
  const disclosed = () => disclosedPayment(node, txid);

  it("shows payee, amount and memo, and that the payment moved value", async () => {
    const proof = await disclosed();
    const context = await contextOf(honest);
    const report = await checkDisclosure(context, writePaymentProof(proof), txid.toUpperCase());
    expect(differing(report)).toEqual([]);
    const { amount, memo } = fixture.payment("plain");
    expect(report.disclosed).toEqual({
      txid,
      address: fixture.owners.bob.address,
      value: String(amount),
      memo,
    });
    expect(proven(report)).toEqual(expect.arrayContaining(["payment", "outcome"]));
    expect([report.effect, verdictOf("disclosure", report)]).toEqual(["applied", "ok"]);
  });

  it("of a payment that nothing proves applied is no proof that anybody was paid", async () => {
    const proof = await disclosed();
    const included: Lie = {
      json: (path, document) =>
        path === `/transactions/${txid}`
          ? Object.assign(document, { status: "included", is_accepted: false })
          : document,
    };
    const hidden: Lie = {
      json: (path, document) =>
        path.endsWith("/acceptance") ? Object.assign(document, { child: null }) : document,
    };
    for (const lie of [included, hidden]) {
      const report = await checkDisclosure(await lied(lie), writePaymentProof(proof), "");
      expect([report.effect, verdictOf("disclosure", report)]).toEqual(["open", "partly"]);
    }
  });

  it("of another amount, another payee or another transaction is refused", async () => {
    const proof = await disclosed();
    const context = await contextOf(honest);
    const check = async (over: Partial<PaymentProof>, asked = "") => {
      const text = writePaymentProof({ ...proof, ...over });
      return differing(await checkDisclosure(context, text, asked));
    };
    expect(await check({ value: asSompi(1n) })).toEqual(["disclosure payment"]);
    const { recipient } = fixture.owners.carol;
    expect(await check({ recipient })).toEqual(["disclosure payment"]);
    expect(await check({}, "ab".repeat(32))).toEqual(["disclosure txid"]);
    expect(differing(await checkDisclosure(context, "{}", ""))).toEqual(["disclosure form"]);
    expect(differing(await checkDisclosure(context, "9".repeat(100_000), ""))).toEqual([
      "disclosure form",
    ]);
  });
});
