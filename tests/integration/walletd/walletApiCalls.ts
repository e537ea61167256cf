/** What the contract tests of the wallet API share: a chain with money on it, its wallets, and requests that can be served. */
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { WALLET_ROUTES, type RouteName } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core, recipient } from "../engine/engineFixture.ts";
import { mineOn, never } from "../node/nodeFixture.ts";
import { exampleOf, needsToken } from "./walletApiBadRequests.ts";
import { ROUTE_NAMES, type Asked, type WalletApiScene } from "./walletApiScene.ts";

/** Sompi of a coin. */
export const COIN = 100_000_000n;
/** The recorded chain. */
export const fixture = readPaymentFixture();
const { alice, bob } = fixture.owners;
/** The byte of which the seed of the device is made. */
export const DEVICE_BYTE = 0x44;
/** Tokens: of a wallet with its seed, of bob's that is watched, of the device's, and of nobody. */
export const ALICE = "a1".repeat(16);
export const WATCHED = "b2".repeat(16);
export const DEVICE = "d4".repeat(16);
export const NOBODY = "e5".repeat(16);
/** Calls that spend with a seed of the daemon. */
export const SPENDERS = ["send", "sendMany", "consolidate"] as const;
/** Addresses that nobody can be paid at, with the codes that say why. */
export const BAD_ADDRESSES = [
  [alice.address.replace(/.$/, "q"), "address/bad-checksum"],
  [alice.address.replace("svcsim:", "svc:"), "address/wrong-network"],
  [alice.address.replace("svcsim:", ""), "address/missing-prefix"],
  [`${alice.address}b`, "address/bad-character"],
] as const;
/** The viewing key of bob's wallet. */
export const bobFvk = encodeHex(core.fullViewingKey(decodeHex(bob.seed)));
/** Fields that no row has. */
export const UNKNOWN_FIELDS = { later: { field: [1] }, large: 2 ** 60, none: null };
/** A field that no query has. */
export const UNKNOWN_QUERY = { later: "1" };
/** How the typed client is called. */
export const options = { signal: never };

/** Calls that a token without a wallet may make. */
const WALLETLESS: ReadonlySet<string> = new Set(["create", "import", "watch", "warmChainTree"]);
const NEEDS_BLOCKS = [
  "balance",
  "history",
  "send",
  "sendMany",
  "consolidate",
  "prepare",
  "payout",
] as const;

const SERVER_ROWS: ReadonlySet<RouteName> = new Set([
  "payout",
  "payoutReport",
  "webhooks",
  "redeliver",
  ...ROUTE_NAMES.filter((name) => WALLET_ROUTES[name].group === "tokens"),
]);

/** Rows for the servers of shops and exchanges: payouts, scoped tokens and webhooks. */
export function serverRows(): readonly RouteName[] {
  return [...SERVER_ROWS];
}

/** The row of receipts, which needs a payment with hundreds of blocks above it: `walletReceipts.test.ts`. */
export const RECEIPT_ROWS: readonly RouteName[] = ["receipt"];

/** The other rows of these groups. */
export function rowsOf(groups: readonly string[]): readonly RouteName[] {
  return ROUTE_NAMES.filter(
    (name) =>
      groups.includes(WALLET_ROUTES[name].group) &&
      !SERVER_ROWS.has(name) &&
      !RECEIPT_ROWS.includes(name),
  );
}

/** A file of payouts: one to bob. */
export function payoutFile(amount: string): string {
  return `to,amount,reference\n${bob.address},${amount},order-17\n`;
}

/** A payment of alice to bob. */
export function payment(over: object = {}): Asked {
  const body = { to: bob.address, amount_sompi: String(COIN), memo: "order 17", ...over };
  return { token: ALICE, body };
}

/** A request of alice's wallet that can be served. */
export function exampleWith(name: RouteName): Asked {
  if (name === "send") return payment();
  if (name === "sendMany") return { body: { payees: [payment().body] } };
  if (name === "payout") return { body: { format: "csv", data: payoutFile("0.5") } };
  if (name !== "prepare") return {};
  const fvk_hex = encodeHex(core.fullViewingKey(decodeHex(alice.seed)));
  return { body: { fvk_hex, to: bob.address, amount_sompi: "1" } };
}

/** The chain of the fixture, on which alice has notes; then the device's wallet has mined some. */
export async function fund(node: RunningNode): Promise<void> {
  for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) {
    await node.api.submitBlock(raw, never);
  }
  await mine(node, 24, DEVICE_BYTE);
}

/** Mines blocks to the wallet of this seed, 7 for that of a stranger. */
export async function mine(node: RunningNode, blocks: number, byte = 7): Promise<void> {
  for (let block = 0; block < blocks; block += 1) await mineOn(node, recipient(byte));
}

/** `row refusal` of each row that needs a wallet, where there is none. */
export async function answersToNobody(
  scene: WalletApiScene,
  rows: readonly RouteName[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of rows) {
    if (!needsToken(name) || WALLETLESS.has(name)) continue;
    found.push(`${name} ${await scene.code(name, { ...exampleOf(name), token: NOBODY })}`);
  }
  return found;
}

/** `row refusal` of each of the rows that need a block, at a daemon whose node is away. */
export async function answersWithoutNode(
  scene: WalletApiScene,
  rows: readonly RouteName[],
): Promise<readonly string[]> {
  await scene.client(ALICE).import({ seed_hex: alice.seed }, options);
  const found: string[] = [];
  for (const name of NEEDS_BLOCKS) {
    if (!rows.includes(name)) continue;
    found.push(`${name} ${await scene.code(name, { ...exampleWith(name), token: ALICE })}`);
  }
  return found;
}
