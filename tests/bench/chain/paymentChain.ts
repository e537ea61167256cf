/**
 * Chain fixture with payments: a chain on a network without proof of work whose blocks carry stored payments.
 *
 * The payments are proved against a tree of a made-up wallet, so no anchor of this chain is theirs: their proofs hold,
 * their blocks are valid, and merging drops the spends.
 */
import { asHash32 } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue, RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { decodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import {
  readInsertOutcome,
  readResolveOutcome,
  type VerdictJob,
} from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { genesisMs } from "../../testkit/genesisMs.ts";
import { merkleRoot } from "./merkleRoot.ts";

const SEED = new Uint8Array(32).fill(7);

/** A block for each list of payments, which it carries, and one more that merges the last of them. */
export function paymentChain(
  core: CoreGlue,
  profile: string,
  carried: readonly (readonly string[])[],
): readonly Uint8Array[] {
  const engine = callCore(() => new core.Engine(kvHostStore(new MemoryKv()), profile));
  const script = callCore(() => core.addressAt(core.fullViewingKey(SEED), 0));
  let nowMs = genesisMs(profile);
  const blocks: Uint8Array[] = [];
  try {
    for (const payments of [...carried, []]) {
      nowMs += 1_000n;
      const template = callCore(() =>
        engine.buildTemplate(script, new Uint8Array(), new Uint32Array(), nowMs),
      );
      const raw = withPayments(core, template.block(), payments);
      template.free();
      insert(engine, raw, nowMs);
      blocks.push(raw);
    }
    return blocks;
  } finally {
    engine.free();
  }
}

function withPayments(core: CoreGlue, raw: Uint8Array, payments: readonly string[]): Uint8Array {
  const { header, transactions } = decodeRawBlock(raw);
  const carried = payments.map((payment) => decodeRawTransaction(decodeHex(payment)));
  const block = { header, transactions: [...transactions, ...carried] };
  const { txHashes }: { txHashes: readonly string[] } = JSON.parse(
    callCore(() => core.computeHashes(encodeRawBlock(block))),
  );
  const root = asHash32(encodeHex(merkleRoot(txHashes.map((hash) => decodeHex(hash)))));
  return encodeRawBlock({ ...block, header: { ...header, hashMerkleRoot: root } });
}

/** Takes a block of ours in; its proofs are checked when the chain is measured. */
function insert(engine: RawEngine, raw: Uint8Array, nowMs: bigint): void {
  const outcome = readInsertOutcome(callCore(() => engine.insertBlock(raw, nowMs)));
  if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
  approve(engine, outcome.needVerdicts);
  for (;;) {
    const step = readResolveOutcome(callCore(() => engine.resolve(64)));
    approve(engine, step.needVerdicts);
    if (step.done && step.needVerdicts.length === 0) return;
  }
}

function approve(engine: RawEngine, jobs: readonly VerdictJob[]): void {
  for (const { txid, format } of jobs) {
    callCore(() => engine.noteVerdict(txid, format, true));
  }
}
