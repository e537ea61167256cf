import { describe, expect, test } from "vitest";
import { MEMPOOL_LIMITS } from "./mempoolLimits.ts";
import { RPC_LIMITS } from "../rpc/rpcLimits.ts";
import { AdmissionQuota } from "./admissionQuota.ts";

/** How many places a source gets before the first refusal. */
function taken(places: AdmissionQuota, source: string, bytes = 1, most = 2_000): number {
  for (let count = 0; count < most; count += 1) {
    try {
      places.take(source, bytes);
    } catch (error) {
      expect(String(error)).toContain("mempool/verification-queue-full");
      return count;
    }
  }
  return most;
}

describe("places in admission", () => {
  test("a source has its share, and gets a place back once", () => {
    const places = new AdmissionQuota();
    const leave = places.take("a", 1);
    expect(taken(places, "a")).toBe(MEMPOOL_LIMITS.mempoolSourceAdmissions - 1);
    leave();
    leave();
    expect([taken(places, "a"), places.size]).toEqual([1, MEMPOOL_LIMITS.mempoolSourceAdmissions]);
  });

  test("sources that hold all they may leave the last places to those that have none", () => {
    const places = new AdmissionQuota();
    let busy = 0;
    for (let n = 0; n < 20; n += 1) busy += taken(places, `busy ${n}`, 1, 1_000);
    const open = MEMPOOL_LIMITS.mempoolAdmissions - MEMPOOL_LIMITS.mempoolNewcomers;
    // Six have their whole share; those after them have one place each.
    expect(busy).toBe(open + 20 - open / MEMPOOL_LIMITS.mempoolSourceAdmissions);
    const left = MEMPOOL_LIMITS.mempoolAdmissions - busy;
    const others = Array.from({ length: left + 1 }, (_, n) => taken(places, `new ${n}`, 1, 1));
    expect(others.filter((count) => count === 1)).toHaveLength(left);
    expect(others.at(-1)).toBe(0);
  });

  test("bytes are bounded for each source and for all", () => {
    const places = new AdmissionQuota();
    const bytes = RPC_LIMITS.rawTransactionBytes;
    const each = Math.floor(MEMPOOL_LIMITS.mempoolSourceBytes / bytes);
    expect(taken(places, "a", bytes)).toBe(each);
    let all = each;
    for (let n = 0; n < 512; n += 1) all += taken(places, `${n}`, 8 * bytes, 1) * 8;
    expect(all * bytes).toBeLessThanOrEqual(MEMPOOL_LIMITS.mempoolAdmissionBytes);
    expect((all + 8) * bytes).toBeGreaterThan(MEMPOOL_LIMITS.mempoolAdmissionBytes);
  });

  test("this node's own are counted and never refused", () => {
    const places = new AdmissionQuota();
    const leave = Array.from({ length: 2 * MEMPOOL_LIMITS.mempoolAdmissions }, () =>
      places.take(undefined, 1),
    );
    expect(taken(places, "a")).toBe(0);
    for (const free of leave) free();
    expect([places.size, taken(places, "a", 1, 1)]).toEqual([0, 1]);
  });
});
