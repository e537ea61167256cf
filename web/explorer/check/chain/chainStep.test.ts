/** The step "on the chain" over the recorded evidence: what a truthful server shows, and what is said of one that lies or is silent. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readMemberFacts, readWorkFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";
import type { CheckContext } from "../checkContext.ts";
import type { CheckSource } from "../checkSource.ts";
import { chainStep, type ChainBlock } from "./chainStep.ts";
import { ChainTips } from "./chainTips.ts";
import { restEvidence } from "./restEvidence.ts";

const VECTORS = new URL("../../../../tests/vectors/", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, VECTORS), "utf8");
const bytes = v.pipe(
  v.string(),
  v.transform((hex) => decodeHex(hex).slice()),
);
const told = v.parse(
  v.object({
    profile: v.string(),
    tip: v.object({ block: v.string(), tip: v.string(), opening: bytes, run: bytes }),
    older: v.object({ membership: bytes, opening: bytes }),
  }),
  JSON.parse(text("evidence.json")),
);
const profile: Record<string, unknown> = JSON.parse(text(told.profile));
const core = await loadCoreFile();
const judge = new core.EvidenceJudge(JSON.stringify(profile), undefined, 0);
const proved = judge.tip(told.tip.opening, told.tip.run);
const work = readWorkFacts(proved.work());
const member = readMemberFacts(judge.member(proved, told.older.membership));
proved.free();
judge.free();

const OTHER = "ee".repeat(32);
const [DAA, SINK] = ["300", "9000"];
const NAMED = {
  block: told.tip.block,
  child: work.base,
  sink: work.tip,
  blueScore: String(BigInt(member.blueScore) + 30n),
  sinkBlueScore: SINK,
  sinkDaaScore: DAA,
  sinkTimestamp: "0",
  blocks: String(work.blocks),
  logCount: "329",
  securityFork: "0",
};
const BLOCK: ChainBlock = {
  hash: member.block,
  parents: [[member.parent]],
  bits: work.bits,
  timestamp: String(work.timestamp),
  daaScore: DAA,
  blueScore: String(member.blueScore),
};

type Served = (path: string) => Uint8Array | Promise<Uint8Array>;
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const truth: Served = (path) => {
  if (path.startsWith("/evidence/tip")) return json(NAMED);
  if (path.startsWith("/evidence/opening")) return told.tip.opening;
  if (path.startsWith("/evidence/run")) return told.tip.run;
  return told.older.membership;
};
/** A server that answers otherwise below a path. */
const lying =
  (piece: string, answer: Served): Served =>
  (path) =>
    path.startsWith(`/evidence/${piece}`) ? answer(path) : truth(path);
const refusing = (piece: string, error: SvcError): Served =>
  lying(piece, () => Promise.reject(error));

class Server {
  readonly asked: string[] = [];
  nowMs = BigInt(work.timestamp);
  readonly context: CheckContext;

  constructor(serve: Served = truth, rules: object = {}) {
    const evidence = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
      this.asked.push(path);
      return (await serve(path)).slice();
    };
    const supply = {
      block: member.block,
      child: work.base,
      ...{ daaScore: "1", blueScore: "1", nullifierCount: "0" },
      state: {
        ...{ treeRoot: OTHER, nullifierRoot: OTHER, burnRoot: OTHER, anchorCommitment: OTHER },
        ...{ cumulativeCoinbase: "1", cumulativeFees: "1", devAccrued: "1" },
        slot: { scriptVersion: 0, script: "", amount: "0" },
      },
      frontier: { size: "0", leaf: null, ommers: [] },
    };
    const source: CheckSource = {
      json: async (path) => {
        this.asked.push(path);
        return supply;
      },
      bytes: () => Promise.reject(new SvcError("http/not-found", { path: "" })),
      evidence,
    };
    const nowMs = () => this.nowMs;
    this.context = {
      ...{ core, source, nowMs, tips: new ChainTips(restEvidence(source), nowMs) },
      profileJson: JSON.stringify({ ...profile, ...rules }),
      ...{ profileDigest: OTHER, hrp: "svcsim", networkName: "simulated", isKnownNetwork: false },
    };
  }

  step(over: Partial<ChainBlock> = {}) {
    return chainStep(this.context, { ...BLOCK, ...over }, "block");
  }
}

