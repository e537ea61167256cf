import { expect, test } from "vitest";
import type { VaultRecord } from "../../wallet-api/vaultRecord.ts";
import { requireSameVault } from "./requireSameVault.ts";

const ID = "6c1f9d8e-6f0b-4a55-9f44-000000000001";
const OTHER = "6c1f9d8e-6f0b-4a55-9f44-000000000002";

function vaultOf(header: string): VaultRecord {
  return { header, passSlot: new Uint8Array(1), seed: new Uint8Array(1) };
}

test("keys of another wallet are refused, and those of this one are not", () => {
  const vault = vaultOf(JSON.stringify({ version: 1, id: ID }));
  expect(() => requireSameVault(vault, { vaultId: ID })).not.toThrow();
  expect(() => requireSameVault(vault, { vaultId: OTHER })).toThrow("wallet/no-wallet");
  expect(() => requireSameVault(undefined, { vaultId: ID })).toThrow("wallet/no-wallet");
});

test.each(["", "{}", "null", '{"id":7}', "[]"])("a header %j is no wallet's", (header) => {
  expect(() => requireSameVault(vaultOf(header), { vaultId: ID })).toThrow("wallet/no-wallet");
});
