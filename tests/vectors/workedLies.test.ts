/**
 * Liars with hash power, on a network with work, before each user of the core's judge: wallet, gateway, explorer and receipts refuse them by
 * the same code.
 */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { judgeRung } from "@svc/node-server/gateway/proof/judgeRung.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { asBlueScore } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { CoreJudge } from "@svc/shared/light/coreJudge.ts";
import { CoreReceipts } from "@svc/shared/light/coreReceipts.ts";
import type { TipEvidence } from "@svc/shared/light/evidencePort.ts";
import { takeEvidence } from "@svc/shared/wallet/sync/evidenceTaker.ts";
import { ChainModel, freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import { ModelEvidence, modelEvidence } from "@svc/shared/wallet/testkit/modelEvidence.ts";
import { FoldTree } from "@svc/shared/wallet/testkit/ports.ts";
import type { CheckContext } from "@svc/web/explorer/check/checkContext.ts";
import type { CheckSource } from "@svc/web/explorer/check/checkSource.ts";
import { chainStep } from "@svc/web/explorer/check/chain/chainStep.ts";
import { ChainTips } from "@svc/web/explorer/check/chain/chainTips.ts";
import { restEvidence } from "@svc/web/explorer/check/chain/restEvidence.ts";

const json = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const bytes = v.pipe(
  v.string(),
  v.transform((hex) => decodeHex(hex).slice()),
);
const told = v.object({
  name: v.string(),
  opening: bytes,
  run: bytes,
  code: v.nullable(v.string()),
});
const { chains } = v.parse(
  v.object({
    chains: v.array(v.object({ profile: v.record(v.string(), v.unknown()), told: v.array(told) })),
  }),
  json("worked-lies.json"),
);
const { receipt } = v.parse(v.object({ receipt: bytes }), json("receipt.json"));
const core = await loadCoreFile();
const NO_HASH = "ee".repeat(32);

type Chain = {
  readonly profileJson: string;
  readonly truth: TipEvidence;
  /** The run of the header that commits to the true state. */
  readonly header: Uint8Array;
};

/** The code that something is refused with; null for what is believed. */
async function refusal(use: () => unknown): Promise<string | null> {
  try {
    await use();
    return null;
  } catch (error) {
    return SvcError.from(error).code;
  }
}

/** The block whose state is shown, the one above it and the end of the run, as pages tell them. */
function placesOf({ profileJson, truth }: Chain) {
  const { state, work } = new CoreJudge(core, profileJson).tip(null, truth);
  const { birthday } = freshWallet().account;
  const block = { ...birthday, hash: state.block, blueScore: asBlueScore(work.blueScore - 21n) };
  const child = { ...birthday, hash: state.child, blueScore: asBlueScore(work.blueScore - 20n) };
  return { block, child, work, state };
}

/** A wallet whose pages have the blocks of the truth. */
function byWallet(chain: Chain, shown: TipEvidence): void {
  const { block, child } = placesOf(chain);
  const state = freshWallet();
  const source = new ModelEvidence(new ChainModel());
  const parts = {
    ...modelEvidence(source, source.model),
    judge: new CoreJudge(core, chain.profileJson),
    checkpoint: null,
  };
  const plan = { block, child: child.hash, tip: state.account.birthday };
  const asked = { type: "tip", reach: "near", start: null, drawn: [], due: asBlueScore(0n) } as const;
  const tree = new FoldTree(new Uint8Array());
  takeEvidence(parts, { state, tree }, { ...asked, plan, shown }, 0n);
}

/** A gateway, self-hosted or the scanner of a hosted one, which is shown the work since the state before. */
function byGateway(chain: Chain, since: TipEvidence): void {
  const { block, child, state, work } = placesOf(chain);
  const judge = new CoreJudge(core, chain.profileJson);
  const { bits, timestamp } = work;
  const from = {
    ...{ hash: block.hash, chainIndex: block.chainIndex, blueScore: block.blueScore },
    child: { hash: child.hash, blueScore: child.blueScore, bits, timestamp },
    total: 1n,
  };
  const rung = { block, child, treeRoot: state.treeRoot };
  const { opening } = chain.truth;
  judgeRung({ judge, floor: null }, rung, from, { opening, header: chain.header, since });
}

/** Who checks a receipt under a node's tip. */
function byReceipt({ profileJson }: Chain, tip: TipEvidence): void {
  new CoreReceipts(core, profileJson).checkInChain(receipt, { tip, membership: new Uint8Array() });
}

/** The explorer's page of the block whose state is shown; gives the code that its step names. */
async function byExplorer(chain: Chain, shown: TipEvidence): Promise<void> {
  const { block, child, work } = placesOf(chain);
  const score = String(block.blueScore);
  const named = {
    ...{ block: block.hash, child: child.hash, sink: work.tip, blocks: String(work.blocks) },
    ...{ blueScore: score, sinkBlueScore: String(work.blueScore), logCount: null },
    ...{ sinkDaaScore: String(work.daaScore), sinkTimestamp: "0", securityFork: null },
  };
  const supply = {
    ...{ block: block.hash, child: child.hash },
    ...{ daaScore: "1", blueScore: "1", nullifierCount: "0" },
    state: {
      ...{ treeRoot: NO_HASH, nullifierRoot: NO_HASH, burnRoot: NO_HASH },
      ...{ anchorCommitment: NO_HASH, cumulativeCoinbase: "1", cumulativeFees: "1" },
      ...{ devAccrued: "1", slot: { scriptVersion: 0, script: "", amount: "0" } },
    },
    frontier: { size: "0", leaf: NO_HASH, ommers: [] },
  };
  const source: CheckSource = {
    json: async () => supply,
    bytes: () => Promise.reject(new SvcError("http/not-found", { path: "" })),
    evidence: async (path) => {
      if (path.startsWith("/evidence/opening")) return shown.opening.slice();
      if (path.startsWith("/evidence/run")) return shown.run.slice();
      return new TextEncoder().encode(JSON.stringify(named));
    },
  };
  const nowMs = () => BigInt(work.timestamp);
  const context: CheckContext = {
    ...{ core, source, nowMs, tips: new ChainTips(restEvidence(source), nowMs) },
    ...{ profileJson: chain.profileJson, profileDigest: NO_HASH, hrp: "svcsim" },
    ...{ networkName: "worked", isKnownNetwork: false },
  };
  const step = await chainStep(
    context,
    {
      ...{ hash: block.hash, parents: [[NO_HASH]], bits: work.bits, daaScore: score },
      ...{ timestamp: String(work.timestamp), blueScore: score },
    },
    "block",
  );
  if (step.outcome !== "ok") throw SvcError.fromJson({ code: step.found ?? step.reason, data: {} });
}

const USERS: readonly [string, (chain: Chain, shown: TipEvidence) => unknown][] = [
  ["a wallet", byWallet],
  ["a gateway", byGateway],
  ["the explorer", byExplorer],
  ["a receipt", byReceipt],
];

/** What the truth is held against next, by chain: pages, scan, path and receipt here are of another one. */
const NEXT_CHECKS: readonly (readonly (string | null)[])[] = [
  ["evidence/other-header", "evidence/other-header", "codec/version", "evidence/other-network"],
  ["evidence/other-header", "evidence/other-header", null, "evidence/other-network"],
];

function chainOf({ profile, told }: (typeof chains)[number], index: number) {
  const [truth, header, ...lies] = told;
  if (truth === undefined || header === undefined) throw new Error("the truth comes first");
  const chain: Chain = { profileJson: JSON.stringify(profile), truth, header: header.run };
  return { chain, lies, next: NEXT_CHECKS[index] };
}

describe.each(chains.map(chainOf))("on a chain with work, %#", ({ chain, lies, next }) => {
  it.each(lies)("$name is refused by each user of the judge", async ({ name, code, ...lie }) => {
    expect(code).not.toBeNull();
    for (const [user, judged] of USERS) {
      // oxlint-disable-next-line no-await-in-loop -- one user after another
      expect([name, user, await refusal(() => judged(chain, lie))]).toEqual([name, user, code]);
    }
  });

  it("the truth is not refused by its work", async () => {
    const found: (string | null)[] = [];
    for (const [, judged] of USERS) {
      // oxlint-disable-next-line no-await-in-loop -- one user after another
      found.push(await refusal(() => judged(chain, chain.truth)));
    }
    expect(found).toEqual(next);
  });
});