describe("a block of the chain", () => {
  it("is shown with its number, the blocks above it, and the work that was recomputed", async () => {
    const server = new Server();
    const number = member.index + 1n;
    expect(await server.step()).toEqual({
      subject: "block",
      step: "onChain",
      outcome: "ok",
      reason: "inLog",
      place: {
        number: String(number),
        isSinceFork: false,
        above: String(329n - number + 1n + work.blocks),
        workMs: String(work.blocksOfTip * 1_000n),
      },
    });
    const { block, child, sink } = NAMED;
    expect(server.asked).toEqual([
      `/evidence/tip?depth=${PAGE_LIMITS.checkTipBlocks}`,
      `/evidence/opening?of=${block}`,
      `/evidence/run?from=${child}&to=${sink}`,
      `/evidence/membership?of=${member.block}&at=${block}`,
    ]);
  });

  it("is found under the tip that was asked for before, for a minute", async () => {
    const server = new Server();
    const asks = async () => {
      server.asked.splice(0);
      await server.step();
      return server.asked.length;
    };
    expect(await asks()).toBe(4);
    expect(await asks()).toBe(1);
    server.nowMs += BigInt(PAGE_LIMITS.checkTipKeptMs);
    expect(await asks()).toBe(4);
    // A clock that was set back keeps nothing for longer.
    server.nowMs -= 1n;
    expect(await asks()).toBe(4);
  });

  it("that is younger than the state is looked for under a later one, as deep as it may be", async () => {
    const server = new Server();
    const depths = (under: bigint) => async () => {
      server.asked.splice(0);
      const step = await server.step({ blueScore: String(BigInt(SINK) - under) });
      expect(step).toMatchObject({ outcome: "notProvable", reason: "youngBlock" });
      return server.asked.map((path) => path.replace("/evidence/", ""));
    };
    const first = `tip?depth=${PAGE_LIMITS.checkTipBlocks}`;
    expect(await depths(45n)()).toEqual([first, "tip?depth=40"]);
    expect(await depths(39n)()).toEqual(["tip?depth=10"]);
    expect(await depths(9n)()).toEqual(["tip?depth=1"]);
    expect(await depths(-3n)()).toEqual(["tip?depth=1"]);
  });

  it("counts for less where the blocks above are easier than it is itself", async () => {
    // Four times as hard as the headers of the run, which the floor still allows.
    const size = work.bits >>> 24;
    const harder = ((size << 24) | ((work.bits & 0x7f_ff_ff) >>> 2)) >>> 0;
    const step = await new Server().step({ bits: harder });
    const eased = BigInt(step.place?.workMs ?? 0);
    expect(eased).toBeGreaterThan(0n);
    expect(eased).toBeLessThanOrEqual((work.blocksOfTip * 1_000n) / 3n);
  });
});

