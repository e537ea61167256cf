/** Tries to sign in, counted over the whole app: by host, and by till whatever the host. */
import { expect, it } from "vitest";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import { callRates } from "../callRates.ts";
import { gatewayApp } from "../gatewayApp.ts";
import { tillHandlers } from "../handlers/tillHandlers.ts";
import type { PosPagesParts } from "../pos/posPages.ts";
import type { TillPort } from "./tillPort.ts";

const FAR = new Error("nothing else is asked for");

/** An app whose tills have no password; each request says which host it comes from. */
function strangersApp() {
  const asked: string[] = [];
  const tills: TillPort = {
    signIn: async (name) => {
      asked.push(name);
      return null;
    },
    session: async () => null,
    deviceOf: async () => null,
    signOut: async () => undefined,
  };
  const far = (): never => {
    throw FAR;
  };
  const till: PosPagesParts & { invoices: { create: () => never } } = {
    ...{ tills, isSecure: () => true, place: far, assets: new Map() },
    invoices: { create: far, list: far },
    prices: { rate: far, rates: far },
  };
  const app = gatewayApp({
    handlers: tillHandlers(till),
    merchants: { keyOf: async () => null },
    ...{ pages: null, greenfield: null, till, rates: callRates(() => 0, 1_000) },
    callerOf: (c) => c.req.header("x-host") ?? "",
    randomBytes: (length) => new Uint8Array(length),
    onError: () => undefined,
    stopped: new AbortController().signal,
  });
  const signIn = async (host: string, name: string): Promise<number> => {
    const headers = { "Content-Type": "application/json", "X-Host": host };
    const body = JSON.stringify({ till: name, password: "a wrong password" });
    return (await app.request("/pos/v1/session", { method: "POST", headers, body })).status;
  };
  return { asked, signIn };
}

const TRIES = MERCHANT_LIMITS.tillSignInsPerMinute;

it("many hosts together try one till no faster than one", async () => {
  const { asked, signIn } = strangersApp();
  const statuses: number[] = [];
  for (let host = 0; host < 50; host += 1) statuses.push(await signIn(`host ${host}`, "counter"));
  expect(statuses.filter((status) => status === 401)).toHaveLength(TRIES);
  expect(statuses.filter((status) => status === 429)).toHaveLength(50 - TRIES);
  expect(asked).toHaveLength(TRIES);
  // Another till has its own share.
  expect(await signIn("host 60", "terrace")).toBe(401);
});

it("one host tries many tills no faster than one", async () => {
  const { asked, signIn } = strangersApp();
  for (let till = 0; till < 50; till += 1) await signIn("host", `till-${till}`);
  expect(asked).toHaveLength(TRIES);
  expect(await signIn("another host", "till-49")).toBe(401);
});
