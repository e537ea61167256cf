/** The payment form's contents: how the list of payees is filled, bounded and looked at. */
import type { Remote } from "comlink";
import { describe, expect, test } from "vitest";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import type { PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import type { PaymentPreview, WalletApi } from "../wallet-api/walletApi.ts";
import { createDraft } from "./createDraft.ts";

const anna: PayeeText = { address: "test:anna", amount: "1", memo: "" };
const bert: PayeeText = { address: "test:bert", amount: "2", memo: "bread" };
const carl: PayeeText = { address: "test:carl", amount: "3", memo: "" };
const most = WALLET_LIMITS.walletPayeesMax;

/** A draft over a wallet worker that finds nothing wrong, answers when it is let, and notes what it was asked to preview. */
function scene() {
  const asked: (readonly PayeeText[])[] = [];
  const waiting: (() => void)[] = [];
  const wallet = {
    payeeFaults: (payees: readonly PayeeText[]) =>
      new Promise((resolve) => {
        waiting.push(() => resolve(payees.map(() => null)));
      }),
    preview: async (payees: readonly PayeeText[]) => {
      asked.push(payees);
      return { payees: [] } as unknown as PaymentPreview;
    },
  } as unknown as Remote<WalletApi>;
  const draft = createDraft(wallet);
  const texts = () => draft.lines().map((line) => line.text());
  return { draft, asked, texts, answerAll: () => waiting.splice(0).forEach((answer) => answer()) };
}

describe("the payees of a draft", () => {
  test("are filled in in the place of all, or of one among others", () => {
    const { draft, texts } = scene();
    draft.setPayees([anna, bert]);
    expect(texts()).toEqual([anna, bert]);
    const [first] = draft.lines();
    if (first === undefined) throw new TypeError("a draft has a payee");
    draft.put(first, [carl, anna], { label: "The shop", expiresMs: null });
    expect(texts()).toEqual([carl, anna, bert]);
    expect(draft.lines().map((line) => line.link()?.label ?? null)).toEqual([
      "The shop",
      null,
      null,
    ]);
    draft.clear();
    expect(draft.isEmpty()).toBe(true);
    expect(draft.lines()).toHaveLength(1);
  });

  test("are 37 at most, and a flood leaves the form as it was", () => {
    const { draft, texts } = scene();
    for (let count = 0; count < 1_000; count += 1) draft.add();
    expect(draft.lines()).toHaveLength(most);
    draft.setPayees([anna]);
    const [line] = draft.lines();
    if (line === undefined) throw new TypeError("a draft has a payee");
    const flood = Array.from({ length: most + 1 }, () => bert);
    expect(() => draft.setPayees(flood)).toThrow("wallet/too-many-payees");
    expect(() => draft.put(line, flood, null)).toThrow("wallet/too-many-payees");
    expect(texts()).toEqual([anna]);
  });

  test("are one at least: the last one is emptied instead of taken out", () => {
    const { draft, texts } = scene();
    draft.setPayees([anna]);
    for (const line of draft.lines()) draft.remove(line);
    expect(texts()).toEqual([{ address: "", amount: "", memo: "" }]);
  });
});

describe("a look at a draft", () => {
  test("is answered though another look at the same contents began meanwhile", async () => {
    const { draft, asked, answerAll } = scene();
    draft.setPayees([anna, bert]);
    const looks = [draft.check(), draft.check()];
    answerAll();
    const found = await Promise.all(looks);
    expect(found.every((one) => one !== null)).toBe(true);
    expect(asked).toEqual([
      [anna, bert],
      [anna, bert],
    ]);
  });

  test("asks for no payment while a payee is not complete or its amount is none", async () => {
    const { draft, asked, answerAll } = scene();
    for (const amount of ["", "much"]) {
      draft.setPayees([anna, { ...bert, amount }]);
      const look = draft.check();
      answerAll();
      expect(await look).toBeNull();
    }
    expect(asked).toEqual([]);
    expect(draft.lines().map((line) => line.fault()?.code)).toEqual([
      undefined,
      "amount/malformed",
    ]);
  });
});
