/**
 * Chain fixture of the wallet daemon's benchmark: as many wallets mine as are measured, and blocks carry payments between others.
 *
 * The payments have well-formed content and no proof, as the engine takes the verdict from its host. Their notes are nobody's,
 * so a scan tries every key on each of them.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import {
  decodeRawTransaction,
  encodeRawTransaction,
} from "@svc/shared/protocol/raw/rawTransaction.ts";
import { EngineChain } from "../../fixtures/payments/engineChain.ts";
import { madePayment } from "../../integration/payments/madePayment.ts";
import { coreFingerprint } from "../../testkit/coreFingerprint.ts";
import { genesisMs } from "../../testkit/genesisMs.ts";
import { KeptThing } from "../../testkit/keptThing.ts";
import { packBlocks, unpackBlocks } from "../../testkit/packedBlocks.ts";

/** Raised when a chain is made in another way, so that kept ones are not used again. */
const RECIPE = 1;
/** Actions of a payment, and blocks for each: 0.75 actions a block, as on the public network (0.74). */
const ACTIONS = 3;
const BLOCKS_PER_PAYMENT = 4;
const FEE = 10_000_000n;
/** Bytes of a bundle before its actions, of an action, and of an action before its ephemeral key. */
const BUNDLE_HEAD = 113;
const ACTION_BYTES = 884;
const KEY_OFFSET = 128;
const ADDRESS_DIVERSIFIER = 11;

/** Arguments of such a chain. */
export type BusyWish = {
  /** JSON of a profile without proof of work. */
  readonly profile: string;
  readonly blocks: number;
  /** Numbers of wallets; the first mines every other block, the others share the rest. */
  readonly wallets: number;
};

/** Seed of the wallet of this number. */
export function busySeed(number: number): Uint8Array {
  return new Uint8Array(createHash("sha256").update(`wallet ${number}`).digest());
}

/** The blocks above genesis: kept, or made now by this core. */
export async function busyChain(core: CoreGlue, wish: BusyWish): Promise<readonly Uint8Array[]> {
  const digest = createHash("sha256")
    .update(JSON.stringify([RECIPE, wish]))
    .digest("hex");
  const name = `busy-${digest.slice(0, 16)}`;
  const kept = new KeptThing({ folder: "bench", name, maker: coreFingerprint(), ending: ".bin" });
  if (kept.isThere) return unpackBlocks(readFileSync(kept.path));
  console.error(`making ${wish.blocks} blocks, kept below .cache/bench`);
  const blocks = await make(core, wish);
  writeFileSync(kept.begin(), packBlocks(blocks));
  kept.keep();
  return blocks;
}

async function make(core: CoreGlue, { profile, blocks, wallets }: BusyWish): Promise<Uint8Array[]> {
  const profileJson = callCore(() => core.canonicalProfile(profile));
  const { shieldedAnchorDepth }: { shieldedAnchorDepth: number } = JSON.parse(profileJson);
  const chain = new EngineChain(core, profileJson, genesisMs(profileJson));
  const miners = Array.from({ length: wallets }, (_, number) => addressOf(core, number));
  const anchors: { readonly block: string; readonly root: string }[] = [];
  const made: Uint8Array[] = [];
  while (made.length < blocks) {
    const anchor = anchors.at(-shieldedAnchorDepth - 2);
    const pays = anchor !== undefined && made.length % BLOCKS_PER_PAYMENT === 0;
    const carried = pays ? [payment(core, made.length, anchor)] : [];
    const turn = made.length % 2 === 0 ? 0 : ((made.length - 1) / 2) % wallets;
    made.push(chain.mine(encodeHex(miners[turn] ?? new Uint8Array()), carried));
    const { sink, treeRoot } = await chain.tip();
    anchors.push({ block: sink, root: treeRoot });
  }
  return made;
}

/** A payment whose ephemeral keys are points, so that a scan computes with them. */
function payment(
  core: CoreGlue,
  number: number,
  anchor: { readonly block: string; readonly root: string },
): Uint8Array {
  const made = decodeRawTransaction(madePayment(number, anchor, { actions: ACTIONS, fee: FEE }));
  for (let action = 0; action < ACTIONS; action += 1) {
    const point = addressOf(core, -1 - number * ACTIONS - action).subarray(ADDRESS_DIVERSIFIER);
    made.payload.set(point, BUNDLE_HEAD + action * ACTION_BYTES + KEY_OFFSET);
  }
  return encodeRawTransaction(made);
}

function addressOf(core: CoreGlue, number: number): Uint8Array {
  return callCore(() => core.addressAt(core.fullViewingKey(busySeed(number)), 0));
}
