import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { asSompi, asTimestampMs } from "../../base/brand.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { unproved } from "../proof/chainProof.ts";
import type { WalletState } from "./walletState.ts";
import { decodeWalletState, encodeWalletState } from "./walletStateCodec.ts";

/** A state with every kind of record and with statuses nested as deep as they come. */
function richState(): WalletState {
  const model = new ChainModel();
  model.add({ mined: [500_000_000n, 300_000_000n], txs: [{ txid: model.txid() }] });
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n, memo: "6869" }] }] });
  model.addEmpty(12);
  let state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  const txid = model.txid();
  state = withPlanned(state, TEST_POLICY, { id: "a", payees: [payeeOf(400_000_000n)] });
  state = advance(state, "a", eventsToMempool(txid));
  state = withPlanned(state, TEST_POLICY, { id: "b", payees: [payeeOf(1n, { memo: "ff" })] });
  const error = { code: "prove/failed", data: { reason: "test" } } as const;
  state = advance(state, "b", [{ type: "fail", error }]);
  const payees = [payeeOf(9n, { memo: "ff" }), payeeOf(8n)];
  const order = {
    id: "c",
    createdMs: asTimestampMs(7n),
    payees,
    maxFee: asSompi(6n),
    stopped: error,
  };
  state = { ...state, orders: [{ version: 1, ...order, separate: true, recoverable: false }] };
  const spends = state.outbox[0]?.reserved.map(({ nullifier }) => nullifier) ?? [];
  model.add({ txs: [{ txid, spends }] });
  model.addEmpty(6);
  return applyFacts(state, model.page(15), TEST_POLICY);
}

describe("the stored state", () => {
  it("reads back as it was written", () => {
    const state = richState();
    expect(state.outbox.map(({ status }) => status.state)).toEqual(["settled", "failed"]);
    const text = encodeWalletState(state);
    expect(decodeWalletState(text)).toEqual(state);
    expect(encodeWalletState(decodeWalletState(text))).toBe(text);
  });

  it("reads a state of version 1, and writes it as of today", async () => {
    const file = new URL("../../../tests/fixtures/wallets/state-1.json", import.meta.url);
    const old = (await readFile(file, "utf8")).trim();
    const state = decodeWalletState(old);
    expect(state).toMatchObject({ version: 4, contradiction: null });
    expect(state.account).toMatchObject({ bornOn: null, historyMissing: false });
    expect(state.outbox[0]?.status.state).toBe("accepted");
    const known: unknown = JSON.parse(old);
    expect(JSON.parse(encodeWalletState(state))).toMatchObject({ ...Object(known), version: 4 });
    expect(decodeWalletState(encodeWalletState(state))).toEqual(state);
  });

  it("reads a state of version 2, of which nothing was proved", async () => {
    const file = new URL("../../../tests/fixtures/wallets/state-2.json", import.meta.url);
    const old = (await readFile(file, "utf8")).trim();
    const state = decodeWalletState(old);
    expect(state.ledger).toBeNull();
    expect(state.proof).toEqual(unproved(null));
    const known: unknown = JSON.parse(old);
    expect(JSON.parse(encodeWalletState(state))).toMatchObject({ ...Object(known), version: 4 });
    expect(decodeWalletState(encodeWalletState(state))).toEqual(state);
  });

  it("reads a state of version 3, which knew payments of one transaction alone", async () => {
    const file = new URL("../../../tests/fixtures/wallets/state-3.json", import.meta.url);
    const old = (await readFile(file, "utf8")).trim();
    const state = decodeWalletState(old);
    expect(state.orders).toEqual([]);
    expect(state.outbox.map(({ status }) => status.state)).toEqual(["settled", "failed"]);
    const known: unknown = JSON.parse(old);
    const now: unknown = JSON.parse(encodeWalletState(state));
    expect(now).toEqual({ ...Object(known), version: 4, orders: [] });
    expect(decodeWalletState(encodeWalletState(state))).toEqual(state);
  });

  it("reads a proof of a build that asked no second node", () => {
    const state = freshWallet();
    const { second, ...older } = state.proof;
    expect(second).toEqual({ page: null, tip: null, compared: null });
    expect(decodeWalletState(encodeWalletState({ ...state, proof: older as never }))).toEqual(
      state,
    );
  });

  it("does not depend on the order of fields", () => {
    const state = richState();
    const turned = Object.fromEntries(Object.entries(state).toReversed());
    expect(encodeWalletState({ ...state, ...turned })).toBe(encodeWalletState(state));
  });

  it.each([
    ["no JSON", () => "{", "store/corrupt"],
    [
      "another version",
      (text: string) => text.replace(/"version":4\}$/, '"version":5}'),
      "store/version",
    ],
    [
      "no blocks",
      (text: string) => text.replace(/"blocks":\[.*?\]/, '"blocks":[]'),
      "store/corrupt",
    ],
    ["a short hash", (text: string) => text.replace(/"hash":"../, '"hash":"'), "store/corrupt"],
    [
      "money as a number",
      (text: string) => text.replace(/"value":"(\d+)"/, '"value":$1'),
      "store/corrupt",
    ],
    [
      "a value beyond 64 bits",
      (text: string) => text.replace(/"value":"\d+"/, '"value":"18446744073709551616"'),
      "store/corrupt",
    ],
    [
      "statuses nested without end",
      (text: string) =>
        text.replace(
          /"status":\{/,
          `"status":${'{"state":"expired","at":"1","previous":'.repeat(50_000)}null${"}".repeat(50_000)},"more":{`,
        ),
      "store/corrupt",
    ],
    [
      "an order of another version",
      (text: string) => text.replace('"version":1', '"version":2'),
      "store/corrupt",
    ],
    ["an unknown status", (text: string) => text.replace('"settled"', '"lost"'), "store/corrupt"],
    [
      "an unknown code",
      (text: string) => text.replace("prove/failed", "prove/what"),
      "store/corrupt",
    ],
  ])("with %s is refused", (_, damage, code) => {
    const text = encodeWalletState(richState());
    expect(damage(text)).not.toBe(text);
    expect(() => decodeWalletState(damage(text))).toThrow(expect.objectContaining({ code }));
  });
});
