import { describe, expect, it } from "vitest";
import { asRawAddress, asSompi, asTimestampMs } from "@svc/shared/base/brand.ts";
import { mulberry32 } from "../../../platform/testkit/mulberry32.ts";
import { ManualClock } from "../../../platform/time/clock.ts";
import { asWalletToken } from "../../keys/walletToken.ts";
import { KEYS_END } from "../../../storage/kv.ts";
import { STORE_TABLES } from "../../store/walletStoreLayout.ts";
import { WalletStore } from "../../store/walletStore.ts";
import { WALLETD_LIMITS } from "../../walletdLimits.ts";
import { requireOwner, requireScope, TokenBook, type NewToken } from "./tokenBook.ts";

const ALL_KEYS = { from: Uint8Array.of(), to: KEYS_END };
const NOW = 1_700_000_000_000n;
const [ALICE, BOB] = [asWalletToken("alice"), asWalletToken("bob")];
const NO_LIMITS = { daySompi: null, payees: null, approvalAboveSompi: null };
const VIEW: NewToken = { label: "till", scope: ["view"], limits: NO_LIMITS, expiresMs: null };

async function scene() {
  const store = await WalletStore.open(null, null);
  const clock = new ManualClock(NOW);
  const random = mulberry32(1);
  const randomBytes = (length: number) => Uint8Array.from({ length }, () => random() % 256);
  return { store, clock, book: new TokenBook({ store, clock, randomBytes }) };
}

describe("the credentials of wallets", () => {
  it("open all with the wallet's own token, a part with one that was made for it, nothing else", async () => {
    const { book } = await scene();
    const { credential, row } = book.create(ALICE, VIEW);
    expect(credential).toMatch(/^svct\.[0-9a-f]{64}$/);
    expect(book.resolve("alice")).toMatchObject({ token: ALICE, scoped: null });
    const access = book.resolve(credential) ?? expect.unreachable();
    expect([access.token, [...access.scope], access.scoped?.id]).toEqual([ALICE, ["view"], row.id]);
    requireScope(access, "view");
    expect(() => requireScope(access, "spend")).toThrow("wallet/scope (needed=spend)");
    expect(() => requireOwner(access)).toThrow("wallet/scope (needed=owner)");
    for (const other of [
      "",
      "a b",
      "svct.",
      credential.toUpperCase(),
      `${credential}0`,
      ` ${credential}`,
      credential.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
      "a".repeat(1_000_000),
    ]) {
      expect(book.resolve(other)).toBeNull();
    }
  });

  it("store no credential", async () => {
    const { store, book } = await scene();
    const { credential, row } = book.create(ALICE, VIEW);
    expect(
      JSON.stringify([...store.tokens.ofWallet(ALICE)], (_, item: unknown) =>
        typeof item === "bigint" ? String(item) : item,
      ),
    ).not.toContain(credential.slice(5));
    expect(Object.values(row)).not.toContain(credential);
  });

  it("end by their time and by their owner's word, and by nobody else's", async () => {
    const { book, clock } = await scene();
    const brief = book.create(ALICE, { ...VIEW, expiresMs: asTimestampMs(NOW + 10n) });
    clock.advance(1);
    const long = book.create(ALICE, VIEW);
    expect(book.resolve(brief.credential)).not.toBeNull();
    clock.advance(9);
    expect(book.resolve(brief.credential)).toBeNull();
    expect(() => book.revoke(BOB, long.row.id)).toThrow("wallet/no-scoped-token");
    expect(() => book.revoke(ALICE, "../x")).toThrow("wallet/no-scoped-token");
    expect(book.revoke(ALICE, long.row.id).revokedMs).toBe(NOW + 10n);
    expect(book.resolve(long.credential)).toBeNull();
    expect(book.list(ALICE).map(({ id }) => id)).toEqual([brief.row.id, long.row.id]);
    expect(book.list(BOB)).toEqual([]);
  });

  it("make room when they are revoked or expire, and leave the list some time", async () => {
    const { book, store, clock } = await scene();
    const { scopedTokens, scopedTokensClosed } = WALLETD_LIMITS;
    const expiresMs = asTimestampMs(NOW + 1n);
    const first = Array.from({ length: scopedTokens }, () =>
      book.create(ALICE, { ...VIEW, expiresMs }),
    );
    expect(() => book.create(ALICE, VIEW)).toThrow("wallet/bad-scoped-token");
    clock.advance(2);
    const revoked = Array.from({ length: scopedTokensClosed + 3 }, () => {
      const { row, credential } = book.create(ALICE, VIEW);
      clock.advance(1);
      book.revoke(ALICE, row.id);
      return { row, credential };
    });
    const last = book.create(ALICE, VIEW);
    const ids = book.list(ALICE).map(({ id }) => id);
    expect(ids).toEqual([...revoked.slice(3).map(({ row }) => row.id), last.row.id]);
    for (const { credential } of [...first, ...revoked]) {
      expect(book.resolve(credential)).toBeNull();
    }
    expect(book.resolve(last.credential)).not.toBeNull();
    store.commit((batch) => {
      expect(batch.range({ table: STORE_TABLES.tokens, ...ALL_KEYS, limit: 1_000 })).toHaveLength(
        scopedTokensClosed + 1,
      );
    });
  });

  it("say when they were last used, without a commit for each call", async () => {
    const { store, book, clock } = await scene();
    const { credential } = book.create(ALICE, VIEW);
    const { sequence } = store;
    for (let call = 0; call < 100; call += 1) book.resolve(credential);
    expect(store.sequence).toBe(sequence + 1n);
    expect(book.list(ALICE)[0]?.usedMs).toBe(NOW);
    clock.advance(Number(WALLETD_LIMITS.scopedTokenUseMs));
    book.resolve(credential);
    expect(book.list(ALICE)[0]?.usedMs).toBe(NOW + WALLETD_LIMITS.scopedTokenUseMs);
  });

  it("are refused where they make no sense, and beyond their number", async () => {
    const { book, store } = await scene();
    const payees = Array.from({ length: WALLETD_LIMITS.scopedTokenPayees + 1 }, () =>
      asRawAddress("0a".repeat(43)),
    );
    for (const wrong of [
      { scope: [] },
      { label: "x".repeat(65) },
      { expiresMs: asTimestampMs(NOW) },
      { limits: { ...NO_LIMITS, daySompi: asSompi(1n) } },
      { scope: ["spend"] as const, limits: { ...NO_LIMITS, payees } },
    ]) {
      expect(() => book.create(ALICE, { ...VIEW, ...wrong })).toThrow("wallet/bad-scoped-token");
    }
    for (let made = 0; made < WALLETD_LIMITS.scopedTokens; made += 1) book.create(ALICE, VIEW);
    expect(() => book.create(ALICE, VIEW)).toThrow("wallet/bad-scoped-token");
    const { credential } = book.create(BOB, VIEW);
    store.deleteWallet(BOB);
    expect(book.resolve(credential)).toBeNull();
    expect(book.list(ALICE)).toHaveLength(WALLETD_LIMITS.scopedTokens);
  });
});
