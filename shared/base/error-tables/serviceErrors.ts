/** Error registry, rows of running programs: chain questions, servers, store, engine, queues. */
import type { CodeOf } from "../generated/codes.ts";
import {
  busy,
  caller,
  defect,
  malformed,
  missing,
  notNow,
  operator,
  ruleBroken,
  tooSlow,
  type ErrorInfo,
} from "./errorInfo.ts";

type Area =
  | "chain"
  | "engine"
  | "http"
  | "internal"
  | "live"
  | "node"
  | "p2p"
  | "queue"
  | "rpc"
  | "run"
  | "store"
  | "template"
  | "verify"
  | "webhook";

/** The registry rows of the areas above. */
export const serviceErrors: { readonly [C in CodeOf<Area>]: ErrorInfo } = {
  "chain/no-common-block": missing("None of the named blocks is on the selected chain."),
  "chain/not-on-chain": notNow(
    "The block left the selected chain; the last common block is {commonHash}.",
    false,
  ),
  "chain/pruned": missing("Block {hash} is below the pruning point; this is no longer kept.", 410),
  "chain/unknown-block": missing("Block {hash} is unknown."),
  "chain/unknown-transaction": missing("Transaction {txid} is unknown."),

  "engine/abi-mismatch": operator(
    "The core is of version {found}, the program needs {expected}; build both again.",
  ),
  "engine/bad-call": defect("The core was called wrongly: {reason}."),
  "engine/not-imported": busy("The node is still fetching the state it starts from."),
  "engine/out-of-memory": operator(
    "There is not enough memory for this work; close other programs or give it a machine with more.",
  ),
  "engine/overflow": defect("The chain state does not fit its type: {what}."),
  "engine/panic": defect("The core stopped on a defect: {message}."),
  "engine/restarted": busy("The core was restarted; try again."),

  "http/bad-request": caller("The request is malformed: {reason}."),
  "http/body-too-large": caller("The request has {length} bytes; at most {max} are taken.", 413),
  "http/forbidden": caller("This call is open to this machine only.", 403),
  "http/foreign-host": caller(
    "This server is not called {host}; its operator may add the name.",
    421,
  ),
  "http/foreign-origin": caller(
    "Pages of {origin} may not use this server; its operator may allow the origin.",
    403,
  ),
  "http/not-found": missing("There is nothing at {path}."),
  "http/timeout": busy("The request took longer than {ms} ms."),
  "http/tls-only": caller("This port speaks TLS: write https:// in place of http://."),
  "http/too-many-connections": busy("More than {max} connections are open; try again later."),
  "http/too-many-requests": busy("Too many requests; try again in {retryAfter} s.", 429),
  "http/unavailable": busy("The server cannot answer now: {reason}."),

  "internal/erased-secret": defect("A secret was used after it was erased."),
  "internal/unexpected": defect("Something went wrong that should not: {message}."),

  "live/bad-frame": caller("The live connection got a frame it does not know: {reason}."),
  "live/closed": busy("The live connection was closed: {reason}."),
  "live/too-slow": busy("The live connection fell more than {window} blocks behind."),

  "node/already-running": operator("Process {pid} uses {path}: stop it first."),
  "node/bad-folder": operator("The data folder {path} cannot be used: {reason}."),
  "node/bad-option": caller("Option {option} is wrong: {reason}."),
  "node/port-in-use": operator("Another program listens on port {port}."),
  "node/was-archival": operator(
    "This database keeps the bodies of all blocks: start with --archival, or with --yes to have those below the pruning point deleted.",
  ),
  "node/stopping": busy("The node is stopping."),

  "queue/closed": busy("The program is stopping ({queue})."),
  "p2p/bad-message": malformed("A peer's message is malformed: {field}: {reason}."),
  "p2p/closed": notNow("The other side ended the link."),
  "p2p/duplicate-connection": {
    ...notNow("There is a link to this peer already.", false),
    peer: "DUPLICATE_CONNECTION",
  },
  "p2p/evicted": notNow("The place was given to another peer."),
  "p2p/flooded": ruleBroken(
    "More than {limit} messages of the kind {message} wait for their turn.",
    "minor",
  ),
  "p2p/message-too-large": malformed(
    "A peer's {message} has {length} bytes; at most {max} are taken.",
  ),
  "p2p/own-connection": {
    ...notNow("The node has dialled itself.", false),
    peer: "LOOPBACK_CONNECTION",
  },
  "p2p/refused-agent": notNow("The program {agent} is refused here.", false),
  "p2p/rejected": notNow("The peer ended the link: {reason}"),
  "p2p/slow-reader": tooSlow(
    "The peer leaves {unsent} bytes unread; at most {max} are kept for it.",
  ),
  "p2p/stalled": tooSlow("The peer did not send {awaited} within {limitMs} ms."),
  "p2p/unexpected-message": malformed("Nobody here waits for the message {message}."),
  "p2p/unknown-message": ruleBroken("Message {number} is not known here.", "minor"),
  "p2p/unreachable": notNow("{address} cannot be reached: {reason}."),
  "p2p/wrong-network": notNow("The peer is of the network {found}, this one is {expected}.", false),
  "p2p/wrong-profile": notNow(
    "The peer's network has the digest {found}; this one has {expected}.",
    false,
  ),
  "p2p/wrong-version": notNow(
    "The peer speaks version {found} of the protocol; {expected} is needed.",
    false,
  ),

  "queue/full": busy("Too much at once: {queue} holds {limit} already."),
  // An honest peer keeps below the limits; a busy one may run into them now and then.
  "queue/too-fast": {
    ...busy("Too many {kind} in a short time; try again in {retryMs} ms.", 429),
    penalty: "minor",
  },

  "rpc/bad-argument": caller("Argument {field} is wrong: {reason}."),
  "rpc/not-ready": busy("The node cannot answer this yet: {reason}."),

  "run/aborted": { ...caller("Cancelled.", 499), retryable: true },
  "run/timeout": busy("{what} took longer than {limitMs} ms."),

  "store/commit-failed": operator("The database refused to write: {reason}."),
  "store/corrupt": operator("The database is damaged in table {table}: {reason}."),
  "store/damaged": operator(
    "{file} is damaged: {reason}. Put a copy of the whole folder {folder} in its place, or remove that folder and start again: what peers have is fetched anew.",
  ),
  "store/failing": operator(
    "The database lacked something or could not be read {times} times since the start; the node stops when that happens {most} times.",
  ),
  "store/low-map": operator(
    "The {database} database has filled {percent} % of the room reserved for it; the node stops when it is full.",
  ),
  "store/low-room": operator(
    "The disk that holds the data has {freeMib} MiB left; the node stops below {stopMib} MiB.",
  ),
  "store/map-full": operator(
    "The database in {folder} has filled the {roomMib} MiB that are reserved for it.",
  ),
  "store/missing": operator("The database lacks {key} in table {table}."),
  "store/no-room": operator(
    "The disk that holds {folder} has {freeMib} MiB left and {neededMib} MiB are needed: make room there, then start again.",
  ),
  "store/profile-mismatch": operator(
    "The data folder belongs to network {found}; this is {expected}.",
  ),
  "store/read-failed": operator("The database could not be read: {reason}."),
  "store/unreadable": operator(
    "{file} cannot be read: {reason}. Look at the disk that holds it and at what the system's log says of it, then start again. If it stays so put a copy of the whole folder {folder} on a sound disk in its place, or remove that folder: what peers have is fetched anew.",
  ),
  "store/version": operator(
    "The stored data has format {found}; this program reads {expected}. A higher format is a newer program's: run that one. A lower one is brought up to date when a node or wallet of this program starts on it.",
  ),

  "template/not-ready": busy("No block can be built now: {reason}."),

  "verify/contradiction": operator(
    "The database contradicts itself in table {table} at {key}: {reason}.",
  ),
  "verify/difference": operator(
    "Table {table} differs at {key}: stored is {stored}, computed is {computed}.",
  ),
  "verify/no-store": operator("There is no database in {path}."),
  "verify/pruned": operator(
    "The store is pruned at {point}: blocks below are gone, so it is checked for agreement with itself and not from genesis.",
  ),
  "verify/unreadable": operator(
    "Reading the database ended the check ({signal}): its file is damaged or cut short, and cannot be read at all.",
  ),
  "verify/unfinished": operator(
    "The node ended in the middle of a change of the selected chain: nullifiers and lanes were held against its state only. Start and stop it once for more.",
  ),
  "webhook/bad-target": caller("Nothing is sent to this webhook: {reason}.", 422),
  "webhook/no-delivery": missing("This wallet has no delivery with that id."),
  "webhook/not-set-up": caller("This daemon sends no webhooks (--webhook-url).", 409),
  "webhook/refused": notNow("The receiver of the webhook answered {status}."),
  "webhook/unreachable": notNow("The receiver of the webhook does not answer: {reason}."),
};
