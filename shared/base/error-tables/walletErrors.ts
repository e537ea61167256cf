/** Error registry, rows of the wallet, written for the person in front of it. */
import type { CodeOf } from "../generated/codes.ts";
import { busy, caller, notNow, operator, type ErrorInfo } from "./errorInfo.ts";

/** The registry rows of area `wallet`. */
export const walletErrors: { readonly [C in CodeOf<"wallet">]: ErrorInfo } = {
  "wallet/approval-full": busy("{max} jobs of this wallet wait for approval already."),
  "wallet/approval-needed": notNow(
    "The owner of the wallet has to approve this payment: job {job}.",
    false,
  ),
  "wallet/bad-backup": caller("The backup file cannot be read: {reason}."),
  "wallet/bad-idempotency-key": caller("An idempotency key has 1 to {max} characters."),
  "wallet/bad-page": operator("The node sent blocks that do not fit the ones before: {reason}."),
  "wallet/bad-payee": caller("Payee {index}: {reason}"),
  "wallet/bad-payout-file": caller("Line {line} of the payouts: {reason}."),
  "wallet/bad-scoped-token": caller("There cannot be such a token: {reason}."),
  "wallet/bad-seed": caller("A seed has 64 hexadecimal digits. Check it against your backup."),
  "wallet/bad-signature": caller(
    "The signature of action {index} does not belong to this prepared payment.",
  ),
  "wallet/bad-token": caller(
    "A wallet token has 1 to 128 characters: letters, digits, - and _ alone.",
  ),
  "wallet/cancelled": caller("Cancelled. Nothing was sent.", 409),
  "wallet/cursor-ahead": caller(
    "The feed ends at {head}, before the cursor {cursor}: an older database of the daemon was put back. Read the feed from 0 again.",
    409,
  ),
  "wallet/day-limit": caller(
    "This token may spend {limit} sompi a day. {spent} are spent today, and {asked} are asked for.",
    403,
  ),
  "wallet/exists": caller("There is already a wallet here.", 409),
  "wallet/false-record": {
    ...operator(
      "The node served a false record of block {index}: {reason}. What this wallet shows may be wrong. Choose another node and scan again.",
    ),
    http: 502,
  },
  "wallet/fee-too-high": caller("The fee would be {fee}, more than your limit of {max}.", 422),
  "wallet/file-damaged": operator("The file {file} is damaged: {reason}."),
  "wallet/file-key": operator(
    "The file {file} holds another key than the wallet whose payments are in the database, and nothing was changed. Put the file of that wallet back, or import this key with replace, which forgets those payments.",
  ),
  "wallet/file-network": operator(
    "The file {file} belongs to the network {found}, and this daemon to {expected}. Choose another --wallet-dir.",
  ),
  "wallet/file-version": operator(
    "The file {file} has version {found}; this program knows {expected}. Update the program.",
  ),
  "wallet/funds-maturing": notNow(
    "{needed} are needed and {spendable} can be spent now; {maturing} more are still maturing.",
  ),
  "wallet/graft-refused": operator("Nothing was changed: {reason}."),
  "wallet/insufficient-funds": caller(
    "{needed} are needed, fee included; {spendable} can be spent.",
    409,
  ),
  "wallet/key-reused": caller("This idempotency key was used for another call.", 409),
  "wallet/locked": caller("The wallet is locked. Unlock it with your passphrase.", 423),
  "wallet/memo-too-long": caller("The memo has {length} bytes; at most {max} fit."),
  "wallet/no-anchor": notNow("The chain is too young to spend from; wait for more blocks."),
  "wallet/node-compact-only": operator(
    "The node at {url} serves compact records alone, and not from the beginning of the chain: no scan can begin there. Name a node with the whole history, or one of this program.",
  ),
  "wallet/no-job": caller("This wallet has no such job.", 404),
  "wallet/no-disclosure": caller("This daemon keeps no proof of the payment {txid}.", 404),
  "wallet/no-secret": operator(
    "The wallets are sealed. Give their secret with --wallet-secret, --wallet-secret-file or SVC_WALLET_SECRET.",
  ),
  "wallet/no-scoped-token": caller("This wallet has no token with that id.", 404),
  "wallet/no-session": caller(
    "There is no such prepared payment: its time is over, or it belongs to another wallet. Prepare it again.",
    404,
  ),
  "wallet/no-wallet": caller("There is no wallet here yet.", 404),
  "wallet/node-history-incomplete": operator(
    "This node's history begins at {from}, after the wallet's birthday {birthday}: the balance would be too low.",
  ),
  "wallet/node-unreachable": busy("The node at {url} does not answer."),
  "wallet/node-wrong-network": operator(
    "The node is on network {found}; this wallet is on {expected}.",
  ),
  "wallet/not-awaiting": caller("No job {job} of this wallet waits for approval.", 404),
  "wallet/not-synced": {
    ...notNow("The wallet is still {behind} blocks behind the chain."),
    http: 503,
  },
  "wallet/opening": busy("The wallet is being opened; nothing of it is known yet."),
  "wallet/nothing-to-consolidate": caller(
    "There is nothing to merge: {notes} notes of {sum} in all, and merging them costs {fee}.",
    409,
  ),
  "wallet/other-viewing-key": caller(
    "The viewing key is not that of this wallet. Register it with /api/wallet/watch first.",
    403,
  ),
  "wallet/page-changed": operator(
    "The server has a newer version of this page, and this tab cannot load the parts of its own any more. Nothing was sent. Reload the page.",
  ),
  "wallet/partly-sent": caller(
    "The payment was partially sent: {sent} of {total} transactions are on their way, then {reason}",
    502,
  ),
  "wallet/payee-not-allowed": caller("This token may not pay payee {payee}.", 403),
  "wallet/payment-pending": notNow(
    "An earlier payment spends the same notes; wait until it is in the chain.",
  ),
  "wallet/payment-rejected": caller(
    "This node refused the payment: {reason} It has the signed bytes, so the payment may still go through. Another try uses the same notes: at most one of the two can be paid.",
    502,
  ),
  "wallet/payout-twice": caller("The reference of this payout stands on line {line} already."),
  "wallet/preparing": {
    ...busy(
      "Another payment of this wallet has been prepared for {seconds} s and is not ready. Ask again when it is.",
      429,
    ),
    log: "debug",
  },
  "wallet/prove-queue": busy(
    "No prover became free within {seconds} s. Nothing was sent; try again.",
  ),
  "wallet/reorg-too-deep": operator(
    "The chain changed {depth} blocks back; more than {max} cannot be undone. Restore the wallet from its seed.",
  ),
  "wallet/retry-unsafe": notNow(
    "An earlier payment to this address may still go through, and its notes cannot be used now. To pay again from other notes could pay twice. Wait, or ask another node.",
  ),
  "wallet/rows-lost": operator(
    "The wallet's database is older than its scan file: payments may be missing from it, so nothing is spent. Put the newer database back, or scan the wallet again to accept that.",
  ),
  "wallet/rows-sealed": operator(
    "The wallet database is sealed under a key that this folder's .sealing.json does not hold. Put the .sealing.json back that belongs to it.",
  ),
  "wallet/scope": caller("This token does not allow that: it lacks the scope {needed}.", 403),
  "wallet/secret-unfinished": operator(
    "A change of the wallet secret was interrupted. Run it again with the same two secrets.",
  ),
  "wallet/storage": operator("The wallet could not be stored or read: {reason}."),
  "wallet/storage-closed": operator(
    "The browser stopped storing this wallet, mostly because the disk is full. Free some space on this device and reload the page. What was confirmed is safe, and nothing is paid meanwhile.",
  ),
  "wallet/storage-full": operator(
    "This browser has no more room for the wallet. Free some space on this device, or remove data of other sites. What was confirmed is safe, and nothing is paid meanwhile.",
  ),
  "wallet/storage-removed": operator(
    "The browser removed the data of this wallet, or they were cleared by hand. Your coins are safe in the chain: restore the wallet from its seed.",
  ),
  "wallet/too-few-notes": notNow(
    "There is money enough, but in too few notes: {payable} of {payees} payees can be paid now, the others when the change has matured.",
  ),
  "wallet/too-many-notes": caller(
    "The payment needs {count} notes; one transaction takes {max}. Send a smaller amount first.",
    409,
  ),
  "wallet/too-many-payees": caller(
    "The payment has {count} payees; one transaction takes {max}.",
    422,
  ),
  "wallet/tree-mismatch": {
    ...operator("The wallet's copy of the note tree differs from the node's; it must scan again."),
    http: 409,
  },
  "wallet/watch-only": caller("This wallet holds a viewing key alone: its seed is elsewhere.", 403),
  "wallet/weak-passphrase": caller("The passphrase needs at least {min} characters."),
  "wallet/worker-failed": operator("A background worker of the wallet stopped: {reason}."),
  "wallet/wrong-passphrase": caller("This passphrase does not open the wallet.", 401),
  "wallet/wrong-secret": operator("The wallet secret does not open {file}."),
  "wallet/wrong-signatures": caller(
    "This prepared payment needs signatures of the actions {expected}, and was given some of {found}.",
  ),
};
