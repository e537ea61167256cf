import { beforeEach, expect, it } from "vitest";
import { asInvoiceId, asMerchantId, asTimestampMs } from "@svc/shared/base/brand.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { GatewayStore } from "../store/gatewayStore.ts";
import type { DueDelivery } from "../../client/deliveryQueue.ts";
import { DeskDeliveries } from "./deskDeliveries.ts";

const NOW = asTimestampMs(1_000_000n);
const MOST = 8;
/** So many that several looks do not come to their end. */
const BACKLOG = 5 * MOST * GATEWAY_LIMITS.deliveryLook;

let store: GatewayStore;
let queue: DeskDeliveries;

beforeEach(async () => {
  store = await GatewayStore.open(null, null);
  queue = new DeskDeliveries({ store, clock: { nowMs: () => NOW }, reach: "loopback" });
});

/** Deliveries that are due, each of an invoice of its own. */
function add(endpoint: string, count: number, dueMs: bigint): void {
  store.commit((batch) => {
    for (let place = 0; place < count; place += 1) {
      const invoice = asInvoiceId(`inv_${place.toString(16).padStart(32, "0")}`);
      store.deliveries.add(batch, endpoint, {
        merchant: asMerchantId("shop"),
        event: { invoice, version: 1 },
        ...{ state: "waiting", attempts: 0, error: null, again: null, told: null },
        createdMs: asTimestampMs(dueMs),
        dueMs: asTimestampMs(dueMs),
      });
    }
  });
}

function endpointsOf(due: readonly DueDelivery[]): ReadonlySet<string> {
  return new Set(due.map(({ key }) => key.split("/")[0] ?? ""));
}

it("comes to every webhook, however many deliveries of one that hangs stand in front", () => {
  add("hangs", BACKLOG, 1n);
  add("waits", 3, 2n);
  const seen: boolean[] = [];
  for (let look = 0; look < 8; look += 1) {
    const due = queue.due(NOW, MOST);
    expect(due.length).toBeLessThanOrEqual(MOST);
    expect(new Set(due.map(({ lane }) => lane)).size).toBe(due.length);
    seen.push(endpointsOf(due).has("waits"));
  }
  expect(seen).toContain(true);
  // The oldest of the webhook that hangs is still tried first.
  expect(queue.due(NOW, MOST)[0]?.key).toBe("hangs/1");
});

it("begins anew behind its last look, also when what stood there has gone", () => {
  add("hangs", BACKLOG, 1n);
  queue.due(NOW, MOST);
  store.commit((batch) => store.deliveries.deleteEndpoint(batch, "hangs"));
  add("waits", 1, 2n);
  expect([...endpointsOf(queue.due(NOW, MOST))]).toEqual(["waits"]);
});
