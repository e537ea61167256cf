/** `svc walletd --diagnose`: what the snapshot of each wallet holds, and which notes lie below the shared tree. */
import type { DaaScore, LeafPosition, Sompi } from "@svc/shared/base/brand.ts";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  cursorOf,
  sumOfNotes,
  unspentNotes,
  type WalletState,
} from "@svc/shared/wallet/state/walletState.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OfflineFolder } from "./offlineFolder.ts";
import { readSnapshot } from "./readSnapshot.ts";

/** What a snapshot holds. Amounts are in sompi. */
export type SnapshotFacts = {
  /** Unspent notes, and their sum. */
  readonly notes: number;
  readonly balance: Sompi;
  /** DAA score of the last scanned block. */
  readonly scanned: DaaScore;
  /** Leaf at which the shared tree begins; null when there is no tree yet. */
  readonly base: LeafPosition | null;
  /** Leaves of the note tree after the last scanned block. */
  readonly size: LeafPosition;
  /** Unspent notes below the base: nothing can be proved about them before the tree reaches back to them. */
  readonly stranded: number;
  readonly strandedValue: Sompi;
  /** The first ones of them. */
  readonly positions: readonly LeafPosition[];
};

/** What is told of one scan file. */
export type Diagnosis = { readonly wallet: string } & (
  | SnapshotFacts
  | { readonly code: string; readonly reason: string }
);

/** Facts of a state. */
export function snapshotFacts(state: WalletState, base: LeafPosition | null): SnapshotFacts {
  const notes = unspentNotes(state);
  const stranded = notes.filter(({ position }) => base !== null && position < base);
  const { daaScore, leafEnd } = cursorOf(state);
  return {
    notes: notes.length,
    balance: sumOfNotes(notes),
    scanned: daaScore,
    base,
    size: leafEnd,
    stranded: stranded.length,
    strandedValue: sumOfNotes(stranded),
    positions: stranded.slice(0, WALLETD_LIMITS.diagnosePositions).map(({ position }) => position),
  };
}

/**
 * Diagnoses all scans, in the order of their tokens. One that cannot be read is told of and stops nothing. `nameOf` gives the name
 * of a wallet: a token is a credential.
 */
export async function* diagnose(
  { folder, store, identity }: OfflineFolder,
  nameOf: (token: WalletToken) => string,
): AsyncGenerator<Diagnosis, void> {
  const base = store?.tree.head()?.baseSize ?? null;
  for (const token of (await folder.listScans()).toSorted()) {
    const wallet = nameOf(token);
    try {
      const snapshot = await readSnapshot({ folder, identity, token });
      if (snapshot !== null) yield { wallet, ...snapshotFacts(snapshot.state, base) };
    } catch (thrown) {
      const error = SvcError.from(thrown);
      yield { wallet, code: error.code, reason: sentenceOf(error) };
    }
  }
}

/** A diagnosis as one line for people. */
export function diagnosisLine(diagnosis: Diagnosis): string {
  const { wallet } = diagnosis;
  if ("code" in diagnosis) return `${wallet}: unreadable: ${diagnosis.reason} [${diagnosis.code}]`;
  const { notes, balance, scanned, base, size, stranded, strandedValue, positions } = diagnosis;
  const listed = positions.join(",") + (stranded > positions.length ? ",…" : "");
  const where = stranded === 0 ? "" : ` positions=[${listed}]`;
  return `${wallet}: notes=${notes} balance=${balance} scanned=${scanned} base=${base ?? "none"} size=${size} stranded=${stranded} stranded_value=${strandedValue}${where}`;
}
