import {
  asAddressText,
  asChainIndex,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import type { HistoryView } from "@svc/shared/wallet/view/history.ts";
import { describe, expect, test } from "vitest";
import type { Backing } from "@svc/shared/wallet/view/backing.ts";
import {
  aboutText,
  backingText,
  depthText,
  failureText,
  isIncoming,
  kindText,
  signOf,
  stateText,
} from "./rowTexts.ts";

const row: HistoryView = {
  id: "1",
  kind: "sent",
  state: "waiting",
  txid: asTxId("ab".repeat(32)),
  paymentId: "p",
  paymentStatus: null,
  removable: false,
  rival: null,
  amount: asSompi(5n),
  fee: asSompi(1n),
  counterparty: `x:${"q".repeat(79)}`,
  memo: { kind: "empty" },
  memoKnown: true,
  addressIndex: null,
  timestamp: asTimestampMs(0n),
  chainIndex: null,
  confirmations: 0n,
  backing: null,
};

describe("rows", () => {
  test("money in has a plus, money out a minus, to oneself neither", () => {
    expect(signOf(row)).toBe("−");
    expect(signOf({ ...row, kind: "mined" })).toBe("+");
    expect(signOf({ ...row, kind: "self" })).toBe("");
    expect(isIncoming({ ...row, kind: "received" })).toBe(true);
  });

  test("U2: a row says when it was, with a memo and without, and what the memo says or who was paid", () => {
    const now = 5 * 60_000;
    const memo = { kind: "text", text: "rent \u202efor all" } as const;
    expect(aboutText({ ...row, memo }, now)).toBe("5 minutes ago · \u2068rent for all\u2069");
    expect(aboutText(row, 59_000)).toBe("just now · x:qqqqqqqq…qqqqqqqq");
    expect(aboutText(row, 3_600_000)).toMatch(/^\d{1,2}:\d\d.*x:qqqqqqqq/);
    expect(aboutText({ ...row, kind: "received", timestamp: null }, now)).toBe("");
  });

  test("a row says its owner's remark before the memo, and the name of an own address where nothing else is said", () => {
    const memo = { kind: "text", text: "rent" } as const;
    const label = "the \u202eflat";
    expect(aboutText({ ...row, memo, label }, 59_000)).toBe("just now · \u2068the flat\u2069");
    const received = {
      ...row,
      kind: "received",
      counterparty: null,
      addressLabel: "Shop",
    } as const;
    expect(aboutText(received, 59_000)).toBe("just now · \u2068Shop\u2069");
    expect(aboutText({ ...received, memo }, 59_000)).toBe("just now · \u2068rent\u2069");
  });

  test("a contact stands by its name in place of the address, beside the memo", () => {
    const memo = { kind: "text", text: "rent" } as const;
    const ann = "\u2068Ann\u2069";
    expect(aboutText(row, 59_000, "A\u202enn")).toBe(`just now · ${ann}`);
    expect(aboutText({ ...row, memo }, 59_000, "Ann")).toBe(`just now · ${ann} · \u2068rent\u2069`);
    const value = asSompi(1n);
    const payee = { address: asAddressText("x:q"), value, memo };
    expect(aboutText({ ...row, payees: [payee, payee] }, 59_000, "Ann")).toBe(
      `just now · ${ann} and 1 more`,
    );
  });

  test("a payment to several says the first and how many more", () => {
    const payee = { address: asAddressText(`x:${"q".repeat(79)}`), value: asSompi(1n) };
    const payees = Array.from({ length: 3 }, () => ({
      ...payee,
      memo: { kind: "empty" } as const,
    }));
    expect(aboutText({ ...row, payees }, 59_000)).toBe("just now · x:qqqqqqqq…qqqqqqqq and 2 more");
  });

  test("a payment that was stopped in the middle does not say that nothing was sent", () => {
    const order = { parts: [], out: 1, confirmed: asSompi(5n), rest: [] };
    const stopped = (code: "wallet/cancelled" | "wallet/locked") =>
      failureText({ ...row, order: { ...order, stopped: { code, data: {} } } });
    expect(stopped("wallet/cancelled")).toBe("Nothing more of this payment is sent.");
    expect(stopped("wallet/locked")).toMatch(/^Nothing more of this payment is sent. ./);
  });

  test("the ends of a payment are named", () => {
    expect(stateText(row)).toBe("Waiting for a block");
    expect(stateText({ ...row, state: "failed", paymentStatus: { state: "cancelled" } })).toBe(
      "Cancelled",
    );
  });

  test("B7: a payment that came to nothing is not called sent", () => {
    const ended = { ...row, state: "failed", paymentStatus: { state: "draft" } } as const;
    expect(kindText(row)).toBe("Sent");
    expect(kindText(ended)).toBe("Payment");
    expect(stateText(ended)).toBe("Not sent");
  });

  test("a consolidation is called one, says how many notes it merged, and is not called sent", () => {
    const merge = { ...row, kind: "self", merged: 38 } as const;
    expect(kindText(merge)).toBe("Consolidation");
    expect(kindText({ ...row, kind: "self" })).toBe("To yourself");
    expect(aboutText({ ...merge, timestamp: null }, 0)).toBe("38 notes");
    expect(kindText({ ...merge, state: "failed" })).toBe("Payment");
  });

  test("B13: a payment that no node has taken waits for a node, not for a block", () => {
    const status = { attempts: 1, lastAttemptMs: asTimestampMs(1n), lastError: null };
    const at = (state: "broadcasting" | "mempool") =>
      stateText({ ...row, paymentStatus: { state, ...status } });
    expect(at("broadcasting")).toBe("Waiting for a node");
    expect(at("mempool")).toBe("Waiting for a block");
  });

  test("a line in a block says what the block says, whatever the payment was thought to be", () => {
    const error = { code: "mempool/duplicate", data: {} } as const;
    const found = { ...row, state: "settled", chainIndex: asChainIndex(7n) } as const;
    const expired = { state: "expired", at: asChainIndex(5n), previous: null } as const;
    expect(stateText({ ...found, paymentStatus: expired })).toBe("Confirmed by this node");
    expect(failureText({ ...found, paymentStatus: { state: "failed", error } })).toBeNull();
  });

  describe("what stands behind a line in a block", () => {
    const in7 = { chainIndex: asChainIndex(7n), confirmations: 20n };
    const of = (state: "arriving" | "settled", backing: Backing) => {
      const line = { ...row, ...in7, state, backing } as const;
      return [stateText(line), depthText(line), backingText(line)];
    };

    test("is work that was shown, told as time", () => {
      const hour = { kind: "work", blocks: 3_700n, ms: 3_700_000n } as const;
      expect(of("settled", hour)).toEqual([
        "Confirmed: about an hour of work shown",
        "Confirmed, 20 blocks deep",
        "This node showed about an hour of work above it",
      ]);
      expect(of("arriving", { kind: "work", blocks: 15n, ms: 15_000n })[0]).toBe(
        "Arriving: about 15 seconds of work shown",
      );
    });

    test("is nothing on a network without proof of work, which says so", () => {
      expect(of("settled", { kind: "no-work" })).toEqual([
        "Confirmed; this network proves nothing",
        "Confirmed, 20 blocks deep",
        "Checked, but this network proves nothing: its blocks cost no work",
      ]);
      expect(of("arriving", { kind: "no-work" })[0]).toBe("Arriving");
    });

    test("is one node's word where no work is shown", () => {
      expect(of("settled", { kind: "claimed" })).toEqual([
        "Confirmed by this node",
        "Confirmed by this node, 20 blocks deep",
        "This node says so; no work is shown yet",
      ]);
      expect(of("arriving", { kind: "claimed" })[0]).toBe("Arriving");
    });

    test("is not told of a line without a block", () => {
      expect(backingText(row)).toBeNull();
      expect(depthText(row)).toBe("Waiting for a block");
    });
  });

  test("a payment whose coins somebody else spends says who, and whether a block has decided", () => {
    const at = asTimestampMs(1n);
    const lastError = { code: "mempool/nullifier-conflict", data: {} } as const;
    const waits = { state: "broadcasting", attempts: 1, lastAttemptMs: at, lastError } as const;
    const [index, txid] = [asChainIndex(5n), asTxId("cd".repeat(32))];
    const replaced = { state: "conflicted", at: index, previous: null, txid } as const;
    const text = (rival: "own" | "elsewhere", paymentStatus: typeof waits | typeof replaced) =>
      failureText({ ...row, rival, paymentStatus });
    expect(text("elsewhere", waits)).toMatch(/another wallet with the same seed.*blocks decide/);
    expect(text("own", waits)).toMatch(/an earlier payment of this wallet.*blocks decide/);
    expect(text("elsewhere", replaced)).toMatch(/another wallet with the same seed.*not paid/);
    expect(text("own", replaced)).toMatch(/another payment of this wallet.*not paid/);
  });

  test("a refusal is told in its own sentence", () => {
    const error = { code: "mempool/duplicate", data: {} } as const;
    const failed = { ...row, paymentStatus: { state: "failed", error } as const };
    expect(failureText(failed)).toBe("The payment is already waiting.");
    expect(failureText(row)).toBeNull();
  });
});
