import { SvcError } from "@svc/shared/base/svcError.ts";
import type { SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { describe, expect, test } from "vitest";
import { ContactBook } from "./contactBook.ts";

const ANN = "svc:ann";
const good: SignedMessage = { address: ANN, message: "I am Ann", signature: "00" };

/** A book in memory; of signed messages the good one alone fits. */
function bookWith(start: string | null = null) {
  const stored: (string | null)[] = [start];
  const state = { refuse: false };
  const make = () =>
    new ContactBook({
      checkAddress: (address) => {
        if (!address.startsWith("svc:")) throw new SvcError("address/missing-prefix", {});
      },
      judge: ({ message }) => (message === good.message ? null : "BadSignature"),
      nowMs: () => 1_000n,
      text: {
        load: async () => stored.at(-1) ?? null,
        store: async (text) => {
          if (state.refuse) throw new SvcError("wallet/storage-full", {});
          stored.push(text);
        },
      },
    });
  return { book: make(), reopen: make, state, stored };
}

describe("contacts of a wallet", () => {
  test("are there again when it is opened again, by their names", async () => {
    const { book, reopen } = bookWith();
    await book.put({ address: "svc:zoe", name: " Zoe ", signed: null });
    await book.put({ address: ANN.toUpperCase(), name: "Ann", signed: null });
    const rows = await reopen().list();
    expect(rows.map(({ address, name }) => [address, name])).toEqual([
      [ANN, "Ann"],
      ["svc:zoe", "Zoe"],
    ]);
    await book.remove(ANN);
    expect((await reopen().list()).map(({ name }) => name)).toEqual(["Zoe"]);
  });

  test("keep a proof that the core found good, over another name, and never the signature", async () => {
    const { book, stored } = bookWith();
    await book.put({ address: ANN, name: "Ann", signed: { ...good, signature: "c0ffee" } });
    await book.put({ address: ANN, name: "Anna", signed: null });
    expect(await book.list()).toEqual([
      { address: ANN, name: "Anna", proof: { message: good.message, checkedMs: 1_000n } },
    ]);
    expect(stored.join(" ")).not.toContain("c0ffee");
  });

  test.each([
    [{ ...good, message: "I am Eve" }, "keys/bad-signature"],
    [{ ...good, address: "svc:eve" }, "keys/address-mismatch"],
  ])("are not stored with a proof that does not fit: %#", async (signed, code) => {
    const { book, stored } = bookWith();
    const put = book.put({ address: ANN, name: "Ann", signed });
    await expect(put).rejects.toMatchObject({ code });
    expect(stored).toEqual([null]);
    expect(await book.list()).toEqual([]);
  });

  test("are not shown where they could not be stored, and all of several at once are kept", async () => {
    const { book, state, reopen } = bookWith();
    await Promise.all(
      ["a", "b", "c"].map((name) => book.put({ address: `svc:${name}`, name, signed: null })),
    );
    state.refuse = true;
    const put = book.put({ address: "svc:d", name: "d", signed: null });
    await expect(put).rejects.toMatchObject({ code: "wallet/storage-full" });
    for (const each of [book, reopen()]) {
      // oxlint-disable-next-line no-await-in-loop -- two books
      expect((await each.list()).map(({ name }) => name)).toEqual(["a", "b", "c"]);
    }
  });

  test("that are damaged are told of, and not replaced", async () => {
    const { book, stored } = bookWith('{"contacts":[["svc:a","",null]],"version":1}');
    await expect(book.list()).rejects.toMatchObject({ code: "store/corrupt" });
    const put = book.put({ address: ANN, name: "Ann", signed: null });
    await expect(put).rejects.toMatchObject({ code: "store/corrupt" });
    expect(stored).toHaveLength(1);
  });

  test("have an address of the network", async () => {
    const { book } = bookWith();
    const put = book.put({ address: "ann", name: "Ann", signed: null });
    await expect(put).rejects.toMatchObject({ code: "address/missing-prefix" });
  });
});
