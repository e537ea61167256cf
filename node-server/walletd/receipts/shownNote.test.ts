/** Which note of a payment a wallet can show. */
import { describe, expect, it } from "vitest";
import {
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asNoteCommitment,
  asNullifier,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import {
  draftPayment,
  type DisclosedOutput,
  type Payment,
} from "@svc/shared/wallet/state/payment.ts";
import type { OwnNote } from "@svc/shared/wallet/state/walletState.ts";
import { shownNote } from "./shownNote.ts";

const [TXID, OTHER] = [asTxId("aa".repeat(32)), asTxId("bb".repeat(32))];
const PAYEE = asRawAddress("0c".repeat(43));
const WORD = "11".repeat(32);

function own(over: Partial<OwnNote> = {}): OwnNote {
  return {
    position: asLeafPosition(40n),
    value: asSompi(7n),
    recipient: asRawAddress("0a".repeat(43)),
    addressIndex: 0,
    rho: WORD,
    rseed: WORD,
    cmx: asNoteCommitment(WORD),
    nullifier: asNullifier(WORD),
    kind: "received",
    txid: TXID,
    outputIndex: 1,
    chainIndex: asChainIndex(3n),
    blueScore: asBlueScore(3n),
    daaScore: asDaaScore(3n),
    timestamp: asTimestampMs(3n),
    memo: "",
    spentBy: null,
    ...over,
  };
}

function sent(...outputs: readonly DisclosedOutput[]): Payment {
  const reserved = [12n, 30n, 4n].map((position) => ({
    position: asLeafPosition(position),
    nullifier: asNullifier(WORD),
    value: asSompi(9n),
  }));
  return { ...draftPayment("p", asTimestampMs(0n), []), txid: TXID, reserved, outputs };
}

const output = (index: number, rho: string | null = WORD): DisclosedOutput => ({
  ...{ index, recipient: PAYEE, value: asSompi(5n), rseed: WORD },
  ...(rho !== null && { rho }),
});

describe("a note that is shown", () => {
  it("was received with the payment, and is no change", () => {
    const notes = [own({ txid: OTHER }), own({ kind: "change", outputIndex: 0 }), own()];
    const known = { txid: TXID, payment: undefined, notes };
    expect(shownNote(known, null)).toMatchObject({ kind: "received", index: 1, position: 40n });
    expect(shownNote(known, 0)).toBe(undefined);
  });

  it("was paid, and is younger than every note that paid it", () => {
    const known = { txid: TXID, payment: sent(output(2), output(1)), notes: [] };
    const shown = { kind: "sent", recipient: PAYEE, position: null, above: 30n };
    expect(shownNote(known, null)).toMatchObject({ ...shown, index: 1 });
    expect(shownNote(known, 2)).toMatchObject({ ...shown, index: 2 });
    expect(shownNote(known, 3)).toBe(undefined);
  });

  it("is none of which the nullifier was not kept", () => {
    const known = { txid: TXID, payment: sent(output(0, null)), notes: [] };
    expect(shownNote(known, null)).toBe(undefined);
  });
});