describe("a server that lies", () => {
  const altered = (piece: Uint8Array, place: number) => {
    const copy = piece.slice();
    const at = place < 0 ? copy.length + place : place;
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };

  it.each([
    [
      "an altered membership",
      lying("membership", () => altered(told.older.membership, -1)),
      "evidence/not-member",
    ],
    [
      "the opening of another state",
      lying("opening", () => told.older.opening),
      "evidence/other-header",
    ],
    [
      "an altered state",
      lying("opening", () => altered(told.tip.opening, -1)),
      "evidence/other-state",
    ],
    ["half of a run", lying("run", () => told.tip.run.slice(0, 4_000)), "codec/unexpected-end"],
    ["nothing for a path", lying("membership", () => new Uint8Array()), "codec/unexpected-end"],
  ])("with %s is named", async (_, serve, found) => {
    expect(await new Server(serve).step()).toMatchObject({
      outcome: "differs",
      reason: "chainFalse",
      found,
    });
  });

  it("with the membership of another block is named, and so is the block", async () => {
    expect(await new Server().step({ hash: OTHER })).toMatchObject({
      outcome: "differs",
      reason: "chainOther",
      expected: OTHER,
      found: member.block,
    });
  });

  it("with a run of easy bits is named: the block itself took more work", async () => {
    expect(await new Server().step({ bits: 0x1d00_ffff })).toMatchObject({
      outcome: "differs",
      reason: "chainEasy",
      found: "evidence/too-easy",
    });
  });

  it("with easy bits may be honest where the block is old: the network may have lost its miners", async () => {
    const size = work.bits >>> 24;
    // 256 times as hard as the headers above: five halvings more than are allowed at once.
    const bits = (((size - 1) << 24) | (work.bits & 0x7f_ff_ff)) >>> 0;
    const server = new Server();
    expect(await server.step({ bits })).toMatchObject({ reason: "chainEasy" });
    server.nowMs += 7n * PAGE_LIMITS.checkFloorHalvingMs;
    expect(await server.step({ bits })).toMatchObject({ outcome: "ok" });
  });

  it("which blocks it names is its word: what does not fit is no tip", async () => {
    const form = lying("tip", () => json({ ...NAMED, child: "x" }));
    expect(await new Server(form).step()).toMatchObject({ reason: "noEvidence" });
  });
});

describe("a server that does not show it", () => {
  const missing = new SvcError("chain/unknown-block", { hash: OTHER });
  it.each([
    [
      "no evidence at all",
      refusing("", new SvcError("http/not-found", { path: "" })),
      "noEvidence",
    ],
    ["no answer", refusing("", new SvcError("wallet/node-unreachable", { url: "" })), "noEvidence"],
    ["no run", refusing("run", missing), "leftChain"],
    ["that it lacks the block", refusing("membership", missing), "leftChain"],
    [
      "that it pruned it",
      refusing("membership", new SvcError("chain/pruned", { hash: OTHER })),
      "evidencePruned",
    ],
    [
      "that its log lacks it",
      refusing("membership", new SvcError("evidence/not-member", { index: 0, count: 0 })),
      "notInLog",
    ],
    [
      "more than fits",
      refusing("run", new SvcError("codec/count-too-large", { count: 2, max: 1 })),
      "noEvidence",
    ],
  ])("%s: the step stays open, and says why", async (_, serve, reason) => {
    expect(await new Server(serve).step()).toEqual({
      subject: "block",
      step: "onChain",
      outcome: "notProvable",
      reason,
    });
  });

  it("is asked anew the next time", async () => {
    let isSilent = true;
    const server = new Server((path) => {
      if (isSilent && path.includes("run")) throw missing;
      return truth(path);
    });
    expect(await server.step()).toMatchObject({ reason: "leftChain" });
    isSilent = false;
    expect(await server.step()).toMatchObject({ outcome: "ok" });
  });
});

describe("a network", () => {
  it("without work proves nothing, and nobody is asked", async () => {
    const server = new Server(truth, { skipProofOfWork: true });
    expect(await server.step()).toMatchObject({ outcome: "notProvable", reason: "noWork" });
    expect(server.asked).toEqual([]);
  });

  it("shows nothing of its first block", async () => {
    const server = new Server();
    expect(await server.step({ parents: [] })).toMatchObject({ reason: "firstBlock" });
    expect(server.asked).toEqual([]);
  });

  it.each([
    ["without a log", null, "noLog"],
    ["before its security fork", 301, "beforeLog"],
  ])("%s shows no block that the headers above do not reach", async (_, securityFork, reason) => {
    const activations = { ...Object(profile["activations"]), securityFork };
    const server = new Server(truth, { activations });
    expect(await server.step()).toMatchObject({ outcome: "notProvable", reason });
    expect(server.asked).toEqual(["/evidence/tip?depth=1"]);
  });
});
