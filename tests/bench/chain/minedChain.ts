/** Chain fixtures of the benchmarks: mined once by the engine itself, kept below `.cache/bench`. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue, RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import {
  readInsertOutcome,
  readResolveOutcome,
} from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { coreFingerprint } from "../../testkit/coreFingerprint.ts";
import { genesisMs } from "../../testkit/genesisMs.ts";
import { KeptThing } from "../../testkit/keptThing.ts";
import { packBlocks, unpackBlocks } from "../../testkit/packedBlocks.ts";

/** Raised when a chain is mined in another way, so that kept ones are not used again. */
const RECIPE = 1;
/** Milliseconds between two blocks, which is the networks' target: difficulty stays where it is. */
const BLOCK_MS = 1_000n;
const SEED = new Uint8Array(32).fill(7);
/** Blocks that share a commit while mining. */
const GROUP = 200;

/** Arguments of the mining. */
export type ChainRequest = {
  readonly profile: string;
  /** Blocks below the new ones, oldest first; genesis is not among them. */
  readonly base: readonly Uint8Array[];
  readonly count: number;
  /** Goes into every coinbase, so that two chains over one base differ. */
  readonly mark: string;
};

/** The asked chain, kept or mined now by this very core. Each block has one parent and pays one miner. */
export function minedChain(core: CoreGlue, request: ChainRequest): readonly Uint8Array[] {
  const { profile, base, count, mark } = request;
  const digest = createHash("sha256").update(JSON.stringify([RECIPE, profile, count, mark]));
  for (const block of base) digest.update(block);
  const name = `chain-${digest.digest("hex").slice(0, 16)}`;
  const kept = new KeptThing({ folder: "bench", name, maker: coreFingerprint(), ending: ".bin" });
  if (kept.isThere) return unpackBlocks(readFileSync(kept.path));
  console.error(`mining ${count} blocks, kept below .cache/bench`);
  const mined = mine(core, request);
  writeFileSync(kept.begin(), packBlocks(mined));
  kept.keep();
  return mined;
}

/** An engine in memory that holds these blocks, parents first. Its owner frees it. */
export function engineWith(
  core: CoreGlue,
  profile: string,
  blocks: readonly Uint8Array[],
): RawEngine {
  const engine = callCore(() => new core.Engine(kvHostStore(new MemoryKv()), profile));
  const nowMs = genesisMs(profile) + BLOCK_MS * BigInt(blocks.length + 1);
  callCore(() => engine.setGroupCommit(true));
  for (const [place, raw] of blocks.entries()) {
    if (!takes(engine, raw, nowMs)) throw new Error("a block of the chain is refused");
    if (place % GROUP === 0) callCore(() => engine.flush());
  }
  callCore(() => engine.flush());
  return engine;
}

function mine(core: CoreGlue, { profile, base, count, mark }: ChainRequest): Uint8Array[] {
  const engine = callCore(() => new core.Engine(kvHostStore(new MemoryKv()), profile));
  const script = callCore(() => core.addressAt(core.fullViewingKey(SEED), 0));
  const extra = new TextEncoder().encode(mark);
  let nowMs = genesisMs(profile);
  const blocks: Uint8Array[] = [];
  try {
    callCore(() => engine.setGroupCommit(true));
    for (const raw of base) {
      nowMs += BLOCK_MS;
      if (!takes(engine, raw, nowMs)) throw new Error("a block of the base is refused");
    }
    while (blocks.length < count) {
      nowMs += BLOCK_MS;
      const template = callCore(() =>
        engine.buildTemplate(script, extra, new Uint32Array(), nowMs),
      );
      const block = decodeRawBlock(template.block());
      template.free();
      blocks.push(solve(engine, block, nowMs));
      if (blocks.length % GROUP === 0) callCore(() => engine.flush());
    }
    return blocks;
  } finally {
    engine.free();
  }
}

/** Tries nonces until the engine takes the block: two on average at the easiest bits. */
function solve(
  engine: RawEngine,
  block: ReturnType<typeof decodeRawBlock>,
  nowMs: bigint,
): Uint8Array {
  for (let nonce = 0n; ; nonce += 1n) {
    const header = { ...block.header, nonce };
    const raw = encodeRawBlock({ ...block, header });
    if (takes(engine, raw, nowMs)) return raw;
  }
}

/** Whether the work suffices; throws when anything else is wrong. */
function takes(engine: RawEngine, raw: Uint8Array, nowMs: bigint): boolean {
  const outcome = readInsertOutcome(callCore(() => engine.insertBlock(raw, nowMs)));
  if (outcome.kind === "rejected" && outcome.code === "header/invalid-pow") return false;
  if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
  for (;;) {
    const step = readResolveOutcome(callCore(() => engine.resolve(64)));
    if (step.done) return true;
    if (step.needVerdicts.length > 0) throw new Error("a coinbase needs no proof");
  }
}
