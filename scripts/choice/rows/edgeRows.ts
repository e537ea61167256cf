/** Rows of `edge/` and of the texts that tests read: what shows each, the best witness first (`shownRooms.ts` has the form of a row). */

/** Rooms of the Workers and the shops' plugins, documents that are run or read, and the test files that show them. */
export const EDGE_ROWS: Readonly<Record<string, string>> = {
  edge: `
    integration/edge/edgeProgram integration/edge/edgeExplorer e2e/checkout/hostedCheckout
    e2e/explorer/edgeExplorer`,
  "edge/platform": `
    integration/edge/hostedKills e2e/checkout/hostedCheckout integration/edge/hostedPayments
    integration/edge/hostedEvidence integration/edge/edgeExplorer`,
  "edge/gateway": `
    integration/edge/hostedPayments integration/edge/hostedEvidence e2e/checkout/hostedCheckout
    integration/edge/edgeProgram`,
  "edge/explorer": `
    integration/edge/edgeExplorer e2e/explorer/edgeExplorer`,
  "edge/explorer/answers": "integration/edge/edgeExplorer e2e/explorer/edgeExplorer",
  "edge/explorer/facade": "integration/edge/edgeExplorer e2e/explorer/edgeExplorer",
  "edge/explorer/history": "integration/edge/edgeExplorer e2e/explorer/edgeExplorer",
  "edge/explorer/migrations": "integration/edge/edgeExplorer e2e/explorer/edgeExplorer",
  "edge/explorer/origin": "integration/edge/edgeExplorer e2e/explorer/edgeExplorer",
  "edge/explorer/pages": "e2e/explorer/edgeExplorer integration/edge/edgeExplorer",
  "edge/plugin/vendure": `
    plugins/vendureOptions plugins/vendurePayments plugins/vendureWebhooks plugins/vendureBrowser`,
  "edge/plugin/woocommerce": "plugins/woocommerce plugins/woocommerceContract",

  "README.md": `
    network/wallets/readmePayments e2e/checkout/readmeGetPaid e2e/payments/readmeFirstPayment`,
  "SECURITY.md": "e2e/explorer/checks",
  "docs/guides/wallet-merchants.md": "network/wallets/walletGuides",
  "docs/guides/wallet-phones.md": "network/wallets/walletGuides",
};
