/** Rows of `shared/`: what shows each of its rooms, the best witness first (`shownRooms.ts` has the form of a row). */

/** Rooms of `shared/`, and the test files that show them. */
export const SHARED_ROWS: Readonly<Record<string, string>> = {
  shared: "integration/engine/engineSession integration/rpc/nodePorts e2e/wallet/wallet",
  "shared/base": `
    integration/engine/engineSession network/program/startErrors integration/walletd/newWallet
    integration/payments/mempool integration/rpc/nodePorts integration/gateway/gatewayTills
    network/peers/garbage plugins/btcpayShop e2e/wallet/wallet e2e/checkout/checkout
    e2e/explorer/explorer e2e/signer/offlinePreparer integration/edge/hostedKills`,
  "shared/chain": `
    integration/engine/importSession integration/node/mergedMining integration/rpc/compactLies
    network/sync/announcedNetwork integration/rest/restBlocks integration/rpc/rpc
    e2e/explorer/checks e2e/node/network`,
  "shared/core": `
    integration/engine/proverThread integration/engine/proofPool integration/engine/lastVerifier
    integration/node/usedMemory integration/walletd/airgapSigning e2e/node/coreComesLate
    e2e/payments/proving e2e/storage/workerCrash e2e/explorer/checks`,

  "shared/protocol": `
    integration/rpc/grpcNode integration/evidence/recordChecks integration/gateway/x402Payments
    network/http/slowClients`,
  "shared/protocol/contract": `
    integration/walletd/walletOpenApi integration/gateway/gatewayOpenApi plugins/woocommerceContract
    integration/walletd/walletApi integration/rest/rest`,
  "shared/protocol/facts": `
    integration/rpc/networkQuestions integration/engine/importSession integration/index/index
    integration/engine/recordedImport integration/index/indexDocuments integration/evidence/evidence
    integration/rpc/rpc network/sync/resume network/sync/firstSync`,
  "shared/protocol/gateway": `
    integration/gateway/gatewayOpenApi plugins/woocommerceContract
    integration/gateway/gatewayPayments integration/gateway/x402Payments plugins/btcpayShop
    e2e/checkout/hostedCheckout integration/edge/hostedPayments network/gateway/gatewayKills`,
  "shared/protocol/http": `
    integration/rpc/nodePorts integration/evidence/recordChecks integration/rpc/browserBytes
    integration/rpc/compactNode integration/evidence/walletEvidence integration/rpc/rpc
    network/http/slowClients network/sync/history e2e/node/lyingNode e2e/node/recentFirst
    hashes/hashes`,
  "shared/protocol/p2p": `
    integration/engine/recordedImport integration/rpc/serving network/sync/announcedNetwork
    network/peers/recordedSync network/peers/garbage network/peers/lies network/sync/initialSync
    network/peers/relay network/sync/movingPoint network/sync/history`,
  "shared/protocol/proto": `
    integration/rpc/nodePorts integration/engine/recordedImport network/sync/announcedNetwork
    integration/rpc/rpc integration/node/mergedMining`,
  "shared/protocol/raw": `
    integration/rpc/networkQuestions integration/engine/importSession integration/node/mergedMining
    integration/payments/poolSources integration/node/storeVerify integration/rest/restJudged
    integration/rpc/rpc e2e/explorer/checks`,
  "shared/protocol/rest": `
    integration/rest/rest integration/rest/restBlocks integration/rest/restTransactions
    integration/rest/restGraph integration/index/indexDocuments integration/rest/restMasking
    e2e/explorer/explorer e2e/explorer/checks`,
  "shared/protocol/rpc": `
    integration/rpc/compactLies integration/rpc/nodePorts integration/rpc/grpcNode
    integration/rpc/rpc integration/node/mergedMining integration/evidence/evidence
    network/peers/ipv6 network/http/slowClients`,
  "shared/protocol/wallet": `
    integration/walletd/walletOpenApi integration/walletd/walletApi
    integration/walletd/walletApiPayments integration/walletd/walletApiServers
    integration/walletd/coinbaseAddresses network/wallets/embeddedWallets network/wallets/walletGuides
    network/walletd/walletSecrets`,
  "shared/protocol/webhook": `
    plugins/vendureWebhooks integration/walletd/walletWebhook integration/gateway/gatewayDrill
    integration/walletd/walletApiServers plugins/btcpayShop integration/gateway/gatewayPayments
    integration/edge/hostedPayments network/deposits/depositMemos`,

  "shared/light": `
    integration/evidence/receipts integration/gateway/gatewayWork integration/rest/restChain
    integration/evidence/prunedReceipts integration/evidence/walletEvidence
    integration/evidence/sentReceipts integration/gateway/gatewayEvidence
    integration/edge/hostedEvidence e2e/node/evidenceLies e2e/node/unknownWork
    e2e/node/receipts e2e/explorer/explorerChain`,

  "shared/wallet": `
    integration/payments/recordedPayments integration/evidence/compactWallet
    e2e/payments/severalPayees e2e/payments/manyNotes`,
  "shared/wallet/codec": `
    e2e/storage/walletStore integration/walletd/walletDaemon e2e/storage/tabKill
    e2e/storage/walletPlaces`,
  "shared/wallet/contacts": "e2e/wallet/contacts e2e/wallet/backupAnnotations",
  "shared/wallet/labels": `
    e2e/wallet/annotations e2e/wallet/backupAnnotations e2e/wallet/receiving e2e/wallet/contacts`,
  "shared/wallet/node": `
    integration/rpc/nodePorts integration/rpc/browserBytes integration/evidence/recordChecks
    integration/evidence/walletEvidence integration/evidence/receipts e2e/node/lyingNode
    e2e/node/severalNodes e2e/node/network`,
  "shared/wallet/plan": `
    integration/payments/recordedPayments integration/walletd/walletApiPayments
    integration/walletd/walletApiServers e2e/payments/paymentScreen e2e/payments/severalPayees
    e2e/payments/manyNotes e2e/payments/payRest e2e/wallet/receiving network/walletd/walletdKills`,
  "shared/wallet/proof": `
    integration/evidence/walletEvidence integration/evidence/receipts e2e/node/evidenceLies
    e2e/node/unknownWork e2e/node/receipts`,
  "shared/wallet/reduce": `
    integration/payments/recordedPayments integration/evidence/compactWallet
    integration/walletd/walletDaemon e2e/payments/readBack e2e/payments/payRest
    e2e/wallet/sharedSeed e2e/payments/manyNotes e2e/storage/tabKill network/walletd/walletdKills
    network/deposits/depositMemos`,
  "shared/wallet/run": `
    integration/rpc/browserBytes integration/evidence/compactWallet integration/payments/recordedPayments
    e2e/node/recentFirst e2e/node/lyingNode e2e/wallet/severalTabs`,
  "shared/wallet/send": `
    integration/evidence/sentReceipts integration/evidence/compactWallet
    integration/walletd/deviceOverDaemon integration/walletd/walletApiPayments e2e/payments/payment
    e2e/payments/manyNotes e2e/node/severalNodes e2e/storage/tabKill e2e/wallet/sharedSeed
    network/walletd/walletdKills`,
  "shared/wallet/state": `
    integration/payments/recordedPayments integration/walletd/walletDaemon
    integration/evidence/compactWallet integration/walletd/deviceOverDaemon
    integration/engine/proverThread e2e/wallet/wallet e2e/storage/walletStore e2e/wallet/backups
    e2e/payments/payment`,
  "shared/wallet/stored": `
    e2e/storage/walletStore integration/walletd/walletDaemon e2e/storage/tabKill
    e2e/storage/storageFaults network/walletd/walletdKills`,
  "shared/wallet/sync": `
    integration/evidence/compactWallet integration/evidence/walletEvidence
    integration/evidence/recordChecks integration/evidence/scanThreads
    integration/evidence/sentReceipts integration/payments/recordedPayments e2e/node/lyingNode
    e2e/node/recentFirst e2e/node/evidenceLies`,
  "shared/wallet/view": `
    integration/evidence/compactWallet e2e/payments/readBack e2e/payments/payment
    e2e/wallet/annotations e2e/payments/severalPayees e2e/wallet/watchOnly`,

  "shared/invoice": `
    plugins/btcpayShop e2e/checkout/checkout integration/gateway/gatewayPayments
    integration/gateway/gatewayEvidence e2e/checkout/claim e2e/checkout/pos plugins/vendurePayments
    integration/edge/hostedKills integration/edge/hostedPayments e2e/checkout/hostedCheckout
    network/gateway/gatewayKills`,
  "shared/signer": `
    e2e/signer/offlinePreparer integration/walletd/deviceOverDaemon
    integration/walletd/airgapSigning integration/walletd/walletApiPayments e2e/signer/offlineSigner`,
  "shared/signer/airgap": `
    integration/walletd/airgapSigning e2e/signer/offlineSigner e2e/signer/offlinePreparer
    integration/evidence/receipts integration/evidence/prunedReceipts e2e/node/receipts`,
  "shared/signer/messages": "e2e/wallet/messages e2e/wallet/contacts integration/walletd/walletApi",
  "shared/signer/wire": `
    e2e/signer/offlinePreparer integration/walletd/deviceOverDaemon integration/walletd/airgapSigning
    integration/walletd/walletApiPayments`,

  "shared/explorer": `
    e2e/explorer/explorer integration/edge/edgeExplorer e2e/explorer/edgeExplorer
    e2e/explorer/graphPage integration/rest/restChecks`,
  "shared/explorer/charts": "e2e/explorer/charts e2e/explorer/explorer",
  "shared/explorer/dag": "e2e/explorer/graph e2e/explorer/graphPage e2e/explorer/explorer",

  "shared/gateway": `
    plugins/btcpayShop e2e/checkout/checkout e2e/checkout/pos integration/gateway/gatewayPayments
    plugins/vendurePayments integration/edge/hostedPayments integration/edge/hostedKills
    network/gateway/gatewayKills`,
  "shared/gateway/greenfield": `
    plugins/btcpayShop plugins/btcpayProcess integration/gateway/gatewayPayments`,
  "shared/gateway/handlers": `
    integration/gateway/gatewayPayments e2e/checkout/claim e2e/checkout/pos plugins/btcpayShop
    plugins/vendurePayments integration/edge/hostedPayments integration/gateway/gatewayEvidence
    network/gateway/gatewayKills`,
  "shared/gateway/page": `
    e2e/checkout/checkout e2e/checkout/claim e2e/checkout/checkoutHelper e2e/checkout/hostedCheckout
    e2e/checkout/readmeGetPaid plugins/vendureBrowser`,
  "shared/gateway/pos": "e2e/checkout/pos integration/gateway/gatewayTills",
  "shared/gateway/till": "e2e/checkout/pos integration/gateway/gatewayTills",
  "shared/gateway/x402": "integration/gateway/x402Payments integration/gateway/x402Kill",
};
