import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { renderWalletApi } from "./generateWalletApi.ts";

const rows = Object.values(WALLET_ROUTES);

it("docs/programs/walletd-api.md shows the table as it is", () => {
  const page = readFileSync(new URL("../../docs/programs/walletd-api.md", import.meta.url), "utf8");
  expect(page).toBe(renderWalletApi(rows));
  for (const { method, path } of rows) expect(page).toContain(`### \`${method} ${path}\``);
});

it("a row shows its fields and refusals", () => {
  const page = renderWalletApi([WALLET_ROUTES.send]);
  expect(page).toContain("| `to` | string | yes | A shielded address with its network's prefix. |");
  expect(page).toContain("| `fee` | integer or string or null | no |");
  expect(page).toContain("| 422 | `wallet/fee-too-high` |");
});
