/**
 * Payments with a memo of their own to one address, proved once over a chain by the wallet that mined it, and kept below
 * `.cache/network`. Each transaction pays many times, so that a thousand payments are proved in minutes.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { sendPayment } from "@svc/shared/wallet/send/sendPayment.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { EngineChain } from "../../fixtures/payments/engineChain.ts";
import { coreFingerprint } from "../../testkit/coreFingerprint.ts";
import { genesisMs } from "../../testkit/genesisMs.ts";
import { KeptThing } from "../../testkit/keptThing.ts";
import { packBlocks, unpackBlocks } from "../../testkit/packedBlocks.ts";
import { PAYER_SEED } from "../testkit/chainMaker.ts";

const never: AbortSignal = new AbortController().signal;
/** Sompi of the first payment; each further one has one more. */
const FIRST_AMOUNT = 1_000_000n;

/** Arguments of the payments. */
export type MemoWish = {
  /** JSON of the profile. */
  readonly profile: string;
  /** Blocks above genesis in which the payer has a note for each transaction. */
  readonly blocks: readonly Uint8Array[];
  readonly address: string;
  readonly transactions: number;
  /** Payments of a transaction. */
  readonly each: number;
};

/** Memo of the payment of this number. */
export function memoOf(payment: number): string {
  return `order ${payment}`;
}

/** Sompi of the payment of this number. */
export function amountOf(payment: number): bigint {
  return FIRST_AMOUNT + BigInt(payment);
}

/** The transactions, which any block above may carry: kept, or proved now. */
export async function memoPayments(core: CoreGlue, wish: MemoWish): Promise<readonly Uint8Array[]> {
  const { blocks, ...rest } = wish;
  const digest = createHash("sha256").update(readFileSync(new URL(import.meta.url)));
  digest.update(JSON.stringify(rest));
  for (const block of blocks) digest.update(block);
  const name = `memos-${digest.digest("hex").slice(0, 16)}`;
  const kept = new KeptThing({ folder: "network", name, maker: coreFingerprint(), ending: ".bin" });
  if (kept.isThere) return unpackBlocks(readFileSync(kept.path));
  console.info(`proving ${wish.transactions} transactions, kept below .cache/network`);
  const made = await make(core, wish);
  writeFileSync(kept.begin(), packBlocks(made));
  kept.keep();
  return made;
}

async function make(core: CoreGlue, wish: MemoWish): Promise<readonly Uint8Array[]> {
  const profileJson = callCore(() => core.canonicalProfile(wish.profile));
  const chain = new EngineChain(core, profileJson, genesisMs(profileJson));
  for (const block of wish.blocks) {
    chain.setTime(decodeRawBlock(block).header.timestamp);
    chain.insert(block);
  }
  const prover = new ProverThread({ prover: "own", proofThreads: null, cacheFolder: null });
  const parts = { core, profileJson, prover, clock: walletClock(systemClock) };
  const payer = new WalletKit(parts, new Secret(PAYER_SEED.slice()));
  try {
    const sync = await payer.open(chain, never);
    await sync.catchUp(never);
    const made: Uint8Array[] = [];
    while (made.length < wish.transactions) made.push(await proved(payer, wish, made.length));
    return made;
  } finally {
    await Promise.all([payer.close(), prover.stop()]);
  }
}

async function proved(
  payer: WalletKit,
  { address, each }: MemoWish,
  transaction: number,
): Promise<Uint8Array> {
  const payees = Array.from({ length: each }, (_, place) => {
    const payment = transaction * each + place;
    return payer.readPayee({ address, amount: coins(amountOf(payment)), memo: memoOf(payment) });
  });
  const id = `transaction ${transaction}`;
  const wish = { id, payees, maxFee: null, recoverable: false, separate: true };
  const { raw } = await sendPayment(payer.sendParts(), wish, () => undefined, never);
  if (raw === null) throw new Error(`${id} was not signed`);
  return decodeHex(raw);
}

/** An amount below one coin as people write it. */
function coins(sompi: bigint): string {
  return `0.${String(sompi).padStart(8, "0")}`;
}
