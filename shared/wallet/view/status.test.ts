import { describe, expect, it } from "vitest";
import { asChainIndex } from "../../base/brand.ts";
import { walletStatus, type StatusFacts } from "./status.ts";

const calm: StatusFacts = {
  unlocked: true,
  opened: true,
  failures: 0,
  problem: null,
  birthdayIndex: asChainIndex(0n),
  cursorIndex: asChainIndex(1_000n),
  tipIndex: asChainIndex(1_000n),
  everSynced: true,
  historyMissing: false,
  history: null,
};

describe("walletStatus", () => {
  it.each<[string, Partial<StatusFacts>, string, boolean, boolean]>([
    ["locked", { unlocked: false }, "locked", false, false],
    ["not opened", { opened: false }, "opening", false, false],
    ["without an answer yet", { tipIndex: null }, "opening", false, false],
    ["offline", { failures: 5 }, "offline", true, false],
    ["offline before the first scan", { failures: 5, everSynced: false }, "offline", false, false],
    ["scanning", { cursorIndex: asChainIndex(500n), everSynced: false }, "scanning", false, false],
    ["catching up", { cursorIndex: asChainIndex(900n) }, "catching-up", true, false],
    ["ready", {}, "ready", true, true],
    ["close enough", { cursorIndex: asChainIndex(968n) }, "ready", true, true],
    ["faulty", { problem: { code: "wallet/bad-page", data: {} } }, "degraded", true, false],
  ])("%s", (_, change, phase, final, canSpend) => {
    expect(walletStatus({ ...calm, ...change })).toMatchObject({ phase, final, canSpend });
  });

  it("never claims to be done while work remains", () => {
    const at = (cursor: bigint, tip: bigint) =>
      walletStatus({ ...calm, cursorIndex: asChainIndex(cursor), tipIndex: asChainIndex(tip) });
    expect(at(999_999n, 1_000_000n)).toMatchObject({ behind: 1n, permille: 999 });
    expect(at(0n, 1_000_000n).permille).toBe(0);
    expect(at(5n, 5n).permille).toBe(1_000);
    expect(at(6n, 5n)).toMatchObject({ behind: 0n, permille: 1_000 });
  });
});
