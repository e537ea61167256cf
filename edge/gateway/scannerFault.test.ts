/** A scanner that does not believe its node, and says so: whoever asks how the gateway is hears it as that scanner's claim. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { env } from "cloudflare:workers";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { decodeFactBatch, encodeFactBatch } from "@svc/shared/invoice/factBatch.ts";
import type { NodeFault } from "@svc/shared/light/nodeFault.ts";
import { GatewayCaller } from "../../tests/gateway/gatewayCaller.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";

const SINCE = asTimestampMs(4_102_444_800_000n);
const FAULT: NodeFault = {
  ...{ code: "evidence/other-notes", sinceMs: SINCE },
  data: { block: "ab", expected: "0", found: "1" },
};
const SENTENCE =
  "the scanner says of its node, since 2100-01-01T00:00:00.000Z: This node left out or made up payments: at block ab the chain commits to other notes. (evidence/other-notes)";

let host: EdgeHost;
beforeEach(async () => {
  host = await EdgeHost.open();
});
afterEach(() => host.close());

const ready = async () => (await new GatewayCaller(host, null).ask("GET", "/health/ready")).json;
const admin = async () => (await host.admin("scanner", "{}")).json();

/** A batch with a fault; `number` is 2 for the first of a test. */
function batch(number: bigint, fault: NodeFault): string {
  return encodeFactBatch({ ...decodeFactBatch(host.batch(number, [], 100n)), fault });
}

describe("a fault that a scanner tells", () => {
  it("is named with its code, its sentence and its time, until the scanner proves again", async () => {
    expect(await ready()).toMatchObject({ ready: true, reasons: [] });
    await host.tellFacts([], 101n, undefined, FAULT);
    expect(await ready()).toMatchObject({ ready: false, reasons: [SENTENCE] });
    await host.tellFacts([], 102n, undefined, FAULT);
    expect(await ready()).toMatchObject({ reasons: [SENTENCE] });
    await host.tellFacts([], 103n);
    expect(await ready()).toMatchObject({ ready: true, reasons: [] });
  });

  it("is named to the operator, with what else the scanner told last, and to nobody who does not sign", async () => {
    await host.tellFacts([], 101n, undefined, FAULT);
    const sentence =
      "This node left out or made up payments: at block ab the chain commits to other notes.";
    const fault = { code: FAULT.code, sentence, sinceMs: String(SINCE) };
    expect(await admin()).toMatchObject({
      ...{ scanner: env.SVC_SCANNER, reasons: [SENTENCE] },
      told: { blueScore: "101", proves: false, fault },
    });
    await host.tellFacts([], 102n, { tip: null, ladder: { believedTo: null, steps: [] } });
    expect(await admin()).toMatchObject({ reasons: [], told: { proves: true, fault: null } });
    expect((await host.admin("scanner", "{}", "another secret")).status).toBe(401);
  });

  it("stands beside the silence of the scanner that told it", async () => {
    await host.tellFacts([], 101n, undefined, FAULT);
    await host.pass(120_000n);
    const silent = "the scanner tells nothing any more";
    expect(await ready()).toMatchObject({ reasons: [silent, SENTENCE] });
  });

  it("is told by nobody but the scanner: no other secret, name, or number of before", async () => {
    await host.tellFacts([], 101n);
    expect((await host.push(batch(3n, FAULT), "another secret")).status).toBe(401);
    const stranger = { ...decodeFactBatch(batch(3n, FAULT)), scanner: "stranger" };
    expect((await host.push(encodeFactBatch(stranger))).status).toBe(401);
    expect((await host.push(batch(2n, FAULT))).status).toBe(409);
    expect((await host.push(batch(9n, FAULT))).status).toBe(409);
    expect(await ready()).toMatchObject({ ready: true, reasons: [] });
  });

  it("has bounds, and one beyond them is no batch", async () => {
    const long = { ...FAULT, data: { block: "x".repeat(10_000) } };
    expect((await host.push(batch(2n, long))).status).toBe(400);
    const late = { ...FAULT, sinceMs: asTimestampMs(2n ** 63n) };
    expect((await host.push(batch(2n, late))).status).toBe(400);
    expect(await ready()).toMatchObject({ ready: true });
  });

  it("of a code that only a newer scanner knows is named all the same", async () => {
    await host.tellFacts([], 101n, undefined, { ...FAULT, code: "evidence/of-next-year" });
    expect(await ready()).toMatchObject({
      reasons: [
        "the scanner says of its node, since 2100-01-01T00:00:00.000Z: Its evidence does not hold. (evidence/of-next-year)",
      ],
    });
  });
});
