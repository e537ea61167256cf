import { describe, expect, it } from "vitest";
import { restDocument } from "@svc/shared/protocol/rest/openApi.ts";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";
import { carriedIn } from "./carriedIn.ts";
import { reasonKeyOf } from "./dropReason.ts";
import { callsOf } from "./openApiCalls.ts";
import { MISSING_REASONS } from "@svc/shared/protocol/rest/missingReason.ts";
import { unknownReasonOf } from "./unknownReason.ts";

function block(name: string, txs: readonly [string, "coinbase" | "payment"][]) {
  return {
    block_hash: name,
    timestamp: "5",
    txs: txs.map(([txId, kind]) => ({ txId, kind, actions: kind === "payment" ? 2 : 0 })),
  };
}

describe("the transactions of blocks", () => {
  it("are listed once, payments first, under the newest block that carries them", () => {
    const blocks = [
      block("new", [
        ["c1", "coinbase"],
        ["p1", "payment"],
      ]),
      block("old", [
        ["c2", "coinbase"],
        ["p1", "payment"],
      ]),
    ];
    expect(carriedIn(blocks, 9).map(({ txid, block: by }) => `${txid} ${by}`)).toEqual([
      "p1 new",
      "c1 new",
      "c2 old",
    ]);
    expect(carriedIn(blocks, 1)).toHaveLength(1);
  });
});

describe("a reason", () => {
  it("of a dropped payment is a message, or the code as it is", () => {
    expect(reasonKeyOf("tx/nullifier-spent")).toBe("reason.spent");
    expect(reasonKeyOf("constructor")).toBeNull();
  });

  it("of an unknown hash is what the node said, and no more", () => {
    const fault = (code: string, reason?: string) => ({ error: "", code, reason });
    expect(unknownReasonOf(null)).toBe("never-seen");
    expect(unknownReasonOf(fault("chain/unknown-transaction"))).toBe("never-seen");
    expect(unknownReasonOf(fault("chain/unknown-transaction", "else"))).toBe("never-seen");
    expect(unknownReasonOf(fault("chain/pruned"))).toBe("pruned");
    for (const reason of MISSING_REASONS) {
      expect(unknownReasonOf(fault("chain/unknown-transaction", reason))).toBe(reason);
    }
  });
});

describe("the calls of the OpenAPI document", () => {
  it("are all rows of the table, each with its words and an example", () => {
    const calls = callsOf(restDocument());
    const rows = Object.values(REST_ROUTES);
    const named = calls.map(({ path }) => path.replace(/\.csv$/, ""));
    expect(new Set(named)).toEqual(new Set(rows.map(({ path }) => path)));
    for (const { id, about } of calls) {
      expect(about).not.toBe("");
      expect(id).toMatch(/^[a-z][\w-]+$/);
    }
    expect(calls.filter(({ example }) => example !== null).length).toBeGreaterThan(20);
  });

  it.each([
    null,
    7,
    "text",
    [],
    { paths: 3 },
    { paths: { "/x": null } },
    { paths: { "/x": { get: 1 } } },
  ])("of %j, which is no such document, are few and no error", (document) => {
    expect(callsOf(document).length).toBeLessThan(2);
  });
});
