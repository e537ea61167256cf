/** English message catalogue of the pages. */
import { enAppearance } from "./enAppearance.ts";
import { enCautions } from "./enCautions.ts";
import { enDevice } from "./enDevice.ts";
import { enEvidence } from "./enEvidence.ts";
import { enFace } from "./enFace.ts";
import { enHistoryFile } from "./enHistoryFile.ts";
import { enKeys } from "./enKeys.ts";
import { enLabels } from "./enLabels.ts";
import { enNodes } from "./enNodes.ts";
import { enMerging } from "./enMerging.ts";
import { enMessages } from "./enMessages.ts";
import { enMoney } from "./enMoney.ts";
import { enPayees } from "./enPayees.ts";
import { enReceive } from "./enReceive.ts";
import { enReceipt } from "./enReceipt.ts";
import { enSigner } from "./enSigner.ts";
import { enTabs } from "./enTabs.ts";
import { enStart } from "./enStart.ts";

/** The messages. Keys are `screen.text`; `{name}` is a slot, see `message.ts`. */
export const en = {
  "amount.unit": "coins",
  "amount.unitOne": "coin",
  "amount.withUnit": "{amount} {unit}",

  "time.seconds": { one: "{count} second", other: "{count} seconds" },
  "time.minutes": { one: "{count} minute", other: "{count} minutes" },
  "time.minutesSeconds": "{minutes} min {seconds} s",
  "time.hours": { one: "{count} hour", other: "{count} hours" },
  "time.days": { one: "{count} day", other: "{count} days" },

  "copy.copy": "Copy",
  "copy.done": "Copied",
  "copy.refused": "The browser refused",
  "dialog.close": "Close",
  "form.back": "Back",
  "form.cancel": "Cancel",
  "form.save": "Save",

  "app.title": "Wallet",
  "app.skip": "Skip to content",
  "app.navigation": "Main",
  "app.starting": "Starting the wallet…",
  "app.elsewhereTitle": "The wallet is open in another tab",
  "app.elsewhereText":
    "Only one tab at a time can use it, so that no coin is spent twice. Close it there and it opens here by itself.",
  "app.elsewhereTake": "Use it here",
  "app.movedTitle": "The wallet moved to another tab",
  "app.movedText": "This tab has locked itself and holds no keys.",
  "app.insecureTitle": "This connection is not safe enough for a wallet",
  "app.insecureText":
    "Open the page over HTTPS, or on the machine that serves it. Otherwise anybody on the way could change what it does. Whoever serves it can do that in any case: open a wallet only from a server that is yours or that you trust.",
  "app.otherPaysTitle": "The other tab is making a payment",
  "app.otherPaysText":
    "Nothing of it has been sent yet. Using the wallet here cancels that payment.",
  "app.otherPaysTake": "Cancel the payment and use it here",

  "lock.title": "Cancel the payment and lock?",
  "lock.text":
    "A payment is being prepared, and nothing of it has been sent yet. Locking removes the keys, so the payment would be cancelled.",
  "lock.confirm": "Cancel it and lock",
  "lock.stay": "Go on paying",
  "app.brokenTitle": "The wallet had to stop",
  "app.reload": "Reload the page",
  "app.crashTitle": "This screen stopped working",
  "app.crashText": "Your coins are safe: nothing is lost by reloading the page.",

  "nav.home": "Home",
  "nav.receive": "Receive",
  "nav.send": "Send",
  "nav.history": "History",
  "nav.settings": "Settings",
  "nav.lock": "Lock",
  "nav.explorer": "Explorer",

  "network.privateTitle": "This node is on a private network",
  "network.privateText":
    "The program does not know this network. Go on only if its operator told you the same name and digest.",
  "network.name": "Name",
  "network.digest": "Profile digest",
  "network.accept": "I checked both: use this network",
  "network.builtIn": "Built in",
  "network.private": "Private",
  "network.waiting": "Waiting for the node at {url}…",
  "network.refusedTitle": "This node cannot be used",
  "network.refusedText":
    "It uses the name of a network that this program knows, with other rules. Nothing was sent to it.",

  "welcome.title": "Your own private wallet",
  "welcome.text":
    "Amounts, payer and payee stay hidden on the chain. Keys are made in this browser, proofs are computed here, and neither ever leaves it.",
  "welcome.create": "Create a wallet",
  "welcome.createText": "A fresh seed, which you write down.",
  "welcome.restore": "Restore a wallet",
  "welcome.restoreText": "From a seed of 64 hexadecimal digits.",
  "welcome.trust":
    "This page comes from {origin}, and so do the answers about the chain. Whoever runs that server could change the page and take the keys: use your own node, or one that you trust.",
  "welcome.trustTwo":
    "This page comes from {origin}: whoever runs that server could change it and take the keys. The node at {node} sees your requests, never the keys.",

  "passphrase.title": "Choose a passphrase",
  "passphrase.text":
    "It encrypts the seed in this browser. Nobody can reset it; with the written seed you can always restore.",
  "passphrase.label": "Passphrase",
  "passphrase.again": "Passphrase again",
  "passphrase.hint": "At least {min} characters. Several unrelated words work well.",
  "passphrase.differs": "The two passphrases differ.",
  "passphrase.show": "Show the passphrase",
  "passphrase.hide": "Hide the passphrase",
  "passphrase.working": "Encrypting…",

  "create.submit": "Create wallet",
  "restore.title": "Restore a wallet",
  "restore.seed": "Seed",
  "restore.seedHint":
    "64 hexadecimal digits, and the 8 check digits if you have them. Spaces do not matter.",
  "restore.seedChecked": "The check digits fit.",
  "restore.seedUnchecked":
    "Without check digits: a wrong digit cannot be noticed, and would restore another, empty wallet.",
  "restore.seedCharacter":
    "“{character}”, character {position}, cannot be part of a seed: it has the digits 0 to 9 and the letters a to f.",
  "restore.seedCheckFails": "The check digits do not fit: at least one digit is wrong.",
  "restore.seedLength": {
    one: "There is {count} digit; a seed has 64, with its check digits 72.",
    other: "There are {count} digits; a seed has 64, with its check digits 72.",
  },
  "restore.seedCount": "{count} / {max}",
  "restore.when": "When was this wallet first used?",
  "restore.whenHint":
    "Optional. Payments before that day would be missing: when in doubt, leave it empty.",
  "restore.whenFuture": "This day has not come yet.",
  "restore.submit": "Restore wallet",

  "backup.title": "Write down your seed",
  "backup.text":
    "These 64 characters are your money. Whoever has them can spend it, and without them nobody can bring it back. The 8 check digits after them show a mistake in copying.",
  "backup.show": "Show the seed",
  "backup.group": "Group {number}",
  "backup.check": "Check digits",
  "backup.date": "Wallet made on {date}. Note the day too: restoring is faster with it.",
  "backup.written": "I have written it down",
  "backup.checkTitle": "Check your backup",
  "backup.checkText": "Type these groups from what you wrote.",
  "backup.wrong": "That is not what was shown. Look at your notes again.",
  "backup.again": "Show the seed again",
  "backup.confirm": "Confirm backup",
  "backup.later": "Do this later",
  "backup.missingTitle": "The seed is not backed up",
  "backup.missingText":
    "If this browser's data is lost, the coins are lost. Write the seed down and check it.",
  "backup.missingAction": "Back up now",

  "unlock.title": "Unlock your wallet",
  "unlock.submit": "Unlock",
  "unlock.working": "Unlocking…",
  "unlock.pause": { one: "Wait {count} second", other: "Wait {count} seconds" },
  "unlock.forgot": "Passphrase forgotten?",
  "unlock.forgotText":
    "It cannot be recovered. Remove the wallet from this browser and restore it from the written seed.",
  "unlock.remove": "Remove the wallet…",

  "status.opening": "Connecting to the node…",
  "status.offline": "The node does not answer",
  "status.scanning": "Scanning the chain",
  "status.catchingUp": "Catching up",
  "status.ready": "Up to date",
  "status.degraded": "Needs attention",
  "status.behind": { one: "{count} block to go", other: "{count} blocks to go" },
  "status.asOf": "As of {time}",
  "status.progress": "Scan progress",

  "home.total": "Balance",
  "home.atLeast": "At least: this node's history begins after the first day of your wallet.",
  "home.olderSince":
    "At least: this is what came since {date}. You need not wait for the rest to pay.",
  "home.olderFailed":
    "At least: this is what came since {date}. Older blocks cannot be read now; the wallet will try again.",
  "home.olderReading": "Reading older blocks",
  "home.olderProgress": "Progress of the older blocks",
  "home.unknown": "Finding your coins…",
  "home.spendable": "Spendable",
  "home.spendableHint": { one: "In 1 note", other: "In {count} notes" },
  "home.maturing": "Spendable soon",
  "home.maturingNone": "Nothing waits",
  "home.maturingNext": "Next in about {time}",
  "home.maturingStopped": "Waits for the node",
  "home.pending": "Pending",
  "home.pendingNone": "Nothing under way",
  "home.pendingIn": "{amount} coming in",
  "home.pendingOut": "{amount} going out",
  "home.returning": "{amount} in change",
  "home.maturingTitle": "What becomes spendable",
  "home.maturingText":
    "A note can be spent once its block is deep enough that the chain will not change its mind.",
  "home.maturingIn": "in about {time}",
  "home.maturingBlocks": { one: "{count} block", other: "{count} blocks" },
  "home.recent": "Recent",
  "home.all": "Whole history",
  "home.searching": "Payments show up here as the chain is scanned.",
  "home.guessedTitle": "Is something missing?",
  "home.guessedText":
    "This wallet was scanned from two days before the day that you gave. Older payments are not in these numbers.",
  "home.emptyTitle": "Nothing here yet",

  "problem.title": "The wallet and the node do not fit together",
  "problem.scanHelps":
    "The node no longer knows the blocks that this wallet remembers, or tells of them differently, for example because its chain began anew. Scanning from the beginning takes the chain as the node has it now; payments in preparation are kept.",
  "problem.scan": "Scan from the beginning",

  "receive.title": "Receive",
  "receive.text":
    "Give this address to whoever pays you. Every address of yours leads to the same wallet, and nobody can tell that they belong together.",
  "receive.qr": "The address as a QR code",
  "receive.address": "Your address",
  "receive.number": "Address {number}",
  "receive.new": "New address",
  "receive.mine": "Mine to this wallet",
  "receive.mineStop": "Stop mining to it",
  "receive.mining":
    "The local node mines to this wallet, at its first address, whichever address is shown above. Stopped, it goes on without paying anybody.",
  "receive.mineTitle": "Local network",
  "receive.mineText":
    "This node runs a test network of its own. Let it mine to this wallet, and coins arrive in seconds.",

  "send.title": "Send",
  "send.linkAction": "Paste",
  "send.linkLabel": "It calls the payee “{label}”. Anybody can write that; check the address.",
  "send.to": "To",
  "send.toHint": "An address of this network, beginning with {hrp}:",
  "send.amount": "Amount",
  "send.available": "{amount} can be sent",
  "send.max": "Max",
  "send.memo": "Memo",
  "send.memoHint": "Travels encrypted; only the payee can read it.",
  "send.memoCount": "{count} / {max} bytes",
  "send.fee": "Fee",
  "send.review": "Review",
  "send.reviewTitle": "Check the payment",
  "send.total": "Total",
  "send.self": "This is one of your own addresses: only the fee leaves the wallet.",
  "send.confirm": "Send {amount}",
  "send.nothingYet": "Nothing has been sent yet.",
  "send.edit": "Change",
  "send.notReady": "The wallet must be up to date before it can pay.",
  "send.proofNote":
    "The proof is computed in this browser and takes a moment; the page stays usable.",
  "send.progress": "Progress of the payment",
  "send.stageBuilding": "Prepare",
  "send.stageProving": "Prove",
  "send.stageSigning": "Sign",
  "send.stageBroadcasting": "Broadcast",
  "send.buildingText": "Choosing notes and getting the prover ready",
  "send.provingText": "Computing the zero-knowledge proof",
  "send.signingText": "Comparing the proof with what you confirmed, then signing",
  "send.broadcastingText": "Handing the payment to the node",
  "send.elapsed": "{time} so far",
  "send.cancel": "Cancel payment",
  "send.sentTitle": "Payment sent",
  "send.sentText":
    "The node has taken it. It is in no block yet; the history shows how deep it is in the chain of that node.",
  "send.queuedTitle": "Payment signed",
  "send.queuedText":
    "No node has taken it yet. It is safe in this browser, and the wallet goes on offering it.",
  "send.rivalTitle": "Another payment of the same coins is known",
  "send.replacedTitle": "Not paid: another payment spent the same coins",
  "send.failedTitle": "The payment was not sent",
  "send.refusedTitle": "Refused by this node: it may still go through",
  "send.repeatsTitle": "An earlier payment may still go through",
  "send.repeats":
    "You have paid this address before, and nothing final is known of that payment. This one uses the same notes: at most one of the two can be paid.",
  "send.repeatsApart":
    "You have paid this address before, and nothing final is known of that payment. Its notes cannot be used now: both payments could be paid. Wait, ask another node, or pay once more if both are meant.",
  "send.repeatsReplaced":
    "An earlier payment to this address was not paid: by the blocks of this node another payment spent its coins. If that is not true, both could be paid. Ask another node when in doubt, or pay once more.",
  "send.separate": "Pay once more, from other notes",
  "send.cancelledTitle": "Payment cancelled",
  "send.another": "Send another",
  "send.retry": "Back to the payment",
  "send.done": "Done",

  "rival.ownWaits":
    "This node knows an earlier payment of this wallet with the same coins. At most one of the two can be paid; the next blocks decide which.",
  "rival.elsewhereWaits":
    "This node knows another payment of the same coins. This wallet did not make it: another wallet with the same seed did, if the node is right. At most one of the two can be paid; the next blocks decide which.",
  "rival.ownPaid":
    "By the blocks of this node another payment of this wallet spent the same coins. This one was not paid.",
  "rival.elsewherePaid":
    "By the blocks of this node another payment spent the same coins first. This wallet did not make it: another wallet with the same seed did, if the node is right. This one was not paid. Coins that the other payment left are free again.",

  "history.title": "History",
  "history.search": "Search",
  "history.searchHint": "Amount, memo, remark, address or transaction",
  "history.filter": "Show",
  "history.all": "All",
  "history.received": "Received",
  "history.sent": "Sent",
  "history.mined": "Mined",
  "history.count": { one: "{count} entry", other: "{count} entries" },
  "history.more": "Show more",
  "history.none": "No entry matches.",
  "history.empty": "No payments yet.",

  "row.received": "Received",
  "row.sent": "Sent",
  "row.mined": "Mined",
  "row.self": "To yourself",
  "row.working": "In preparation",
  "row.payment": "Payment",
  "row.waiting": "Waiting for a block",
  "row.untaken": "Waiting for a node",
  "row.arriving": "Arriving",
  "row.settled": "Confirmed by this node",
  "row.refused": "Refused by this node",
  "row.failed": "Failed",
  "row.cancelled": "Cancelled",
  "row.draft": "Not sent",
  "row.conflicted": "Replaced",
  "row.expired": "Too old, this node says",

  "detail.amount": "Amount",
  "detail.fee": "Fee",
  "detail.to": "To",
  "detail.at": "Received at",
  "detail.address": "Your address {number}",
  "detail.memo": "Memo",
  "detail.memoBytes": "Memo (bytes)",
  "detail.date": "Date",
  "detail.state": "State",
  "detail.confirmations": {
    one: "{state}, {count} block deep",
    other: "{state}, {count} blocks deep",
  },
  "detail.block": "Chain block",
  "detail.transaction": "Transaction",
  "detail.forget": "Remove from the list",
  "detail.again": "Fill in again",
  "detail.open": "Details of this entry",

  "settings.title": "Settings",
  "settings.appearance": "Appearance",
  "settings.themeSystem": "System",
  "settings.themeLight": "Light",
  "settings.themeDark": "Dark",
  "settings.theme": "Theme",
  "settings.network": "Network",
  "settings.nodeOnline": "Online",
  "settings.nodeOffline": "Does not answer",
  "settings.nodeConnecting": "Connecting",
  "settings.nodeRefused": "Refused",
  "settings.nodeLive": "Live connection",
  "settings.nodeLiveYes": "Yes",
  "settings.nodeLiveNo": "No, asking every few seconds",
  "settings.nodePool": "Waiting payments",
  "settings.retry": "Try again now",
  "settings.security": "Security",
  "settings.lockText": "Removes every key from memory.",
  "settings.lock": "Lock now",
  "settings.seedText": "Shows the seed and its check digits after asking for the passphrase.",
  "settings.seed": "Reveal seed",
  "settings.rescanText":
    "Reads the chain again, from the wallet's first block or from the chain's. Payments in preparation are kept.",
  "settings.rescan": "Scan again",
  "settings.rescanAll": "From the beginning",
  "settings.rescanBegun": "The scan has begun anew.",
  "settings.kept": "This browser has promised to keep the wallet's data until you remove them.",
  "settings.notKept":
    "This browser has not promised to keep the wallet's data: it may clear them when space runs short, and a private window forgets them when it is closed. The written seed brings the wallet back.",
  "settings.danger": "Remove",
  "settings.deleteText":
    "Removes wallet and history from this browser. Only the written seed or a backup file brings it back; contacts, names and remarks come back with the file alone.",
  "settings.delete": "Remove wallet…",

  "about.title": "About this program",
  "about.text":
    "Whoever runs {origin} could serve another program, which could show any hash here. Compare from outside: npm run hashes in your own copy of the source builds the same files and checks those of a server.",
  "about.servedBy": "Served by",
  "about.variant": "Variant",
  "about.variantListed": "For listed nodes",
  "about.variantAny": "For any node",
  "about.hash": "Hash of all files",
  "about.reading": "Reading…",
  "about.none": "Not told by the server",
  "about.files": {
    one: "{count} file with its SHA-256",
    other: "{count} files with their SHA-256",
  },

  "reveal.title": "Reveal the seed",
  "reveal.text": "Whoever sees it can take everything. It stays on this screen only.",
  "reveal.submit": "Reveal",

  "delete.title": "Remove this wallet?",
  "delete.text":
    "Keys, addresses, history, contacts and remarks are erased from this browser. Coins stay on the chain, and only the seed reaches them.",
  "delete.backupMissing": "You have not confirmed a backup of this seed.",
  "delete.confirm": "I have the seed in writing, or want to give these coins up.",
  "delete.submit": "Remove wallet",

  ...enAppearance,
  ...enCautions,
  ...enDevice,
  ...enEvidence,
  ...enFace,
  ...enHistoryFile,
  ...enKeys,
  ...enLabels,
  ...enNodes,
  ...enMerging,
  ...enMessages,
  ...enMoney,
  ...enPayees,
  ...enTabs,
  ...enReceipt,
  ...enReceive,
  ...enSigner,
  ...enStart,
} as const;
