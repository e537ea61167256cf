/**
 * Snapshot of a wallet: its state as of one commit of the store. It is what a `.scan` file holds, sealed or plain.
 *
 * Version u8 = 1 ‖ number of the commit u64 ‖ the state as JSON, with its newest blocks alone.
 */
import { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { decodeWalletState, encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

const VERSION = 1;

/** A state, and the last commit of the store that it holds. */
export type WalletSnapshot = {
  readonly sequence: bigint;
  readonly state: WalletState;
};

/** Encodes a snapshot. */
export function encodeSnapshot({ sequence, state }: WalletSnapshot): Uint8Array {
  const blocks = state.blocks.slice(-WALLETD_LIMITS.snapshotBlocks);
  const json = new TextEncoder().encode(encodeWalletState({ ...state, blocks }));
  return new ByteWriter().u8(VERSION).u64(sequence).raw(json).toBytes();
}

/** Decodes a snapshot. Throws `store/version` for a later form, `store/corrupt`. */
export function decodeSnapshot(bytes: Uint8Array): WalletSnapshot {
  const reader = new ByteReader(bytes);
  const version = readOr(() => reader.u8());
  if (version !== VERSION) {
    throw new SvcError("store/version", { expected: VERSION, found: version });
  }
  const sequence = readOr(() => reader.u64());
  const json = new TextDecoder().decode(reader.take(reader.remaining));
  return { sequence, state: decodeWalletState(json) };
}

function readOr<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new SvcError("store/corrupt", { table: "scan", reason: "it is cut short" }, cause);
  }
}
