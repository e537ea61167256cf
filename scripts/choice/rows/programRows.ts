/** Rows of the programs in `node-server/`: what shows each of their rooms, the best witness first (`shownRooms.ts` has the form of a row). */

/** Rooms of the commands, the wallet daemon and the gateway, and the test files that show them. */
export const PROGRAM_ROWS: Readonly<Record<string, string>> = {
  "node-server/app": `
    integration/node/program network/program/startErrors network/walletd/walletdStart
    integration/gateway/gatewayTills integration/node/node network/program/programSignals`,
  "node-server/app/disclosure": `
    integration/walletd/deviceOverDaemon`,
  "node-server/app/folder": `
    network/program/dataFolders network/program/startErrors integration/engine/fullDisk
    integration/engine/powerLoss integration/node/storeVerify network/sync/archivalSwitch
    network/program/otherLayouts network/program/damagedStore`,
  "node-server/app/gateway": `
    integration/gateway/gatewayTills integration/walletd/newWallet integration/gateway/gatewayDrill
    plugins/btcpayProcess integration/gateway/x402Kill integration/edge/hostedEvidence
    e2e/checkout/readmeGetPaid network/gateway/gatewayKills`,
  "node-server/app/node": `
    integration/node/node integration/node/peers integration/index/indexedNode
    integration/engine/fullDisk integration/rpc/decodings integration/rpc/rpc
    integration/node/nodePruning network/wallets/embeddedWallets network/sync/initialSync
    network/program/uncaughtFault network/program/soak`,
  "node-server/app/options": `
    network/program/startErrors integration/node/peers integration/node/proxiedNode
    network/peers/ipv6 integration/index/indexedNode network/walletd/walletdStart`,
  "node-server/app/program": `
    network/program/startErrors integration/node/program network/program/closedOutput
    network/program/uncaughtFault network/program/programSignals network/sync/signals
    network/program/memory network/program/damagedStore`,
  "node-server/app/receipt": `
    integration/evidence/receipts integration/evidence/prunedReceipts
    integration/evidence/walletReceipts integration/evidence/sentReceipts`,
  "node-server/app/seeder":
    "network/peers/seeder network/program/programSignals network/program/startErrors",
  "node-server/app/sim": `
    network/program/programSignals`,
  "node-server/app/verify": `
    integration/node/storeVerify integration/node/storeVerifyOrder integration/node/program
    integration/engine/fullDisk integration/node/nodePruning network/program/damagedStore`,
  "node-server/app/walletd": `
    network/walletd/walletdStart network/walletd/walletSecrets network/wallets/walletGuides
    network/wallets/readmePayments network/walletd/walletdFaults network/walletd/walletdKills`,

  "node-server/walletd": `
    integration/walletd/walletDaemon integration/walletd/walletdCalls integration/walletd/walletApi
    network/walletd/walletdStart network/wallets/embeddedWallets network/walletd/walletdFaults`,
  "node-server/walletd/device": `
    integration/walletd/deviceOverDaemon integration/walletd/walletApiPayments
    integration/walletd/walletProves`,
  "node-server/walletd/feed": `
    integration/walletd/walletWebhook integration/walletd/walletApiServers
    network/deposits/depositMemos network/walletd/walletdKills`,
  "node-server/walletd/http": `
    integration/walletd/walletApi integration/walletd/walletOpenApi integration/walletd/walletdCalls
    integration/walletd/walletApiPayments integration/walletd/walletApiServers
    integration/walletd/deviceOverDaemon network/wallets/embeddedWallets
    network/wallets/readmePayments`,
  "node-server/walletd/keys": `
    network/walletd/walletSecrets integration/walletd/walletDaemon integration/walletd/newWallet
    integration/walletd/walletApi network/walletd/walletdFaults`,
  "node-server/walletd/public": `
    network/wallets/walletGuides network/wallets/embeddedWallets network/walletd/walletdStart`,
  "node-server/walletd/receipts": `
    integration/evidence/walletReceipts integration/walletd/walletApiPayments
    integration/walletd/walletApi`,
  "node-server/walletd/spend": `
    integration/engine/proofQueue integration/walletd/walletProves
    integration/walletd/walletApiPayments integration/walletd/walletApiServers
    integration/walletd/walletdCalls integration/walletd/deviceOverDaemon
    network/walletd/walletdKills network/walletd/walletdFaults network/walletd/walletdLines
    network/wallets/readmePayments`,
  "node-server/walletd/store": `
    integration/walletd/walletDaemon integration/walletd/walletdCalls
    integration/walletd/walletWebhook integration/walletd/deviceOverDaemon
    network/walletd/walletSecrets network/walletd/walletdKills network/walletd/walletdFaults`,
  "node-server/walletd/tools": `
    network/walletd/walletdFaults network/walletd/walletdKills`,
  "node-server/walletd/wallets": `
    integration/walletd/walletDaemon integration/walletd/coinbaseAddresses
    integration/walletd/walletMissingHistory integration/walletd/walletdCalls
    network/wallets/manyWallets network/walletd/walletdKills network/deposits/depositMemos`,

  "node-server/gateway": `
    integration/gateway/gatewayPayments integration/gateway/gatewayWork
    integration/gateway/gatewayDrill integration/gateway/gatewayEvidence
    network/gateway/gatewayKills e2e/checkout/readmeGetPaid`,
  "node-server/gateway/access": `
    integration/gateway/gatewayTills plugins/btcpayProcess integration/gateway/gatewayPayments
    integration/gateway/gatewayEvidence e2e/checkout/pos`,
  "node-server/gateway/desk": `
    plugins/btcpayShop e2e/checkout/checkout e2e/checkout/claim e2e/checkout/pos
    plugins/vendurePayments integration/gateway/gatewayPayments integration/gateway/gatewayDrill
    integration/gateway/gatewayWork network/gateway/gatewayKills`,
  "node-server/gateway/drill": "integration/gateway/gatewayDrill integration/gateway/gatewayTills",
  "node-server/gateway/hosted": `
    integration/edge/hostedKills e2e/checkout/hostedCheckout integration/edge/hostedEvidence
    integration/edge/hostedPayments integration/gateway/gatewayTills`,
  "node-server/gateway/http": `
    plugins/btcpayShop integration/gateway/gatewayPayments e2e/checkout/checkout
    e2e/checkout/checkoutHelper plugins/btcpayProcess`,
  "node-server/gateway/keys": `
    integration/gateway/gatewayPayments integration/gateway/gatewayEvidence
    integration/walletd/newWallet integration/gateway/gatewayTills plugins/btcpayProcess`,
  "node-server/gateway/prices": `
    plugins/btcpayProcess integration/gateway/gatewayTills integration/gateway/gatewayDrill
    integration/edge/hostedEvidence`,
  "node-server/gateway/proof": `
    integration/gateway/gatewayWork integration/gateway/gatewayEvidence
    integration/edge/hostedEvidence`,
  "node-server/gateway/receipts": `
    integration/gateway/gatewayEvidence e2e/checkout/checkout`,
  "node-server/gateway/refunds": `
    integration/gateway/gatewayPayments e2e/checkout/claim integration/edge/hostedPayments
    plugins/vendurePayments`,
  "node-server/gateway/scan": `
    integration/gateway/gatewayWork integration/gateway/gatewayPayments integration/edge/hostedKills
    integration/edge/hostedEvidence network/gateway/gatewayKills`,
  "node-server/gateway/store": `
    integration/gateway/gatewayWork plugins/btcpayProcess integration/gateway/gatewayPayments
    integration/gateway/gatewayTills network/gateway/gatewayKills`,
  "node-server/gateway/x402": "integration/gateway/x402Payments integration/gateway/x402Kill",
};
