import { expect, it } from "vitest";
import { encodeMemo } from "../state/memo.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { receivedAt } from "./receivedAt.ts";

it("adds up what an address received, payments and rewards, and nothing that was sent", () => {
  const model = new ChainModel();
  model.add({ mined: [5n, 7n] });
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 30n, memo: encodeMemo("rent") }] }] });
  const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  const [row] = state.history;
  const address = row?.addressIndex ?? -1;
  expect(receivedAt(state).get(address)).toEqual({ amount: 42n, payments: 3 });
  const elsewhere = state.history.map((each) => ({ ...each, addressIndex: 4 }));
  const sent = elsewhere.map((each) => ({ ...each, kind: "sent" as const }));
  expect(receivedAt({ history: [...elsewhere, ...sent] })).toEqual(
    new Map([[4, { amount: 42n, payments: 3 }]]),
  );
  expect(receivedAt({ history: [] }).size).toBe(0);
});
