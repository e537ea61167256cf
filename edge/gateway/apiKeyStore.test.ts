import { beforeEach, describe, expect, it } from "vitest";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { hashApiKey } from "@svc/shared/gateway/apiKey.ts";
import { migrate } from "../testkit/database.ts";
import { ApiKeyStore } from "./apiKeyStore.ts";

const NOW = asTimestampMs(1_700_000_000_000n);
const later = (ms: bigint) => asTimestampMs(NOW + ms);
const WANTED = {
  merchant: "mer_1",
  mode: "test",
  scopes: ["invoices:write", "invoices:read"],
  label: "shop",
  expiresMs: null,
} as const;

let db: D1Database;
let keys: ApiKeyStore;
beforeEach(async () => {
  db = await migrate();
  await db.prepare("DELETE FROM api_keys").run();
  keys = new ApiKeyStore(db);
});

describe("an API key of the hosted gateway", () => {
  it("is found by its text, with its merchant and scopes", async () => {
    const { key, row } = await keys.issue(WANTED, NOW);
    expect(key).toMatch(/^svc_test_[a-z2-7]{36}$/);
    expect(await keys.find(key, NOW)).toEqual(row);
    expect(row).toEqual({ ...WANTED, id: row.id, createdMs: NOW, revokedMs: null });
  });

  it("is nowhere in the database, its hash is", async () => {
    const { key } = await keys.issue(WANTED, NOW);
    const { results } = await db.prepare("SELECT * FROM api_keys").all();
    const text = JSON.stringify(results);
    expect(text).toContain(await hashApiKey(key));
    expect(text).not.toContain(key.slice(9));
  });

  it("is another one each time", async () => {
    const issued = await Promise.all(Array.from({ length: 20 }, () => keys.issue(WANTED, NOW)));
    expect(new Set(issued.map(({ key }) => key)).size).toBe(20);
  });

  it("opens nothing when it is mistyped, of another mode, unknown, or like another one up to the end", async () => {
    const { key, row } = await keys.issue(WANTED, NOW);
    const other = await keys.issue(WANTED, NOW);
    expect(await keys.find(`${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`, NOW)).toBeNull();
    expect(await keys.find(key.replace("test", "live"), NOW)).toBeNull();
    expect(await keys.find("", NOW)).toBeNull();
    await db.prepare("DELETE FROM api_keys WHERE id = ?1").bind(other.row.id).run();
    expect(await keys.find(other.key, NOW)).toBeNull();
    // The same first digits, another hash behind them.
    const hash = await hashApiKey(key);
    const last = hash.endsWith("0") ? "1" : "0";
    await db
      .prepare("UPDATE api_keys SET hash = ?2 WHERE id = ?1")
      .bind(row.id, hash.slice(0, -1) + last)
      .run();
    expect(await keys.find(key, NOW)).toBeNull();
  });

  it("opens nothing once it is revoked, and only its own merchant revokes it", async () => {
    const { key, row } = await keys.issue(WANTED, NOW);
    expect(await keys.revoke("mer_2", row.id, NOW)).toBe(false);
    expect(await keys.find(key, NOW)).not.toBeNull();
    expect(await keys.revoke("mer_1", row.id, later(5n))).toBe(true);
    expect(await keys.find(key, NOW)).toBeNull();
    expect(await keys.revoke("mer_1", row.id, later(9n))).toBe(false);
    expect((await keys.list("mer_1"))[0]?.revokedMs).toBe(later(5n));
  });

  it("opens nothing from its expiry on", async () => {
    const { key } = await keys.issue({ ...WANTED, expiresMs: later(10n) }, NOW);
    expect(await keys.find(key, later(9n))).not.toBeNull();
    expect(await keys.find(key, later(10n))).toBeNull();
  });

  it("is listed for its merchant, the newest first, without its hash", async () => {
    const first = await keys.issue(WANTED, NOW);
    const second = await keys.issue({ ...WANTED, label: "till" }, later(1n));
    await keys.issue({ ...WANTED, merchant: "mer_2" }, later(2n));
    expect(await keys.list("mer_1")).toEqual([second.row, first.row]);
    expect(await keys.list("mer_3")).toEqual([]);
  });
});
