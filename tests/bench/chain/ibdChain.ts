/**
 * Chains for the benchmark of the initial block download: a fresh node fetches one, and a loader takes the same one in
 * without a network.
 */
import { readFileSync } from "node:fs";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { minedChain } from "./minedChain.ts";
import { paymentChain } from "./paymentChain.ts";

/** The main network's rules with the easiest proof of work from genesis on. */
const WORKING = readFileSync(new URL("../../profiles/ingest.json", import.meta.url), "utf8");
/** The network of the stored payments. */
const PAYING = "simnet";

/** A chain to be fetched. */
export type IbdChain = {
  /** JSON of the profile. */
  readonly profile: string;
  /** Blocks above genesis, oldest first. */
  readonly blocks: readonly Uint8Array[];
  /** Payments in all of them. */
  readonly payments: number;
};

/** A chain of `ingest`: coinbase-only blocks on the main network's rules. */
export function plainIbdChain(core: CoreGlue, count: number): IbdChain {
  const blocks = minedChain(core, { profile: WORKING, base: [], count, mark: "" });
  return { profile: WORKING, blocks, payments: 0 };
}

/** Coinbase-only blocks with `perBlock` of the stored payments in some of them, at equal distances. */
export function payingIbdChain(
  core: CoreGlue,
  wish: { readonly count: number; readonly payments: readonly string[]; readonly perBlock: number },
): IbdChain {
  const { count, payments, perBlock } = wish;
  const profile = callCore(() => core.builtInProfile(PAYING));
  const carrying = Math.ceil(payments.length / perBlock);
  const carried = Array.from({ length: count }, (): readonly string[] => []);
  for (let place = 0; place < carrying; place += 1) {
    const block = Math.floor((place * count) / carrying);
    carried[block] = payments.slice(place * perBlock, (place + 1) * perBlock);
  }
  const blocks = paymentChain(core, profile, carried);
  return { profile, blocks, payments: payments.length };
}

/** Bytes of the blocks without their headers. */
export function bodyBytesOf(blocks: readonly Uint8Array[]): number {
  return blocks.reduce((sum, raw) => {
    const { header } = decodeRawBlock(raw);
    return sum + raw.length - encodeRawBlock({ header, transactions: [] }).length;
  }, 0);
}
