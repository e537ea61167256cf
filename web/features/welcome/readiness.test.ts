import { expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NetworkView, Snapshot } from "../../wallet-api/walletApi.ts";
import { startSnapshot } from "../../wallet-api/startSnapshot.ts";
import { readinessOf, type Readiness } from "./readiness.ts";

const NETWORK: NetworkView = { name: "net", digest: "00", hrp: "n", builtIn: true };
const START = startSnapshot("http://node.test");
const PROBLEM = new SvcError("wallet/worker-failed", { reason: "no answer" }).toJSON();
const CORE: Snapshot = { ...START, access: "no-wallet", core: { state: "ready", problem: null } };
const node = (change: Partial<Snapshot["node"]>) => ({ ...START.node, ...change });

const CASES: readonly (readonly [Readiness, Snapshot])[] = [
  ["loading", START],
  ["loading", { ...START, access: "no-wallet" }],
  ["failed", { ...START, core: { state: "failed", problem: PROBLEM } }],
  // What was known before the core failed does not make a wallet.
  ["failed", { ...START, network: NETWORK, core: { state: "failed", problem: PROBLEM } }],
  ["node", CORE],
  ["node", { ...CORE, node: node({ state: "offline" }) }],
  ["refused", { ...CORE, node: node({ state: "refused" }), network: NETWORK }],
  ["consent", { ...CORE, node: node({ state: "online", network: NETWORK }) }],
  ["loading", { ...CORE, access: "starting", network: NETWORK }],
  ["ready", { ...CORE, network: NETWORK }],
];

it.each(CASES)("is %s", (readiness, snapshot) => {
  expect(readinessOf(snapshot)).toBe(readiness);
});
