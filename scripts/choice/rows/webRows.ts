/** Rows of `web/`: what shows each of its rooms, the best witness first (`shownRooms.ts` has the form of a row). */

/** Rooms of the pages and their Workers, and the test files that show them. */
export const WEB_ROWS: Readonly<Record<string, string>> = {
  web: "e2e/wallet/wallet e2e/explorer/explorer e2e/checkout/pos hashes/hashes e2e/node/nodeOrigins",
  "web/build": `
    hashes/hashes e2e/node/nodeOrigins e2e/node/keptPages e2e/node/network e2e/explorer/explorer
    e2e/signer/offlineSigner e2e/checkout/checkoutHelper integration/edge/edgeProgram
    e2e/explorer/charts`,
  "web/checkout": `
    e2e/checkout/checkout e2e/checkout/hostedCheckout e2e/checkout/checkoutHelper
    plugins/vendureBrowser`,
  "web/checkout/helper": "e2e/checkout/checkoutHelper plugins/woocommerce plugins/vendureBrowser",
  "web/clipboard": `
    e2e/checkout/checkout e2e/explorer/explorer`,
  "web/i18n": `
    e2e/wallet/languages e2e/wallet/wallet e2e/payments/paymentScreen
    e2e/explorer/charts`,
  "web/keyring": `
    e2e/wallet/wallet e2e/wallet/passphrase e2e/wallet/deviceUnlock e2e/wallet/backups
    e2e/wallet/sealedWallet e2e/wallet/messages e2e/wallet/watchOnly`,
  "web/node": `
    e2e/node/network e2e/node/lyingNode e2e/node/nodeOrigins integration/rpc/browserBytes
    e2e/node/severalNodes e2e/node/coreComesLate`,
  "web/offline": "e2e/node/keptPages e2e/node/pageUpdate",
  "web/pages": `
    e2e/wallet/wallet e2e/wallet/screens e2e/wallet/languages
    e2e/node/pageUpdate e2e/wallet/severalTabs`,
  "web/pos": "e2e/checkout/pos",
  "web/signer":
    "e2e/signer/offlineSigner e2e/signer/offlinePreparer integration/walletd/airgapSigning",
  "web/state": `
    e2e/wallet/wallet e2e/node/nodeOrigins e2e/wallet/passphrase e2e/wallet/severalWallets
    e2e/payments/severalPayees e2e/node/keptPages`,
  "web/state/contacts": "e2e/wallet/contacts e2e/wallet/backupAnnotations",
  "web/state/device": "e2e/wallet/deviceUnlock e2e/wallet/passphrase",
  "web/state/draft": "e2e/payments/severalPayees e2e/payments/paymentScreen e2e/wallet/receiving",
  "web/state/language": "e2e/wallet/languages e2e/wallet/receiving",
  "web/threads": "e2e/wallet/wallet e2e/storage/workerCrash e2e/explorer/checks e2e/node/firefox",
  "web/ui": `
    e2e/wallet/languages e2e/wallet/screens e2e/payments/paymentScreen
    e2e/wallet/receiving e2e/signer/offlineSigner e2e/payments/readmeFirstPayment`,
  "web/wallet": "e2e/wallet/wallet e2e/wallet/languages e2e/node/network hashes/hashes",
  "web/wallet-api": `
    e2e/wallet/wallet e2e/wallet/backupAnnotations e2e/wallet/passphrase e2e/wallet/severalWallets
    e2e/wallet/deviceUnlock`,
  "web/workers": `
    e2e/payments/proving e2e/storage/workerCrash e2e/payments/payment e2e/node/recentFirst
    e2e/node/firefox`,

  "web/wallet-worker": `
    e2e/payments/payment e2e/storage/tabKill e2e/wallet/sharedSeed e2e/wallet/watchOnly
    e2e/node/severalNodes e2e/storage/workerCrash`,
  "web/wallet-worker/addresses": "e2e/wallet/receiving e2e/wallet/annotations",
  "web/wallet-worker/backup": "e2e/wallet/backupAnnotations e2e/wallet/backups",
  "web/wallet-worker/merging": `
    e2e/payments/manyNotes`,
  "web/wallet-worker/older": "e2e/node/recentFirst e2e/payments/readBack",
  "web/wallet-worker/store": `
    e2e/storage/walletStore e2e/storage/storageFaults e2e/storage/tabKill e2e/storage/walletPlaces
    e2e/wallet/sealedWallet`,
  "web/wallet-worker/tabs": "e2e/wallet/severalTabs e2e/wallet/wallet e2e/wallet/severalWallets",
  "web/wallet-worker/wallets": "e2e/wallet/severalWallets e2e/storage/walletPlaces",

  "web/features/backup": "e2e/wallet/wallet e2e/wallet/backups",
  "web/features/contacts": "e2e/wallet/contacts e2e/wallet/backupAnnotations",
  "web/features/history": `
    e2e/payments/payment e2e/wallet/annotations e2e/payments/payRest e2e/payments/severalPayees
    e2e/node/receipts e2e/payments/readBack`,
  "web/features/home": `
    e2e/wallet/wallet e2e/node/lyingNode e2e/node/recentFirst
    e2e/node/severalNodes`,
  "web/features/keys": `
    e2e/wallet/backups e2e/wallet/watchOnly e2e/wallet/passphrase
    e2e/payments/readBack e2e/wallet/deviceUnlock`,
  "web/features/language": "e2e/wallet/languages",
  "web/features/merging": `
    e2e/payments/manyNotes`,
  "web/features/messages": "e2e/wallet/messages e2e/wallet/contacts",
  "web/features/naming": "e2e/wallet/annotations e2e/wallet/receiving e2e/wallet/contacts",
  "web/features/receive": "e2e/wallet/receiving e2e/wallet/annotations",
  "web/features/send": `
    e2e/payments/paymentScreen e2e/payments/severalPayees e2e/wallet/receiving e2e/payments/payment
    e2e/payments/manyNotes e2e/payments/readmeFirstPayment`,
  "web/features/settings": `
    e2e/wallet/screens e2e/node/network e2e/node/severalNodes e2e/wallet/wallet
    e2e/wallet/languages`,
  "web/features/unlock": "e2e/wallet/wallet e2e/wallet/deviceUnlock e2e/wallet/passphrase",
  "web/features/wallets": "e2e/wallet/severalWallets e2e/storage/walletPlaces",
  "web/features/welcome": `
    e2e/wallet/wallet e2e/node/coreComesLate e2e/wallet/backups
    e2e/payments/readmeFirstPayment`,

  "web/explorer": `
    e2e/explorer/explorer e2e/explorer/explorerLive e2e/explorer/edgeExplorer
    integration/edge/edgeExplorer`,
  "web/explorer/charts": "e2e/explorer/charts e2e/explorer/explorer",
  "web/explorer/check": `
    e2e/explorer/checks e2e/explorer/explorerChecks integration/rest/restChecks
    integration/rest/restChain integration/rest/restJudged e2e/explorer/explorerChain
    e2e/node/receipts`,
  "web/explorer/dag": "e2e/explorer/graph e2e/explorer/graphPage e2e/explorer/explorer",
  "web/explorer/frame": "e2e/explorer/explorer e2e/explorer/explorerLive",
  "web/explorer/live": "e2e/explorer/explorerLive e2e/explorer/edgeExplorer e2e/explorer/explorer",
  "web/explorer/mounts": "e2e/explorer/explorerChecks e2e/explorer/graphPage e2e/explorer/explorer",
  "web/explorer/pages": `
    e2e/explorer/explorer e2e/explorer/explorerLive e2e/explorer/graphPage
    e2e/explorer/explorerChain e2e/explorer/edgeExplorer`,
  "web/explorer/parts": "e2e/explorer/explorer e2e/explorer/explorerLive e2e/explorer/graphPage",
  "web/explorer/share": "e2e/explorer/explorer hashes/hashes",
  "web/explorer/styles": "e2e/explorer/explorer e2e/explorer/charts",
  "web/explorer/texts": "e2e/explorer/explorer e2e/explorer/explorerChecks",
  "web/explorer/view": "e2e/explorer/explorer e2e/explorer/explorerLive",
};
