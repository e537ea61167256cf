import { describe, expect, test } from "vitest";
import { asTxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Labels } from "@svc/shared/wallet/labels/labelForm.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import { historyRows, type HistoryView } from "@svc/shared/wallet/view/history.ts";
import { LabelBook, type LabelKeeper } from "./labelBook.ts";
import { OwnLabels } from "./ownLabels.ts";

/** A record in memory, which may refuse to be read or written. */
class Keeper<Key extends string | number> implements LabelKeeper<Key> {
  stored: Labels<Key> = new Map();
  unreadable = false;
  full = false;

  async load(): Promise<Labels<Key>> {
    if (this.unreadable) throw new SvcError("store/corrupt", { table: "wallet", reason: "test" });
    return this.stored;
  }

  async store(labels: Labels<Key>): Promise<void> {
    if (this.full) throw new SvcError("wallet/storage-full", {});
    this.stored = labels;
  }
}

/** Labels over a history of two received payments. Its rows can be replaced. */
function wallet() {
  const model = new ChainModel();
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 5n }] }] });
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 7n }] }] });
  const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  const place = { rows: historyRows(state, TEST_POLICY, []), told: 0 };
  const payments = new Keeper<string>();
  const addresses = new Keeper<number>();
  const tell = () => {
    place.told += 1;
  };
  const open = () =>
    new OwnLabels({
      payments: new LabelBook(payments, tell),
      addresses: new LabelBook(addresses, tell),
      rows: () => place.rows,
    });
  return { place, payments, addresses, labels: open(), open };
}

function remarks(labels: OwnLabels): readonly (string | undefined)[] {
  return labels.rows().map(({ label }) => label);
}

/** The first row. */
function first(rows: readonly HistoryView[]): HistoryView {
  const [row] = rows;
  if (row === undefined) throw new Error("no row");
  return row;
}

describe("remarks on rows of the history", () => {
  test("stay after a kill and while a new scan has not found their rows yet", async () => {
    const { labels, place, open } = wallet();
    const [newest] = place.rows;
    await labels.label(newest?.id ?? "", " the flat ");
    expect(remarks(labels)).toEqual(["the flat", undefined]);
    const { rows } = place;
    place.rows = [];
    const reopened = open();
    expect(await reopened.read()).toBeNull();
    expect(remarks(reopened)).toEqual([]);
    place.rows = rows;
    expect(remarks(reopened)).toEqual(["the flat", undefined]);
    await reopened.label(newest?.id ?? "", "  ");
    expect(remarks(reopened)).toEqual([undefined, undefined]);
  });

  test("go along when a payment gets its transaction, and then leave the old key", async () => {
    const { labels, place, payments } = wallet();
    const payment: HistoryView = { ...first(place.rows), id: "p", paymentId: "p", txid: null };
    place.rows = [payment];
    await labels.label("p", "before");
    const txid = asTxId("cd".repeat(32));
    place.rows = [{ ...payment, id: txid, txid }];
    expect(remarks(labels)).toEqual(["before"]);
    await labels.label(txid, "after");
    expect([...payments.stored]).toEqual([[txid, "after"]]);
    place.rows = [{ ...payment, txid }];
    expect(remarks(labels)).toEqual(["after"]);
  });

  test("leave with a payment that leaves the list, and stay where it may not leave", async () => {
    const { labels, place, payments } = wallet();
    const { id } = first(place.rows);
    await labels.label(id, "gone soon");
    const refused = labels.forget(id, async () => {
      throw new SvcError("wallet/storage-full", {});
    });
    await expect(refused).rejects.toThrow(SvcError);
    expect(payments.stored.size).toBe(1);
    await labels.forget(id, async () => {
      place.rows = place.rows.slice(1);
    });
    expect(payments.stored.size).toBe(0);
  });

  test("are for rows that exist: a flood of other keys stores nothing", async () => {
    const { labels, payments } = wallet();
    await Promise.all(
      Array.from({ length: 500 }, (_, at) => labels.label(`row ${String(at)}`, "x")),
    );
    expect(payments.stored.size).toBe(0);
  });

  test("that cannot be stored are not shown, and the change is refused", async () => {
    const { labels, place, payments } = wallet();
    payments.full = true;
    await expect(labels.label(first(place.rows).id, "lost")).rejects.toThrow(SvcError);
    expect(remarks(labels)).toEqual([undefined, undefined]);
  });

  test("that are damaged are told of and never written over; the history is shown without them", async () => {
    const { labels, place, payments } = wallet();
    payments.stored = new Map([["old", "kept"]]);
    payments.unreadable = true;
    expect(await labels.read()).toMatchObject({ code: "store/corrupt" });
    expect(remarks(labels)).toEqual([undefined, undefined]);
    await expect(labels.label(first(place.rows).id, "new")).rejects.toThrow(SvcError);
    expect([...payments.stored]).toEqual([["old", "kept"]]);
    payments.unreadable = false;
    expect(await labels.read()).toBeNull();
  });

  test("tell the page of each change, of several at once all", async () => {
    const { labels, place } = wallet();
    await labels.read();
    const { told } = place;
    const { version } = labels.known;
    await Promise.all(place.rows.map(({ id }, at) => labels.label(id, `remark ${String(at)}`)));
    expect(remarks(labels)).toEqual(["remark 0", "remark 1"]);
    expect(place.told).toBe(told + 2);
    expect(labels.known.version).toBe(version + 2);
  });
});

test("names of own addresses stand on the rows that they received", async () => {
  const { labels, addresses, place } = wallet();
  addresses.stored = new Map([[first(place.rows).addressIndex ?? -1, "Shop"]]);
  await labels.read();
  expect(labels.rows()[0]?.addressLabel).toBe("Shop");
});
