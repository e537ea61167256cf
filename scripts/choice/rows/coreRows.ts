/** Rows of `wasm-core/`: what shows each, the best witness first (`shownRooms.ts` has the form of a row). */

/** Crates of the core and what is built from them, and the test files and suites that show them. */
export const CORE_ROWS: Readonly<Record<string, string>> = {
  "wasm-core": `
    integration/engine/overflowChecks integration/engine/importSession integration/engine/proofPool
    suite:sim suite:fuzz suite:kernels`,
  "wasm-core/assets": `
    integration/engine/proofPool integration/engine/proverThread integration/payments/payments
    integration/engine/lastVerifier e2e/payments/proving`,
  "wasm-core/glue": `
    integration/engine/overflowChecks integration/engine/engineSession
    integration/engine/proofPool e2e/node/coreComesLate hashes/hashes`,
  "wasm-core/profiles": `
    integration/node/node network/sync/announcedNetwork integration/node/program
    network/program/startErrors e2e/node/network e2e/explorer/explorerLive`,
  "wasm-core/crates/bind": `
    integration/engine/engineSession integration/engine/overflowChecks integration/engine/proofPool
    integration/engine/importSession integration/walletd/airgapSigning
    integration/payments/recordedPayments integration/node/usedMemory e2e/explorer/checks`,
  "wasm-core/crates/chain": `
    suite:sim suite:oracle suite:fuzz integration/node/mergedMining integration/engine/recordedImport
    integration/rest/restChecks`,
  "wasm-core/crates/chance": "suite:sim suite:fuzz",
  "wasm-core/crates/circuit": `
    integration/engine/proofPool integration/engine/proverThread integration/payments/payments
    integration/engine/lastVerifier suite:fuzz`,
  "wasm-core/crates/circuit-gen": `
    integration/engine/proofPool integration/payments/payments`,
  "wasm-core/crates/codec": `
    suite:fuzz suite:sim suite:oracle integration/engine/importSession
    integration/engine/recordedImport integration/payments/recordedPayments
    integration/walletd/airgapSigning`,
  "wasm-core/crates/consensus": `
    suite:sim suite:fuzz integration/engine/importSession integration/engine/pruningUnderLoad
    integration/engine/engineSession integration/engine/recordedImport
    integration/node/storeVerify integration/engine/stagedImport integration/index/indexDocuments
    integration/node/nodePruning integration/node/mergedMining network/sync/firstSync
    network/sync/partition`,
  "wasm-core/crates/dag": `
    suite:sim suite:fuzz integration/engine/pruningUnderLoad integration/rest/restGraph
    integration/index/index integration/engine/importSession network/sync/partition`,
  "wasm-core/crates/evidence": `
    suite:sim suite:fuzz integration/evidence/evidence integration/evidence/walletEvidence
    integration/evidence/receipts integration/rest/restChain
    integration/gateway/gatewayWork e2e/node/evidenceLies`,
  "wasm-core/crates/fuzz": "suite:fuzz",
  "wasm-core/crates/kernels": `
    suite:kernels integration/engine/proofPool integration/payments/payments
    integration/evidence/scanThreads suite:fuzz integration/payments/recordedPayments`,
  "wasm-core/crates/oracle": "suite:oracle",
  "wasm-core/crates/pow": `
    suite:oracle suite:sim integration/node/mergedMining integration/gateway/gatewayWork
    integration/rest/restChain suite:fuzz`,
  "wasm-core/crates/prove": `
    integration/engine/proofPool integration/engine/proverThread integration/engine/proofQueue
    suite:fuzz integration/walletd/airgapSigning integration/evidence/sentReceipts
    e2e/payments/proving`,
  "wasm-core/crates/scan": `
    integration/payments/recordedPayments integration/evidence/scanThreads
    integration/walletd/coinbaseAddresses suite:fuzz integration/evidence/compactWallet
    integration/evidence/recordChecks`,
  "wasm-core/crates/shielded": `
    integration/payments/recordedPayments suite:sim suite:fuzz integration/walletd/airgapSigning
    integration/payments/payments integration/engine/importSession integration/rest/restChecks`,
  "wasm-core/crates/sim": "suite:sim",
  "wasm-core/crates/tree": `
    integration/payments/recordedPayments integration/engine/importSession
    integration/evidence/receipts suite:sim integration/engine/proofPool`,
  "wasm-core/crates/verify": `
    integration/payments/payments integration/engine/lastVerifier integration/payments/slowJunk
    integration/engine/proofPool suite:fuzz integration/rpc/rpc`,
  "wasm-core/crates/witness": `
    integration/engine/proofPool integration/engine/proverThread suite:fuzz
    integration/evidence/sentReceipts`,
};
