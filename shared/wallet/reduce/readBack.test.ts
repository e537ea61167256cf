/** What a restored wallet knows of payments that could be read back, and where it goes on saying that it does not know. */
import { describe, expect, it } from "vitest";
import { asAddressText, asSompi, type Nullifier } from "../../base/brand.ts";
import { walletFee } from "../state/fee.ts";
import { readMemo } from "../state/memo.ts";
import { decodeWalletState, encodeWalletState } from "../state/walletStateCodec.ts";
import { ChainModel, FOREIGN_ADDRESS, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { historyRows } from "../view/history.ts";
import { applyFacts } from "./applyFacts.ts";

const COIN = 100_000_000n;
const FEE = walletFee(2);
const PAYEE = asAddressText("test:payee");
const OTHER = asAddressText("test:other");

const paid = (value: bigint, address = PAYEE, memo = "") => ({
  recipient: FOREIGN_ADDRESS,
  address,
  value: asSompi(value),
  memo,
});

/** The rows after a payment from a note of 50 coins, of which `change` came back. */
function afterPayment(change: bigint, readBack: readonly ReturnType<typeof paid>[]) {
  const model = new ChainModel();
  model.add({ mined: [50n * COIN] });
  const scanned = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  const spends: Nullifier[] = scanned.notes.map(({ nullifier }) => nullifier);
  model.add({ txs: [{ txid: model.txid(), spends, outputs: [{ value: change }], readBack }] });
  return applyFacts(freshWallet(), model.page(1), TEST_POLICY);
}

describe("a payment without a record", () => {
  it("has payee, memo, amount and fee where all that left the wallet was read back", () => {
    const state = afterPayment(20n * COIN - FEE, [paid(30n * COIN, PAYEE, "6869")]);
    expect(state.history.at(-1)).toMatchObject({
      kind: "sent",
      amount: 30n * COIN,
      fee: FEE,
      counterparty: PAYEE,
      memo: "6869",
    });
    const [row] = historyRows(state, TEST_POLICY, []);
    expect(row?.payees).toEqual([{ address: PAYEE, value: 30n * COIN, memo: readMemo("6869") }]);
  });

  it("has all payees, and the first memo that says something", () => {
    const both = [paid(10n * COIN, PAYEE, "f6"), paid(5n * COIN, OTHER, "6f6b")];
    const row = afterPayment(35n * COIN - FEE, both).history.at(-1);
    expect(row).toMatchObject({ amount: 15n * COIN, fee: FEE, counterparty: PAYEE, memo: "6f6b" });
    expect(row?.payees?.map(({ address }) => address)).toEqual([PAYEE, OTHER]);
  });

  it("has no fee where more left the wallet than can be read", () => {
    const row = afterPayment(10n * COIN, [paid(30n * COIN)]).history.at(-1);
    expect(row).toMatchObject({ amount: 40n * COIN, fee: null, counterparty: PAYEE });
  });

  it("is one without payee where more was read than left the wallet", () => {
    const row = afterPayment(30n * COIN, [paid(30n * COIN)]).history.at(-1);
    expect(row).toMatchObject({ kind: "sent", amount: 20n * COIN, fee: null, counterparty: null });
    expect(row).not.toHaveProperty("payees");
  });

  it("does not come of outputs of a transaction that spends nothing of the wallet", () => {
    const model = new ChainModel();
    model.add({ txs: [{ txid: model.txid(), readBack: [paid(5n)] }] });
    const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    expect(state.history).toEqual([]);
  });

  it("is stored with its payees", () => {
    const state = afterPayment(20n * COIN - FEE, [paid(30n * COIN, PAYEE, "6869")]);
    expect(decodeWalletState(encodeWalletState(state))).toEqual(state);
  });
});
