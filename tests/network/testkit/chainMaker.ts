/**
 * Chain fixtures for whole nodes: made once by the engine itself, with proved payments in some of the blocks, kept below
 * `.cache/network`, and loaded into a node's folder.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { loadChain } from "../../bench/chain/chainLoader.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { EngineChain } from "../../fixtures/payments/engineChain.ts";
import { coreFingerprint } from "../../testkit/coreFingerprint.ts";
import { genesisMs } from "../../testkit/genesisMs.ts";
import { KeptThing } from "../../testkit/keptThing.ts";
import { packBlocks, unpackBlocks } from "../../testkit/packedBlocks.ts";
import { payOnce } from "./payOnce.ts";

/** Seed of the wallet that mines and pays. */
export const PAYER_SEED: Uint8Array = new Uint8Array(32).fill(7);
/** Who is paid. */
const PAYEE_SEED = new Uint8Array(32).fill(8);
const AMOUNT = "1.5";

const never: AbortSignal = new AbortController().signal;

/** Arguments of a chain to be made. */
export type ChainWish = {
  /** JSON of the profile. */
  readonly profile: string;
  /** Blocks above genesis. */
  readonly count: number;
  /** Numbers of blocks, counted from 1, that carry a payment. */
  readonly payments: readonly number[];
  /** Further payments that no block carries. */
  readonly waiting: number;
  /** Whether the payee mines, which makes another chain of the same network. */
  readonly isOther?: boolean;
};

/** A chain with what may happen above it. */
export type MadeChain = {
  /** The blocks above genesis, oldest first: one chain, a second between two blocks. */
  readonly blocks: readonly Uint8Array[];
  /** Payments that the next block may carry, as raw transactions. */
  readonly waiting: readonly Uint8Array[];
};

/** The chain: kept, or made now. */
export async function madeChain(core: CoreGlue, wish: ChainWish): Promise<MadeChain> {
  const digest = createHash("sha256").update(readFileSync(new URL(import.meta.url)));
  digest.update(readFileSync(new URL("./payOnce.ts", import.meta.url)));
  digest.update(JSON.stringify(wish));
  const name = `chain-${digest.digest("hex").slice(0, 16)}`;
  const kept = new KeptThing({ folder: "network", name, maker: coreFingerprint(), ending: ".bin" });
  if (kept.isThere) return split(unpackBlocks(readFileSync(kept.path)), wish.count);
  console.info(`making a chain of ${wish.count} blocks, kept below .cache/network`);
  const made = await make(core, wish);
  writeFileSync(kept.begin(), packBlocks(made));
  kept.keep();
  return split(made, wish.count);
}

function split(kept: readonly Uint8Array[], count: number): MadeChain {
  return { blocks: kept.slice(0, count), waiting: kept.slice(count) };
}

/** Loads a chain into the store of a node that does not run. */
export async function loadIntoNode(
  core: CoreGlue,
  { appdir, profile, blocks }: { appdir: string; profile: string; blocks: readonly Uint8Array[] },
): Promise<void> {
  const canonical = callCore(() => core.canonicalProfile(profile));
  const { networkName }: { networkName: string } = JSON.parse(canonical);
  const root = join(appdir, networkName);
  mkdirSync(root, { recursive: true });
  const last = blocks.at(-1);
  const nowMs = last === undefined ? genesisMs(canonical) : decodeRawBlock(last).header.timestamp;
  await loadChain(core, {
    folder: root,
    profile: canonical,
    blocks,
    nowMs,
    judge: (jobs) => jobs.map(() => true),
  });
}

/** The blocks, and after them the payments that wait. */
async function make(core: CoreGlue, wish: ChainWish): Promise<readonly Uint8Array[]> {
  const { profile, count, payments, waiting, isOther } = wish;
  const profileJson = callCore(() => core.canonicalProfile(profile));
  const chain = new EngineChain(core, profileJson, genesisMs(profileJson));
  const prover = new ProverThread({ prover: "own", proofThreads: null, cacheFolder: null });
  const parts = { core, profileJson, prover, clock: walletClock(systemClock) };
  const payer = new WalletKit(parts, new Secret(PAYER_SEED.slice()));
  const payee = new WalletKit(parts, new Secret(PAYEE_SEED.slice()));
  const paying = new Set(payments);
  const blocks: Uint8Array[] = [];
  try {
    const sync = await payer.open(chain, never);
    while (blocks.length < count) {
      const carried: Uint8Array[] = [];
      if (paying.has(blocks.length + 1)) {
        await sync.catchUp(never);
        carried.push(await proved(payer, payee.address, `payment ${blocks.length + 1}`));
      }
      blocks.push(chain.mine((isOther === true ? payee : payer).recipient, carried));
    }
    await sync.catchUp(never);
    while (blocks.length < count + waiting) {
      blocks.push(await proved(payer, payee.address, `payment ${blocks.length + 1}`));
    }
    return blocks;
  } finally {
    await Promise.all([payer.close(), payee.close(), prover.stop()]);
  }
}

async function proved(payer: WalletKit, address: string, memo: string): Promise<Uint8Array> {
  const payment = await payOnce(payer, { address, amount: AMOUNT, memo });
  if (payment.raw === null) throw new Error(`${memo} was not signed`);
  return decodeHex(payment.raw);
}
