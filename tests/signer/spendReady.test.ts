/** A device and the status of its daemon: fields may be absent or unknown, and nothing is prepared or sent without `spend_ready`. */
import { describe, expect, it } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { DaemonModel } from "./daemonModel.ts";
import { payScene } from "./payScene.ts";
import { HONEST } from "./signerCases.ts";

const { signer, request, answered, changed, silentPart } = payScene();
const { signal } = new AbortController();
const full: Readonly<Record<string, unknown>> = WALLET_ROUTES.status.example.answer;

/** What becomes of a payment over a daemon that says this of itself, and how many calls it had. */
async function outcome(status: string): Promise<readonly [string, number, number]> {
  const daemon = new DaemonModel([answered(HONEST)]);
  daemon.status = async () => status;
  const code = await rejectionCode(signer.pay(daemon, request, () => undefined, signal));
  return [code, daemon.prepares.length, daemon.submits.length];
}

const PAID = ["none", 1, 1];
const without = (field: string) =>
  JSON.stringify(Object.fromEntries(Object.entries(full).filter(([name]) => name !== field)));
const withField = (field: string, value: unknown) => JSON.stringify({ ...full, [field]: value });

describe("a daemon's status", () => {
  const others = Object.keys(full).filter((field) => field !== "spend_ready");

  it.each(others)("may lack %s", async (field) => {
    expect(await outcome(without(field))).toEqual(PAID);
  });

  it("may have fields that nobody knows, and great numbers", async () => {
    expect(await outcome(withField("later", { deep: [1] }))).toEqual(PAID);
    expect(await outcome(withField("daa_score", 2 ** 60))).toEqual(PAID);
  });

  it("sends nothing without spend_ready, whatever else it says", async () => {
    for (const text of [
      without("spend_ready"),
      withField("spend_ready", false),
      withField("spend_ready", null),
      JSON.stringify({ synced: true, spendable_sompi: "1000000000" }),
      "{}",
    ]) {
      expect(await outcome(text), text).toEqual(["signer/not-ready", 0, 0]);
    }
  });

  it("sends nothing where it is no status", async () => {
    for (const text of [withField("spend_ready", "true"), withField("spend_ready", 1), "[", "7"]) {
      expect(await outcome(text), text).toEqual(["signer/bad-prepared", 0, 0]);
    }
  });

  it("is looked at before each part of a payment", async () => {
    const first = changed((answer) => (answer.remaining_sompi_exact = String(request.amount)));
    const daemon = new DaemonModel([first, silentPart(0n)]);
    daemon.status = async () => JSON.stringify({ spend_ready: daemon.submits.length === 0 });
    const asked = { ...request, amount: asSompi(2n * request.amount), allowChunking: true };
    const paid = signer.pay(daemon, asked, () => undefined, signal);
    expect(await rejectionCode(paid)).toBe("signer/partly-paid");
    expect([daemon.prepares.length, daemon.submits.length]).toEqual([1, 1]);
  });
});
