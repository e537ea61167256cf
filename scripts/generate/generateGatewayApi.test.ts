import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { GATEWAY_ROUTES } from "@svc/shared/protocol/gateway/gatewayRoutes.ts";
import { renderGatewayApi } from "./generateGatewayApi.ts";

const rows = Object.values(GATEWAY_ROUTES);

it("docs/programs/gateway-api.md shows the table as it is", () => {
  const page = readFileSync(new URL("../../docs/programs/gateway-api.md", import.meta.url), "utf8");
  expect(page).toBe(renderGatewayApi(rows));
  for (const { method, path } of rows) expect(page).toContain(`### \`${method} ${path}\``);
});

it("a row shows its fields, its status and its refusals", () => {
  const page = renderGatewayApi([GATEWAY_ROUTES.createInvoice]);
  expect(page).toContain("| `orderId` | string | yes | The merchant's own number of the order.");
  expect(page).toContain("| `amountSompi` | string or null | no | What is to be paid, in sompi.");
  expect(page).toContain("Credential: API key. Scope: `invoices:write`. Takes `Idempotency-Key`.");
  expect(page).toContain("Answered with 201.");
  expect(page).toContain("| 503 | `gateway/no-address` |");
});

it("a record is described once, and answers lead to it", () => {
  const page = renderGatewayApi(rows);
  expect(page.match(/^### Invoice$/gm)).toHaveLength(1);
  expect(page).toContain("| `payments` | list of [Payment](#payment) |");
  expect(page).toContain("Answer: [Invoice](#invoice).");
  expect(page.match(/\| `confirmedSompi` \| string \|/g)).toHaveLength(1);
});

it("a stream says that it is one", () => {
  expect(renderGatewayApi([GATEWAY_ROUTES.checkoutEvents])).toContain("server-sent events");
});
