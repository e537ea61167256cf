/** Payments that a scanner tells with what it proved of its node's chain: the Worker confirms by that alone. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asBlueScore } from "@svc/shared/base/brand.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment } from "../../tests/gateway/gatewayCaller.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { EdgeHost, type ProvedChain } from "../testkit/edgeHost.ts";
import { SCANNER_OBJECT } from "./objects/scannerObject.ts";

let host: EdgeHost;
let shop: GatewayCaller;
beforeEach(async () => {
  host = await EdgeHost.open();
  shop = new GatewayCaller(host, await host.issueKey("proved", KEY_SCOPES));
});
afterEach(() => {
  vi.restoreAllMocks();
  return host.close();
});

/** A chain that is proved up to a header, with these states: blue score and blocks above. */
function proved(tip: bigint | null, ...steps: readonly (readonly [bigint, bigint])[]): ProvedChain {
  const states = steps.map(([score, above]) => ({ blueScore: asBlueScore(score), above }));
  const ladder = { believedTo: null, steps: states };
  return { tip: tip === null ? null : asBlueScore(tip), ladder };
}

/** An invoice that a block at a blue score pays; 10 blocks are asked for. */
async function paidAt(score: bigint, chain: ProvedChain) {
  const made = await shop.create();
  const { key, index, input } = await payment(host, made.id, made.amountSompi, score);
  return { id: made.id, told: () => host.tellFacts([{ ...input, key, index }], score, chain) };
}

const read = (id: string) => shop.invoice(id);

describe("a payment that a scanner proves", () => {
  it("is confirmed once a proved state covers it under the work that is asked for, and is told once", async () => {
    await shop.ask("POST", "/api/v1/webhooks", {
      url: "http://127.0.0.1/hook",
      events: ["invoice.confirmed"],
    });
    const { id, told } = await paidAt(101n, proved(100n, [99n, 1n]));
    await told();
    expect(await read(id)).toMatchObject({ status: "paid" });
    await host.tellFacts([], 111n, proved(111n, [105n, 6n], [110n, 1n]));
    expect(await read(id)).toMatchObject({ status: "paid" });
    const last = proved(115n, [105n, 10n], [114n, 1n]);
    await host.tellFacts([], 115n, last);
    expect(await read(id)).toMatchObject({ status: "confirmed" });
    await host.tellFacts([], 115n, last);
    expect(await host.hooks()).toHaveLength(1);
  });

  it("is not confirmed under a great blue score without a proof, nor by an alarm or its merchant's own call", async () => {
    const { id, told } = await paidAt(101n, proved(null));
    await told();
    await host.tellFacts([], 1_000_000n, proved(null));
    await host.pass(7_200_000n);
    const noted = await shop.ask("PATCH", `/api/v1/invoices/${id}`, { metadata: { a: "b" } });
    expect(noted.status).toBe(200);
    expect(await read(id)).toMatchObject({ status: "paid", confirmations: 0 });
  });

  it("is not confirmed by states above which its depth is not what the header shows", async () => {
    const { id, told } = await paidAt(101n, proved(100n));
    await told();
    await host.tellFacts([], 1_000n, proved(105n, [102n, 50n]));
    expect(await read(id)).toMatchObject({ status: "paid" });
  });

  it("of another branch is not confirmed by what was proved of the one before", async () => {
    const { id, told } = await paidAt(103n, proved(100n, [99n, 1n]));
    await host.tellFacts([], 120n, proved(120n, [105n, 15n], [119n, 1n]));
    await told();
    expect(await read(id)).toMatchObject({ status: "paid" });
    await host.pass(1_000n);
    expect(await read(id)).toMatchObject({ status: "paid" });
    await host.tellFacts([], 120n, proved(120n, [105n, 14n]));
    expect(await read(id)).toMatchObject({ status: "confirmed" });
  });

  it("is found behind five hundred that are looked at in vain", async () => {
    const { id, told } = await paidAt(101n, proved(100n));
    await told();
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await runInDurableObject(env.SCANNERS.getByName(SCANNER_OBJECT), (_, { storage }) => {
      for (let place = 0; place < EDGE_LIMITS.lookInvoices; place += 1) {
        const none = `inv_${place.toString(16).padStart(32, "0")}`;
        storage.sql.exec("INSERT INTO settling (invoice, score) VALUES (?, 1)", none);
      }
    });
    const chain = proved(112n, [102n, 10n]);
    await host.tellFacts([], 112n, chain);
    await host.tellFacts([], 112n, chain);
    expect(await read(id)).toMatchObject({ status: "confirmed" });
  });
});
