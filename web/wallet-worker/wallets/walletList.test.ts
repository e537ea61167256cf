import { describe, expect, test } from "vitest";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import {
  databaseOf,
  FIRST_WALLET,
  newWalletId,
  NO_WALLETS,
  readWalletList,
  storedWalletList,
  walletOf,
  withName,
  withoutWallet,
  withThose,
  withWallet,
  type WalletList,
} from "./walletList.ts";

const [A, B, C] = ["a", "b", "c"].map((digit) => digit.repeat(32));
if (A === undefined || B === undefined || C === undefined) throw new Error("three ids");

const both = withWallet(withWallet(NO_WALLETS, FIRST_WALLET), A);

function ids({ wallets }: WalletList): readonly string[] {
  return wallets.map(({ id }) => id);
}

function numbers({ wallets }: WalletList): readonly number[] {
  return wallets.map(({ number }) => number);
}

describe("the list of wallets", () => {
  test("names each in the order in which it was made", () => {
    expect(both).toEqual({
      wallets: [
        { id: FIRST_WALLET, name: "", number: 1 },
        { id: A, name: "", number: 2 },
      ],
      last: A,
    });
  });

  test("is read as it was stored", () => {
    const named = withName(both, A, "Ärzte 🦊");
    expect(readWalletList(structuredClone(storedWalletList(named)))).toEqual(named);
    expect(readWalletList(undefined)).toEqual(NO_WALLETS);
  });

  test("keeps the number of each when another one goes", () => {
    const left = withoutWallet(withWallet(both, B), A);
    expect([ids(left), numbers(left), left.last]).toEqual([[FIRST_WALLET, B], [1, 3], B]);
    expect(withoutWallet(both, A).last).toBeNull();
  });

  test("cuts a name, and takes it away", () => {
    const { walletNameChars } = PAGE_LIMITS;
    const long = withName(both, A, `  ${"🦊".repeat(walletNameChars + 5)} `);
    expect(long.wallets[1]?.name).toBe("🦊".repeat(walletNameChars));
    expect(withName(long, A, "  ").wallets[1]?.name).toBe("");
    expect(withName(both, B, "nobody")).toEqual(both);
  });

  test("has ids that say nothing, and databases that follow from them", () => {
    const id = newWalletId();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(newWalletId()).not.toBe(id);
    expect(databaseOf(FIRST_WALLET)).toBe("svc-wallet");
    expect(databaseOf(id)).toBe(`svc-wallet-${id}`);
    for (const wallet of [FIRST_WALLET, id]) expect(walletOf(databaseOf(wallet))).toBe(wallet);
    for (const name of ["svc-derived", "svc-wallets", "svc-wallet-", `svc-wallet-${id}0`, "x"]) {
      expect(walletOf(name)).toBeNull();
    }
  });
});

describe("liar: an altered list", () => {
  test.each<readonly [string, unknown]>([
    ["text", "list"],
    ["nothing of its form", { version: 1, wallets: 7, last: null }],
    ["no version", { wallets: [], last: null }],
    ["null", null],
  ])("that is %s counts as none", (_, stored) => {
    expect(readWalletList(stored)).toEqual(NO_WALLETS);
  });

  test("that names other databases, a wallet twice, or a number twice, loses those entries alone", () => {
    const good = { id: A, name: "mine", number: 2 };
    const bad = [
      { id: "../svc-derived", name: "", number: 3 },
      { id: `${A}\n`, name: "", number: 4 },
      { ...good, number: 5 },
      { id: B, name: "", number: 2 },
      { id: C, name: "", number: 0.5 },
      "wallet",
    ];
    const read = readWalletList({ version: 1, wallets: [good, ...bad], last: B });
    expect(read).toEqual({ wallets: [good], last: null });
  });

  test("that gives a name no text, or a long one, is read with a bounded one", () => {
    const wallets = [
      { id: A, name: 7, number: 1 },
      { id: B, name: "x".repeat(10_000), number: 2 },
    ];
    const read = readWalletList({ version: 1, wallets, last: null });
    expect(read.wallets.map(({ name }) => name.length)).toEqual([0, PAGE_LIMITS.walletNameChars]);
  });

  test("of a newer program is refused whole, so that nothing is written over it", () => {
    const newer = { version: 2, wallets: [], last: null };
    expect(() => readWalletList(newer)).toThrow("store/version");
  });

  test("that lacks wallets, or has more than there are, is mended by what is there", () => {
    const found = withThose(withName(both, A, "mine"), new Set([B, A]));
    expect([ids(found), numbers(found), found.last]).toEqual([[A, B], [2, 3], A]);
    expect(found.wallets[0]?.name).toBe("mine");
    expect(withThose(both, new Set([FIRST_WALLET])).last).toBeNull();
    expect(withThose(NO_WALLETS, new Set([FIRST_WALLET])).wallets).toEqual([
      { id: FIRST_WALLET, name: "", number: 1 },
    ]);
  });
});

describe("flood: more wallets than the bound", () => {
  const full = Array.from({ length: PAGE_LIMITS.walletsMax }).reduce<WalletList>(
    (list) => withWallet(list, newWalletId()),
    NO_WALLETS,
  );

  test("one more is refused, and the list stays", () => {
    expect(() => withWallet(full, newWalletId())).toThrow("codec/count-too-large");
    expect(full.wallets).toHaveLength(PAGE_LIMITS.walletsMax);
  });

  test("wallets that are there beyond it are listed all the same", () => {
    const more = withThose(full, new Set([...ids(full), A]));
    expect(ids(more)).toEqual([...ids(full), A]);
  });

  test("a stored list is read up to a bound", () => {
    const wallets = Array.from({ length: 10_000 }, (_, index) => ({
      id: newWalletId(),
      name: "",
      number: index + 1,
    }));
    const read = readWalletList({ version: 1, wallets, last: null });
    expect(read.wallets).toHaveLength(PAGE_LIMITS.walletListReadMax);
  });
});
