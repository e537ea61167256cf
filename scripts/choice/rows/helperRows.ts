/**
 * Rows of data below `tests/`. A helper in TypeScript counts for the test files that import or start it; these rows speak for data whose
 * path is made at run time, and for programs in PHP (`shownRooms.ts` has the form of a row).
 */

/** Folders below `tests/` that hold data, and the test files that show them. */
export const HELPER_ROWS: Readonly<Record<string, string>> = {
  "tests/fixtures": `
    integration/payments/recordedPayments integration/payments/payments network/program/otherLayouts
    network/sync/firstSync e2e/storage/walletStore integration/walletd/airgapSigning`,
  "tests/plugins": "plugins/btcpayShop plugins/btcpayProcess",
  "tests/profiles":
    "integration/node/nodePruning integration/gateway/gatewayWork network/sync/firstSync",
  "tests/vectors": `
    integration/engine/recordedImport integration/node/mergedMining integration/rest/rest
    integration/walletd/walletApi network/peers/recordedSync suite:sim`,
};
