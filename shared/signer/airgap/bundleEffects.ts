/**
 * What of a bundle a signature covers (specification shielded 3 and 4): everything but proof and signatures. The air gap carries
 * only this; the device makes a bundle of it whose proof is empty and whose signatures are zero.
 */
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { WALLET_LIMITS } from "../../wallet/walletLimits.ts";

/** Bytes of an action without its signature. */
export const EFFECTS_BYTES = 820;
const SIGNATURE_BYTES = 64;
const ACTION_BYTES = EFFECTS_BYTES + SIGNATURE_BYTES;
const HASH_BYTES = 32;
const BALANCE_OFFSET = 1;
const ANCHOR_OFFSET = 9;
const SIGNATURE_LENGTH_OFFSET = 41;
const COUNT_OFFSET = 109;
const ACTIONS_OFFSET = 113;
const PROOF_LENGTH_BYTES = 4;

const FLAG_ANCHOR_BLOCK = 0b1000;
/** Spends, outputs and the anchor's block; a burn is never signed. */
const FLAGS_MASK = 0b1011;
/** Largest value balance: it is signed on the wire. */
export const BALANCE_MAX = 0x7fff_ffff_ffff_ffffn;

/** The signed part of a bundle. */
export type BundleEffects = {
  readonly flags: number;
  /** Sompi that leave the pool. */
  readonly valueBalance: bigint;
  readonly anchor: Uint8Array;
  /** The actions one behind the other, 820 bytes each. */
  readonly actions: Uint8Array;
  /** There exactly if the flags say so. */
  readonly anchorBlock: Uint8Array | null;
};

/** Number of actions. */
export function actionCount(effects: BundleEffects): number {
  return effects.actions.length / EFFECTS_BYTES;
}

/** Takes proof and signatures out of a canonical bundle. Throws `airgap/bad-bundle` for one that no wallet pays with. */
export function splitBundle(bundle: Uint8Array): BundleEffects {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  if (bundle.length < ACTIONS_OFFSET) throw bad("it is cut short");
  if (view.getUint32(SIGNATURE_LENGTH_OFFSET) !== SIGNATURE_BYTES) throw bad("its head is damaged");
  const count = view.getUint32(COUNT_OFFSET);
  if (count === 0 || count > WALLET_LIMITS.walletActionsMax) throw bad(`it has ${count} actions`);
  const proofAt = ACTIONS_OFFSET + ACTION_BYTES * count;
  if (bundle.length < proofAt + PROOF_LENGTH_BYTES) throw bad("it is cut short");
  const end = proofAt + PROOF_LENGTH_BYTES + view.getUint32(proofAt);
  const flags = view.getUint8(0);
  const hasBlock = (flags & FLAG_ANCHOR_BLOCK) !== 0;
  if (bundle.length !== end + (hasBlock ? HASH_BYTES : 0)) throw bad("its length is wrong");
  const actions = new Uint8Array(EFFECTS_BYTES * count);
  for (let index = 0; index < count; index += 1) {
    const start = ACTIONS_OFFSET + ACTION_BYTES * index;
    actions.set(bundle.subarray(start, start + EFFECTS_BYTES), EFFECTS_BYTES * index);
  }
  const effects = {
    flags,
    valueBalance: view.getBigInt64(BALANCE_OFFSET),
    anchor: bundle.slice(ANCHOR_OFFSET, ANCHOR_OFFSET + HASH_BYTES),
    actions,
    anchorBlock: hasBlock ? bundle.slice(end) : null,
  };
  checkEffects(effects);
  return effects;
}

/** The canonical bundle with these effects, an empty proof and signatures of zeros. Throws `airgap/bad-bundle`. */
export function joinBundle(effects: BundleEffects): Uint8Array<ArrayBuffer> {
  checkEffects(effects);
  const count = actionCount(effects);
  const proofAt = ACTIONS_OFFSET + ACTION_BYTES * count;
  const blockBytes = effects.anchorBlock?.length ?? 0;
  const bundle = new Uint8Array(proofAt + PROOF_LENGTH_BYTES + blockBytes);
  const view = new DataView(bundle.buffer);
  view.setUint8(0, effects.flags);
  view.setBigInt64(BALANCE_OFFSET, effects.valueBalance);
  bundle.set(effects.anchor, ANCHOR_OFFSET);
  view.setUint32(SIGNATURE_LENGTH_OFFSET, SIGNATURE_BYTES);
  view.setUint32(COUNT_OFFSET, count);
  for (let index = 0; index < count; index += 1) {
    const action = effects.actions.subarray(EFFECTS_BYTES * index, EFFECTS_BYTES * (index + 1));
    bundle.set(action, ACTIONS_OFFSET + ACTION_BYTES * index);
  }
  if (effects.anchorBlock !== null) bundle.set(effects.anchorBlock, proofAt + PROOF_LENGTH_BYTES);
  return bundle;
}

function checkEffects({ flags, valueBalance, anchorBlock }: BundleEffects): void {
  if ((flags & ~FLAGS_MASK) !== 0) throw bad(`its flags are ${encodeHex(Uint8Array.of(flags))}`);
  if (valueBalance < 0n) throw bad("value would enter the pool");
  const hasBlock = (flags & FLAG_ANCHOR_BLOCK) !== 0;
  if (hasBlock !== (anchorBlock !== null)) throw bad("flags and anchor block disagree");
}

function bad(reason: string): SvcError {
  return new SvcError("airgap/bad-bundle", { reason });
}
