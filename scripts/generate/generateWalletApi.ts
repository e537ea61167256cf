/**
 * Writes `docs/programs/walletd-api.md` from the text beside it (`walletd-api.in.md`) and the table of the wallet API.
 *
 * `--check` writes nothing and exits 1 when the page is out of date.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { apiSentence } from "@svc/shared/protocol/wallet/apiError.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import type { Credential, RouteGroup, WalletKinds } from "@svc/shared/protocol/wallet/route.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { renderRows } from "./apiPage.ts";
import { fillSlots } from "./generateProgramPage.ts";
import { writeGenerated } from "./writeGenerated.ts";

const TEXT = new URL("../../docs/programs/walletd-api.in.md", import.meta.url);

const TITLES: Readonly<Record<RouteGroup, string>> = {
  status: "State of the daemon and of a wallet",
  keys: "Keys",
  scan: "What the scan found",
  spend: "Payments",
  device: "Payments that a device signs",
  proofs: "Payment proofs",
  jobs: "Jobs",
  events: "Deposit feed",
  tokens: "Scoped tokens and approvals",
};

const CREDENTIALS: Readonly<Record<Credential, string>> = {
  none: "none",
  "token-if-given": "wallet token; without one the answer says `has_wallet: false`",
  token: "wallet token",
  "token-and-custodial": "wallet token; refused with `--no-custodial` and for a watch-only wallet",
};

/** The page. */
export function renderWalletApi(rows: readonly RouteContract<WalletKinds>[]): string {
  const words = { titles: TITLES, credentials: CREDENTIALS, sentenceOf: apiSentence };
  return fillSlots(readFileSync(TEXT, "utf8"), { routes: renderRows(rows, words) });
}

async function main(check: boolean): Promise<number> {
  const page = renderWalletApi(Object.values(WALLET_ROUTES));
  return writeGenerated(new Map([["docs/programs/walletd-api.md", page]]), check);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
