/** Rows of the node in `node-server/`: what shows each of its rooms, the best witness first (`shownRooms.ts` has the form of a row). */

/** Rooms of the node and of what all programs share, and the test files that show them. */
export const NODE_ROWS: Readonly<Record<string, string>> = {
  "node-server": "integration/node/program network/sync/initialSync network/walletd/walletdStart",
  "node-server/bin": `
    network/program/startErrors integration/node/program network/walletd/walletdStart
    network/program/programSignals integration/payments/demoInput e2e/node/network`,

  "node-server/platform": `
    integration/node/program integration/engine/engineHost network/walletd/walletdStart
    integration/gateway/gatewayTills integration/node/usedMemory network/program/memory
    network/peers/logVolume`,
  "node-server/platform/files": `
    network/program/startErrors network/program/dataFolders integration/engine/powerLoss
    integration/node/storeVerify integration/engine/proverThread integration/walletd/walletDaemon`,
  "node-server/platform/http": `
    network/http/httpAttacks network/http/hostileHttp integration/rest/rest integration/rpc/rpc
    integration/walletd/walletApi plugins/btcpayShop network/http/slowClients
    network/wallets/walletGuides e2e/node/rebinding`,
  "node-server/platform/log": `
    network/peers/logVolume network/program/closedOutput integration/node/program
    integration/engine/engineHost integration/rest/restMasking network/walletd/walletdStart
    network/program/uncaughtFault`,
  "node-server/platform/metrics": `
    integration/walletd/walletDaemon plugins/btcpayShop integration/walletd/walletProves
    integration/walletd/walletWebhook network/wallets/manyWallets`,
  "node-server/platform/net": `
    network/peers/ipv6 network/program/descriptors integration/node/proxiedNode
    integration/gateway/gatewayDrill integration/node/peers network/http/slowClients
    network/peers/seeder integration/rest/restMasking`,
  "node-server/platform/thread": `
    integration/node/usedMemory integration/engine/engineHost integration/engine/lastVerifier
    integration/engine/proverThread integration/evidence/scanThreads network/program/failingStore
    network/program/uncaughtFault network/sync/signals`,
  "node-server/platform/time": `
    integration/payments/slowJunk network/sync/clockSteps integration/node/node
    integration/walletd/walletDaemon network/http/hostileHttp network/peers/logVolume`,

  "node-server/storage": `
    integration/engine/engineSession integration/engine/fullDisk integration/engine/powerLoss
    integration/node/storeVerify network/program/damagedStore network/program/otherLayouts
    network/program/failingStore network/program/fullDisk integration/index/indexRebuild
    integration/node/nodeKill network/walletd/walletdKills`,
  "node-server/storage/migrations": `
    network/program/otherLayouts integration/node/storeVerify network/program/startErrors`,
  "node-server/storage/rows": `
    integration/node/storeVerify integration/index/indexRebuild integration/engine/powerLoss
    integration/walletd/walletdCalls integration/index/indexKill network/gateway/gatewayKills`,
  "node-server/proving": `
    integration/engine/proverThread integration/engine/proofQueue integration/engine/proofPool
    integration/evidence/sentReceipts integration/walletd/walletProves
    integration/walletd/walletApiPayments`,
  "node-server/client": `
    integration/rpc/nodePorts integration/rpc/grpcNode integration/rpc/compactLies
    integration/rpc/compactNode integration/evidence/compactWallet integration/walletd/walletWebhook
    integration/gateway/gatewayDrill integration/walletd/walletDaemon network/peers/ipv6
    network/walletd/walletdLines`,
  "node-server/scanning": `
    integration/evidence/scanThreads integration/walletd/walletDaemon integration/gateway/gatewayWork
    integration/walletd/deviceOverDaemon integration/walletd/coinbaseAddresses
    integration/edge/hostedEvidence network/wallets/manyWallets`,

  "node-server/engine": `
    integration/engine/engineHost integration/engine/lastVerifier integration/engine/fullDisk
    integration/rpc/rpc network/sync/initialSync network/program/failingStore`,
  "node-server/engine/calls": `
    integration/rpc/networkQuestions integration/engine/engineHost integration/engine/engineSession
    integration/engine/startAnew integration/rpc/servingQuestions integration/rpc/serving
    network/program/failingStore`,
  "node-server/engine/check": `
    integration/node/storeVerify integration/node/storeVerifyOrder integration/engine/fullDisk
    integration/node/nodePruning network/program/damagedStore network/program/programKills`,
  "node-server/engine/host": `
    integration/engine/engineSession integration/engine/engineHost
    integration/engine/pruningUnderLoad integration/node/storeVerify integration/payments/mempool
    integration/rpc/decodings network/program/failingStore network/program/fullDisk`,
  "node-server/engine/import": `
    integration/engine/stagedImport integration/engine/startAnew network/sync/firstSync
    network/sync/history network/sync/anchorLog network/sync/resume`,
  "node-server/engine/ingest": `
    integration/engine/engineHost integration/rpc/decodings network/peers/relay
    network/sync/partition network/sync/initialSync`,
  "node-server/engine/read": `
    integration/rpc/networkQuestions integration/rpc/decodings integration/engine/startAnew
    integration/rest/rest network/sync/evidenceFlood`,
  "node-server/engine/verify": `
    integration/engine/lastVerifier integration/payments/payments integration/payments/slowJunk
    integration/payments/poolSources integration/node/usedMemory integration/rpc/decodings
    integration/rpc/rpc network/peers/joinedAdmission`,

  "node-server/mempool": `
    integration/payments/mempool integration/payments/poolSources integration/payments/payments
    integration/payments/probedPayment integration/payments/hiddenPayments
    integration/payments/slowJunk integration/rpc/decodings integration/node/nodeKill
    network/peers/joinedAdmission network/peers/relay`,
  "node-server/mining": `
    integration/payments/mempool integration/payments/hiddenPayments integration/node/node
    integration/node/mergedMining integration/rpc/decodings integration/rpc/rpc network/peers/relay`,

  "node-server/indexer": `
    integration/index/index integration/index/indexedNode integration/index/indexRebuild
    integration/index/indexRetention`,
  "node-server/indexer/derive": `
    integration/index/index integration/index/indexDocuments integration/index/indexRestart
    integration/index/indexKill integration/index/indexRetention`,
  "node-server/indexer/documents": `
    integration/index/indexDocuments integration/index/indexRetention integration/rest/rest
    integration/rest/restTransactions e2e/explorer/explorerLive`,
  "node-server/indexer/follow": `
    integration/index/indexRestart integration/index/indexRebuild integration/index/indexKill
    integration/index/indexedNode e2e/explorer/explorerLive`,
  "node-server/indexer/tables": `
    integration/index/index integration/index/indexDocuments integration/index/indexRebuild
    integration/index/indexRestart integration/index/indexRetention integration/index/indexKill`,

  "node-server/p2p": `
    integration/node/peers network/sync/initialSync network/peers/garbage network/peers/relay
    network/peers/bans network/sync/sources network/program/soak`,
  "node-server/p2p/addresses": `
    integration/node/peers network/peers/bans network/sync/clockSteps network/peers/seeder
    network/peers/ipv6 integration/node/proxiedNode`,
  "node-server/p2p/connect": `
    integration/node/proxiedNode integration/node/peers network/program/descriptors
    network/peers/bans network/sync/sources`,
  "node-server/p2p/flows":
    "integration/node/peers network/peers/stalls network/sync/sources network/peers/garbage",
  "node-server/p2p/handshake": `
    network/sync/announcedNetwork integration/node/peers network/peers/bans network/peers/garbage
    network/peers/seeder`,
  "node-server/p2p/head": `
    integration/engine/startAnew integration/rpc/serving network/sync/firstSync
    network/sync/initialSync`,
  "node-server/p2p/link": `
    network/peers/garbage network/peers/bans integration/rpc/serving integration/node/proxiedNode
    network/peers/logVolume network/peers/ipv6 network/program/descriptors network/sync/initialSync`,
  "node-server/p2p/peers": `
    network/peers/bans network/peers/garbage network/peers/lies integration/engine/startAnew
    network/program/descriptors network/peers/joinedAdmission`,
  "node-server/p2p/relay": `
    network/peers/relay integration/payments/paymentOrigin integration/payments/hiddenPayments
    integration/payments/poolSources network/peers/stemKill network/peers/joinedAdmission
    network/sync/partition integration/node/peers`,
  "node-server/p2p/serve": `
    integration/rpc/serving integration/rpc/servingQuestions integration/engine/startAnew
    network/sync/initialSync network/sync/movingPoint network/sync/history network/sync/anchorLog
    network/sync/firstSync network/sync/archivalSwitch`,
  "node-server/p2p/sync": `
    network/sync/initialSync network/sync/firstSync integration/engine/startAnew
    integration/rpc/serving network/sync/resume network/sync/sources network/sync/movingPoint
    network/sync/history network/sync/anchorLog network/peers/lies network/peers/stalls
    network/peers/recordedSync network/sync/partition`,
  "node-server/seeder": "network/peers/seeder network/program/programSignals",

  "node-server/rpc": "integration/rpc/rpc integration/rest/rest network/http/hostileHttp",
  "node-server/rpc/grpc": `
    integration/rpc/rpc integration/rpc/grpcNode integration/rpc/nodePorts
    integration/node/mergedMining network/http/slowClients network/peers/ipv6`,
  "node-server/rpc/http": `
    integration/rest/rest integration/rpc/browserBytes integration/rpc/nodePorts integration/rpc/rpc
    integration/evidence/evidence network/http/httpAttacks network/http/hostileHttp
    network/http/slowClients e2e/explorer/explorerLive e2e/node/rebinding
    network/sync/evidenceFlood`,
  "node-server/rpc/rest": `
    integration/rest/rest integration/rest/restBlocks integration/rest/restTransactions
    integration/rest/restMasking integration/rest/restPruned integration/rest/restGraph
    integration/rest/restChecks integration/rest/restJudged integration/edge/edgeExplorer
    e2e/explorer/explorerLive`,
  "node-server/rpc/service": `
    integration/rpc/rpc integration/rpc/nodePorts integration/rpc/decodings
    integration/payments/probedPayment integration/evidence/evidence
    integration/evidence/recordChecks integration/rest/rest integration/node/mergedMining
    network/http/hostileHttp`,
};
