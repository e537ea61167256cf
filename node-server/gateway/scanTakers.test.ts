import { afterEach, beforeEach, expect, it } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asDaaScore,
  asInvoiceId,
  asNoteCommitment,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { folderOfTest } from "../platform/testkit/folderOfTest.ts";
import { scanTakers } from "./scanTakers.ts";
import { DeskHost } from "./testkit/deskHost.ts";

let folder: string;
let host: DeskHost;
beforeEach(async () => {
  folder = folderOfTest();
  host = await DeskHost.open(folder);
});
afterEach(() => host.close());

async function made(orderId: string): Promise<string> {
  const key = await host.issueKey("shop", KEY_SCOPES);
  const response = await host.fetch("/api/v1/invoices", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ orderId, amountSompi: "1000" }),
  });
  const { id }: { id: string } = await response.json();
  return id;
}

async function fact(
  invoice: string,
  digit: number,
  kind: "waiting" | "gone" | "mined",
): Promise<PaymentFact> {
  const hash = String(digit).repeat(64);
  const output = { txid: asTxId(hash), outputIndex: 0, cmx: asNoteCommitment(hash) };
  const paid = { ...output, amount: asSompi(1_000n) };
  const block = {
    hash: asBlockHash("b".repeat(64)),
    blueScore: asBlueScore(10n),
    daaScore: asDaaScore(10n),
    timestampMs: asTimestampMs(host.nowMs()),
  };
  const input = kind === "mined" ? { kind, output: paid, block } : { kind, output: paid };
  return { ...(await host.addressOf(invoice)), input };
}

function takers() {
  const { store, desk, looks } = host;
  return scanTakers({ store, desk, looks, watch: { moved: () => undefined } });
}

function placeOf(invoice: string): string | undefined {
  return host.store.invoices.get(asInvoiceId(invoice))?.payments[0]?.place.kind;
}

it("tells after a new start of a self-hosted gateway what left the pool while nobody looked, and nothing of what is there or mined", async () => {
  const invoices = [await made("left"), await made("stays"), await made("mined")];
  const [left = "", stays = "", mined = ""] = invoices;
  const waiting = await Promise.all(invoices.map((id, at) => fact(id, at + 1, "waiting")));
  await takers().takePool(waiting);
  expect(invoices.map(placeOf)).toEqual(["pool", "pool", "pool"]);
  await host.close();

  host = await DeskHost.open(folder);
  const again = takers();
  await again.takePool([await fact(stays, 2, "waiting")]);
  await host.tell([await fact(mined, 3, "mined")], 10n);
  await again.endPoolLook();
  expect(invoices.map(placeOf)).toEqual(["lost", "pool", "mined"]);
  const told = host.store.events.below(asInvoiceId(left), null, 10).length;
  // Once: what is in the pool again stays there.
  await again.takePool([await fact(left, 1, "waiting")]);
  await again.endPoolLook();
  expect(placeOf(left)).toBe("pool");
  expect(told).toBeGreaterThan(0);
  expect(host.store.flaws()).toEqual([]);
});
