/** Compares the refusals that a row lists with those that came, and says which ones the contract tests do not provoke, and why. */
import { WALLET_ROUTES, type RouteName } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { ROUTE_NAMES } from "./walletApiScene.ts";

/** A code, or a row and a code where other rows answer it: what it needs, and the test that shows it. */
const UNPROVOKED: Readonly<Record<string, string>> = {
  "keys/random-unavailable": "a system without randomness: proofPool.test.ts",
  "wallet/bad-seed": "none of 2^256 seeds is known to be unusable: walletFolder.test.ts",
  "address/bad-version": "check digits over another version: the core's address tests",
  "address/bad-length": "check digits over fewer bytes: the core's address tests",
  "address/bad-padding": "check digits over a damaged end: the core's address tests",
  "address/bad-key": "check digits over bytes that are no key: the core's address tests",
  "wallet/not-synced": "a wallet behind the tip at the very moment: spendService.test.ts",
  "wallet/rows-lost": "a database that was put back: walletDaemon.test.ts",
  "wallet/false-record": "a lying node: lyingNode.test.ts",
  "queue/full": "thousands of jobs: spendJobs.test.ts",
  "prove/failed": "a prover that fails: spendService.test.ts, preparedSessions.test.ts",
  "wallet/prove-queue": "a prover that is busy for three minutes: preparedSessions.test.ts",
  "wallet/payment-pending":
    "notes in a payment under way: planner.test.ts, preparedSessions.test.ts",
  "wallet/too-few-notes": "dozens of small notes: planTransfer.test.ts",
  "wallet/retry-unsafe": "a payment that may still go through: retry.test.ts",
  "wallet/payment-rejected": "a node that refuses: spendService.test.ts, preparedSessions.test.ts",
  "wallet/partly-sent": "a node that refuses the second transaction: spendService.test.ts",
  "tx/nullifier-spent":
    "another wallet with the seed: sharedSeed.test.ts, preparedSessions.test.ts",
  "payout wallet/funds-maturing": "a wallet whose notes mature: the same plan as of sendMany",
  "receipt wallet/node-compact-only": "a node of the parent network: keptEvidence.test.ts",
  "cancelJob wallet/opening": "a job of a former run: spendJobs.test.ts",
};

/** Listed refusals of these rows that did not come and have no reason, and reasons for some that came or that no row lists. */
export function unlikeListed(
  rows: readonly RouteName[],
  came: ReadonlySet<string>,
): { readonly missing: readonly string[]; readonly needless: readonly string[] } {
  const pairs = (names: readonly RouteName[]) =>
    names.flatMap((name) =>
      WALLET_ROUTES[name].refusals.map((code) => ({ both: `${name} ${code}`, code })),
    );
  const missing = pairs(rows)
    .map(({ both, code }) => ({ both, code, hasReason: both in UNPROVOKED || code in UNPROVOKED }))
    .filter(({ both, hasReason }) => !hasReason && !came.has(both))
    .map(({ both }) => both);
  const listed = new Set(pairs(ROUTE_NAMES).flatMap(({ both, code }) => [both, code]));
  const keys = new Set([...came].flatMap((both) => [both, both.split(" ")[1] ?? ""]));
  const needless = Object.keys(UNPROVOKED).filter((key) => !listed.has(key) || keys.has(key));
  return { missing, needless };
}
