/**
 * Error codes, generated from `wasm-core/codes.json` by `scripts/generate/generateCodes.ts`.
 * Do not edit: change the list and run `npm run generate`.
 */

/** The names of the data fields that each code carries. */
export const CODE_FIELDS = {
  /** the address holds a character outside its alphabet. */
  "address/bad-character": ["position"],
  /** the address was mistyped: its checksum does not match. */
  "address/bad-checksum": [],
  /** the address does not hold a valid shielded receiver. */
  "address/bad-key": [],
  /** the address has the wrong length. */
  "address/bad-length": ["length"],
  /** the unused last bits of the address are not zero. */
  "address/bad-padding": [],
  /** the address is of an unknown kind. */
  "address/bad-version": ["version"],
  /** the address has no network prefix. */
  "address/missing-prefix": [],
  /** the address belongs to another network. */
  "address/wrong-network": ["expected", "found"],
  /** the randomisers do not go up by action, or name one that is not there. */
  "airgap/bad-alphas": ["index"],
  /** the bundle is none that a wallet pays with. */
  "airgap/bad-bundle": ["reason"],
  /** the text is no frame of a message. */
  "airgap/bad-frame": ["reason"],
  /** the message is of another version. */
  "airgap/bad-version": ["found", "expected"],
  /** the browser gives no picture of a camera. */
  "airgap/camera": ["reason"],
  /** a list or map has too few or too many items. */
  "airgap/cbor-count": ["offset", "found", "min", "max"],
  /** the bytes end before the message does. */
  "airgap/cbor-end": ["needed", "remaining"],
  /** a number or length is not written in its one deterministic form. */
  "airgap/cbor-form": ["offset"],
  /** a key of a map is unknown, missing, repeated or out of order. */
  "airgap/cbor-key": ["offset", "found", "expected"],
  /** a byte string has the wrong length. */
  "airgap/cbor-length": ["offset", "found", "max"],
  /** a number is larger than its field allows. */
  "airgap/cbor-range": ["offset", "found", "max"],
  /** bytes are left over after the message. */
  "airgap/cbor-trailing": ["remaining"],
  /** another kind of value stands where one is expected. */
  "airgap/cbor-type": ["offset", "expected"],
  /** a frame was misread: its checksum does not match. */
  "airgap/frame-checksum": [],
  /** the joined message does not match its checksum. */
  "airgap/message-checksum": [],
  /** the message is longer than any payment. */
  "airgap/message-too-long": ["length", "max"],
  /** no QR code was found in an image. */
  "airgap/no-code": [],
  /** the frame belongs to another message than those before it. */
  "airgap/other-message": [],
  /** the message claims to be cut into too many frames. */
  "airgap/too-many-frames": ["count", "max"],
  /** the payment is for a network that the signer does not know. */
  "airgap/unknown-network": ["network"],
  /** the message is of another type. */
  "airgap/wrong-type": ["found", "expected"],
  /** the amount is not a decimal number of coins. */
  "amount/malformed": ["text"],
  /** the amount is below zero. */
  "amount/negative": ["text"],
  /** the amount does not fit 64 bits of the smallest unit. */
  "amount/too-large": ["text"],
  /** the amount has more decimals than the coin. */
  "amount/too-many-decimals": ["text", "max"],
  /** the amount is zero. */
  "amount/zero": [],
  /** the answer of a wallet daemon is none of its API. */
  "api/bad-answer": ["status", "reason"],
  /** the bearer token of the transport is missing or is another one. */
  "api/bad-bearer": [],
  /** a field of the request has the right type and a wrong content. */
  "api/bad-field": ["field", "expected"],
  /** a text is no pairing code of a wallet daemon. */
  "api/bad-pairing": ["reason"],
  /** the wallet token is malformed. */
  "api/bad-token": [],
  /** a field of the request is missing. */
  "api/missing-field": ["field"],
  /** the request carries no wallet token. */
  "api/missing-token": [],
  /** the daemon holds no seeds, and the call needs one. */
  "api/no-custody": [],
  /** the body of the request is not sent as JSON. */
  "api/not-json": ["found"],
  /** a wallet daemon refused the call with a code that this program does not know. */
  "api/refused": ["status", "reason"],
  /** the wallet token is too short for a daemon that others can reach. */
  "api/short-token": ["min"],
  /** no scoped token is like this, or it is revoked or expired. */
  "api/unknown-token": [],
  /** the wallet daemon does not answer. */
  "api/unreachable": ["url"],
  /** the path does not take this method. */
  "api/wrong-method": ["method", "allowed"],
  /** a field of the request has another JSON type. */
  "api/wrong-type": ["field", "expected"],
  /** the merkle root does not match the transactions. */
  "body/bad-merkle-root": ["expected", "found"],
  /** a transaction of the block spends an output of the same block. */
  "body/chained-transaction": ["txid"],
  /** the block exceeds the compute mass limit. */
  "body/compute-mass": ["mass", "max"],
  /** two transactions of the block spend the same output. */
  "body/double-spend": ["outpoint"],
  /** the block holds a transaction twice. */
  "body/duplicate-transaction": ["txid"],
  /** the first transaction of the block is not a coinbase. */
  "body/first-not-coinbase": [],
  /** a lane of the block exceeds its gas limit. */
  "body/lane-gas": ["gas", "max"],
  /** the block has a second coinbase. */
  "body/multiple-coinbases": ["index"],
  /** the block has no transactions. */
  "body/no-transactions": [],
  /** the block is below the pruning point. */
  "body/pruned": ["hash"],
  /** the block exceeds the storage mass limit. */
  "body/storage-mass": ["mass", "max"],
  /** the block touches more lanes than allowed. */
  "body/too-many-lanes": ["count", "max"],
  /** the block exceeds the transient mass limit. */
  "body/transient-mass": ["mass", "max"],
  /** none of the sent blocks is on the selected chain. */
  "chain/no-common-block": [],
  /** the block is known and not on the selected chain. */
  "chain/not-on-chain": ["commonHash", "chainIndex"],
  /** the block is below the pruning point and what was asked about it is no longer kept. */
  "chain/pruned": ["hash"],
  /** no block with this hash is known. */
  "chain/unknown-block": ["hash"],
  /** no transaction with this id is known. */
  "chain/unknown-transaction": ["txid"],
  /** the bytes are not the deterministic CBOR that was expected. */
  "codec/bad-cbor": ["offset", "reason"],
  /** the container's checksum does not match its bytes. */
  "codec/bad-checksum": [],
  /** the text is no CSV. */
  "codec/bad-csv": ["line", "reason"],
  /** the text is not lower-case hex of the expected length. */
  "codec/bad-hex": ["text"],
  /** the text is not the JSON that was expected. */
  "codec/bad-json": ["reason"],
  /** the container does not begin with its mark and version. */
  "codec/bad-magic": ["found"],
  /** the bytes are not valid UTF-8. */
  "codec/bad-utf8": [],
  /** a length prefix promises more items than allowed or than the bytes can hold. */
  "codec/count-too-large": ["count", "max"],
  /** the bytes decode to a value whose own encoding is different. */
  "codec/not-canonical": ["what"],
  /** the number does not fit its field. */
  "codec/number-out-of-range": ["text", "max"],
  /** bytes are left over after the value. */
  "codec/trailing-bytes": ["remaining"],
  /** the bytes end before the value does. */
  "codec/unexpected-end": ["needed", "remaining"],
  /** the bytes are of a form this version does not know. */
  "codec/version": ["expected", "found"],
  /** a value of fixed length has another length. */
  "codec/wrong-length": ["expected", "found"],
  /** the coinbase payload does not pay a shielded address. */
  "coinbase/bad-recipient": ["reason"],
  /** the coinbase commits to a storage mass other than zero. */
  "coinbase/bad-storage-mass": [],
  /** the coinbase carries a merge-mining commitment. */
  "coinbase/carries-commitment": [],
  /** the extra data does not fit the coinbase payload. */
  "coinbase/extra-too-long": ["length", "max"],
  /** the coinbase has inputs. */
  "coinbase/has-inputs": [],
  /** the coinbase payload is longer than allowed. */
  "coinbase/payload-too-long": ["length", "max"],
  /** the coinbase payload ends before its fields. */
  "coinbase/payload-too-short": ["length", "min"],
  /** the script in the coinbase payload is longer than allowed. */
  "coinbase/script-too-long": ["length", "max"],
  /** the coinbase has more outputs than allowed. */
  "coinbase/too-many-outputs": ["count", "max"],
  /** the coinbase payload names another blue score than the header. */
  "coinbase/wrong-blue-score": ["expected", "found"],
  /** the coinbase payload names another subsidy than the emission schedule. */
  "coinbase/wrong-subsidy": ["expected", "found"],
  /** the WebAssembly build and its TypeScript facade are of different versions. */
  "engine/abi-mismatch": ["expected", "found"],
  /** a call of the core was given arguments of the wrong form. */
  "engine/bad-call": ["reason"],
  /** the store begins at a pruning point whose state has not come yet. */
  "engine/not-imported": [],
  /** the memory of a WebAssembly instance cannot grow any more. */
  "engine/out-of-memory": [],
  /** a sum of the chain state does not fit its type. */
  "engine/overflow": ["what"],
  /** the core stopped on a defect of ours. */
  "engine/panic": ["message"],
  /** the core was reopened from the store while the call waited. */
  "engine/restarted": [],
  /** another node shows work above a later block. */
  "evidence/behind-other": ["found", "other"],
  /** a header does not reach the block level of its run. */
  "evidence/below-level": ["hash", "level", "min"],
  /** the node left a block above which work was shown. */
  "evidence/contradicted": ["block"],
  /** the transaction is not the coinbase of the header. */
  "evidence/foreign-coinbase": ["hash"],
  /** the state of the block holds no anchor log. */
  "evidence/no-log": ["block"],
  /** the header has no parent whose state it could commit to. */
  "evidence/no-parent": ["hash"],
  /** the note does not stand in the tree. */
  "evidence/not-in-tree": ["root"],
  /** the header does not follow from the one before it. */
  "evidence/not-linked": ["hash"],
  /** the path does not lead to the anchor log. */
  "evidence/not-member": ["index", "count"],
  /** the node does not show the work above its blocks. */
  "evidence/not-shown": ["reason"],
  /** the receipt was not made for the challenge that was asked. */
  "evidence/other-challenge": [],
  /** the minted coins that the node told are not those that the chain commits to. */
  "evidence/other-coins": ["block", "expected", "found"],
  /** pieces of evidence are about different headers. */
  "evidence/other-header": ["expected", "found"],
  /** the receipt is of another network. */
  "evidence/other-network": ["expected", "found"],
  /** the notes that the node told are not those that the chain commits to. */
  "evidence/other-notes": ["block", "expected", "found"],
  /** the nullifiers that the node told are not those that the chain commits to. */
  "evidence/other-nullifiers": ["block", "expected", "found"],
  /** another node tells a page of the chain otherwise. */
  "evidence/other-page": ["block"],
  /** a payment that the node told is not the one of its id. */
  "evidence/other-payload": ["txid"],
  /** the scores that the node told of a block are not those of its header. */
  "evidence/other-scores": ["block", "expected", "found"],
  /** the parts are not the state that the coinbase commits to. */
  "evidence/other-state": ["expected", "found"],
  /** the newest block that the node shows is older than the clock allows. */
  "evidence/stale-tip": ["tipMs", "nowMs"],
  /** the target of a header is easier than the floor allows. */
  "evidence/too-easy": ["bits", "floor"],
  /** a run has too few headers above its base to count, or none. */
  "evidence/too-few-headers": ["count", "min"],
  /** the program has no checkpoint of the network, so work that is shown has no measure. */
  "evidence/unknown-work": [],
  /** the chain moved while a pruning point was being served. */
  "export/moved": ["pruningPoint"],
  /** the answer of a gateway is none of its API. */
  "gateway/bad-answer": ["status", "reason"],
  /** the API key is missing, unknown or revoked. */
  "gateway/bad-key": [],
  /** no till has this name and this password. */
  "gateway/bad-sign-in": [],
  /** a refund can no longer be claimed: its time is over, or it was decided. */
  "gateway/claim-over": [],
  /** the idempotency key was used for another request. */
  "gateway/idempotency-conflict": [],
  /** a request with the same idempotency key is being answered. */
  "gateway/in-flight": ["retryAfter"],
  /** the file of a viewing key is damaged, or of a later program. */
  "gateway/key-file": ["file"],
  /** there is a merchant of this name already. */
  "gateway/merchant-exists": ["merchant"],
  /** the scanner has handed out no address that a new invoice may have. */
  "gateway/no-address": [],
  /** no refund has this claim. */
  "gateway/no-claim": [],
  /** the webhook has no delivery of this id. */
  "gateway/no-delivery": [],
  /** the merchant has no invoice of this id. */
  "gateway/no-invoice": [],
  /** the merchant has no API key of this name. */
  "gateway/no-key": ["id"],
  /** there is no merchant of this name. */
  "gateway/no-merchant": ["merchant"],
  /** no receipt of the payment is kept, or it is not confirmed. */
  "gateway/no-receipt": [],
  /** the merchant has no refund of this id. */
  "gateway/no-refund": [],
  /** the till is not signed in: its session is missing, unknown or over. */
  "gateway/no-session": [],
  /** the merchant has no webhook of this id. */
  "gateway/no-webhook": [],
  /** the wallet that pays a merchant's refunds is another one than was asked for this refund. */
  "gateway/payout-wallet": [],
  /** the newest rate of the currency is too old to make an invoice with. */
  "gateway/price-stale": ["currency"],
  /** the payer gave another address than the one that is approved. */
  "gateway/refund-address": [],
  /** the refund is in a state that does not allow the call. */
  "gateway/refund-state": ["state"],
  /** more is to be paid back than is left of the invoice's payments. */
  "gateway/refund-too-large": ["asked", "max"],
  /** a gateway refused the call with a code that this program does not know. */
  "gateway/refused": ["status", "reason"],
  /** the API key does not allow this call. */
  "gateway/scope": ["needed"],
  /** a file of the gateway could not be read or written. */
  "gateway/storage": ["reason"],
  /** the merchant has as many API keys as may be. */
  "gateway/too-many-keys": ["max"],
  /** the gateway has as many merchants as may be. */
  "gateway/too-many-merchants": ["max"],
  /** the invoice has as many refunds as may be. */
  "gateway/too-many-refunds": ["max"],
  /** the merchant has as many webhooks as may be. */
  "gateway/too-many-webhooks": ["max"],
  /** the gateway does not answer. */
  "gateway/unreachable": ["url"],
  /** the invoice is in a state that does not allow the call. */
  "gateway/wrong-state": ["status"],
  /** the compressed parents are not in their one valid form. */
  "header/bad-parents": ["reason"],
  /** the blue work does not fit 192 bits. */
  "header/blue-work-too-large": [],
  /** the block merges a red block below the merge depth. */
  "header/bounded-merge": ["block"],
  /** a parent of the block is known to be invalid. */
  "header/invalid-parent": ["parent"],
  /** neither the header nor a witness has the work that the bits ask for; `witness` says why the witness does not help. */
  "header/invalid-pow": ["value", "target", "witness"],
  /** the block was found invalid before; `reason` is the code of then. */
  "header/known-invalid": ["hash", "reason"],
  /** the block takes a parent with a witness of form 0 for one of another level; another witness of that parent explains it. */
  "header/level-conflict": ["parent", "level", "claimed"],
  /** the block merges more blocks than allowed. */
  "header/mergeset-too-big": ["count", "max"],
  /** parents of the block are unknown. */
  "header/missing-parents": ["parents"],
  /** the block names no parent. */
  "header/no-parents": [],
  /** the block names the virtual root as its parent. */
  "header/origin-parent": [],
  /** no parent of the block is in the future of the pruning point. */
  "header/pruning-violation": ["pruningPoint"],
  /** one parent of the block is in the past of another. */
  "header/related-parents": ["ancestor", "descendant"],
  /** the block is from the future. */
  "header/time-too-far-ahead": ["timestamp", "max"],
  /** the block is not younger than the past median time. */
  "header/time-too-old": ["timestamp", "min"],
  /** the block names more direct parents than allowed. */
  "header/too-many-parents": ["count", "max"],
  /** the difficulty bits of the block are wrong. */
  "header/wrong-bits": ["expected", "found"],
  /** the blue score of the block is wrong. */
  "header/wrong-blue-score": ["expected", "found"],
  /** the blue work of the block is wrong. */
  "header/wrong-blue-work": ["expected", "found"],
  /** the DAA score of the block is wrong. */
  "header/wrong-daa-score": ["expected", "found"],
  /** the parents of a higher level are wrong. */
  "header/wrong-indirect-parents": ["level"],
  /** the pruning point named by the block is wrong. */
  "header/wrong-pruning-point": ["expected", "found"],
  /** the block version is not the one for its DAA score. */
  "header/wrong-version": ["expected", "found"],
  /** records of history were sent while none are wanted. */
  "history/out-of-order": [],
  /** a record of history does not fit the one above it or the header of its block. */
  "history/wrong-record": ["hash", "reason"],
  /** the request does not have the expected form. */
  "http/bad-request": ["reason"],
  /** the request body is larger than allowed. */
  "http/body-too-large": ["length", "max"],
  /** this call is allowed from this machine only. */
  "http/forbidden": [],
  /** the Host header names another machine than this server. */
  "http/foreign-host": ["host"],
  /** a page of this origin may not use this server. */
  "http/foreign-origin": ["origin"],
  /** there is nothing at this path. */
  "http/not-found": ["path"],
  /** the request took too long. */
  "http/timeout": ["ms"],
  /** HTTP without TLS was sent to a port that speaks TLS. */
  "http/tls-only": [],
  /** too many connections are open. */
  "http/too-many-connections": ["max"],
  /** too many requests. */
  "http/too-many-requests": ["retryAfter"],
  /** the server cannot answer now. */
  "http/unavailable": ["reason"],
  /** the trusted headers lack what judging this block or those above it needs. */
  "import/incomplete": ["hash", "table", "key"],
  /** no header above the pruning point is known, so nothing binds its state. */
  "import/not-bound": ["pruningPoint"],
  /** an import begins in a store that holds genesis alone. */
  "import/not-empty": [],
  /** the call does not fit how far the import has come. */
  "import/out-of-order": ["call"],
  /** the chain shows less work than the profile asks for. */
  "import/too-little-work": ["shown", "min"],
  /** an import brings more headers or blocks than allowed. */
  "import/too-many-headers": ["count", "max"],
  /** an import brings more nullifiers than announced or allowed. */
  "import/too-many-nullifiers": ["count", "max"],
  /** anchors from before the security fork are not bound to the chain. */
  "import/unbound": ["pruningPoint"],
  /** the import has no use for the body of this block. */
  "import/unexpected-body": ["hash"],
  /** what is said to bind an anchor to the chain does not. */
  "import/wrong-binding": ["hash", "reason"],
  /** the block is not the child of the pruning point on the heaviest chain. */
  "import/wrong-child": ["hash", "expected"],
  /** the anchors of the state claim are no sequence that leads to the pruning point. */
  "import/wrong-entry": ["index", "reason"],
  /** the GHOSTDAG data sent with a header are not those of its block. */
  "import/wrong-ghostdag": ["hash"],
  /** a header of the trusted data has no place in the graph of the pruning point. */
  "import/wrong-header": ["hash", "reason"],
  /** the lanes do not make the commitment of the pruning point. */
  "import/wrong-lanes": ["found", "expected"],
  /** the nullifiers are not those of the state claim. */
  "import/wrong-nullifiers": ["count", "found", "expected"],
  /** the list of pruning points does not lead from genesis to that of the proof. */
  "import/wrong-points": ["index", "reason"],
  /** the state claim is not the state that the network committed to. */
  "import/wrong-state": ["reason", "found", "expected"],
  /** a secret was used after it was erased. */
  "internal/erased-secret": [],
  /** an error that no code describes: a defect of ours. */
  "internal/unexpected": ["message"],
  /** the viewing key does not belong to the address. */
  "keys/address-mismatch": [],
  /** the 32 bytes are not a usable spending key. */
  "keys/bad-seed": [],
  /** the message signature does not belong to this address. */
  "keys/bad-signature": [],
  /** the bytes are not a usable spending key. */
  "keys/bad-spend-key": [],
  /** the bytes are not a viewing key. */
  "keys/bad-viewing-key": [],
  /** the system gave no randomness. */
  "keys/random-unavailable": [],
  /** the live connection got a frame it does not know. */
  "live/bad-frame": ["reason"],
  /** the live connection was closed. */
  "live/closed": ["reason"],
  /** the live connection did not acknowledge in time. */
  "live/too-slow": ["window"],
  /** the transaction is already in a block. */
  "mempool/already-applied": ["txid"],
  /** the transaction is already waiting. */
  "mempool/duplicate": ["txid"],
  /** the fee is below the relay minimum. */
  "mempool/fee-too-low": ["fee", "minimum"],
  /** the pool is full and the transaction does not pay enough to replace another. */
  "mempool/full": ["count", "max"],
  /** the transaction is too large to be relayed. */
  "mempool/mass-too-high": ["mass", "max"],
  /** another waiting transaction spends the same note. */
  "mempool/nullifier-conflict": ["nullifier"],
  /** too many transactions wait for verification. */
  "mempool/verification-queue-full": ["max"],
  /** another node uses this data folder. */
  "node/already-running": ["path", "pid"],
  /** the data folder cannot be used. */
  "node/bad-folder": ["path", "reason"],
  /** an option of the command line is wrong. */
  "node/bad-option": ["option", "reason"],
  /** another program listens on this port. */
  "node/port-in-use": ["port"],
  /** the node is stopping. */
  "node/stopping": [],
  /** an archival node's bodies would be deleted without a word. */
  "node/was-archival": [],
  /** a message of a peer is malformed. */
  "p2p/bad-message": ["field", "reason"],
  /** the other side ended the link. */
  "p2p/closed": [],
  /** there is a link to this peer already. */
  "p2p/duplicate-connection": [],
  /** the place of the peer is given to another one. */
  "p2p/evicted": [],
  /** a peer sends more messages of a kind than wait for their turn. */
  "p2p/flooded": ["message", "limit"],
  /** a message of a peer is larger than its kind may be. */
  "p2p/message-too-large": ["message", "length", "max"],
  /** the node has dialled itself. */
  "p2p/own-connection": [],
  /** the rules of this node refuse the program of the peer. */
  "p2p/refused-agent": ["agent"],
  /** the peer ended the link and said why. */
  "p2p/rejected": ["reason"],
  /** the peer does not take what it is sent. */
  "p2p/slow-reader": ["unsent", "max"],
  /** the peer does not send in time what it is asked for. */
  "p2p/stalled": ["awaited", "limitMs"],
  /** a message of a peer that nobody waits for. */
  "p2p/unexpected-message": ["message"],
  /** a message of a peer has a number that this program does not know. */
  "p2p/unknown-message": ["number"],
  /** a peer cannot be reached. */
  "p2p/unreachable": ["address", "reason"],
  /** the peer is of another network. */
  "p2p/wrong-network": ["expected", "found"],
  /** the peer runs a network of this name with other rules. */
  "p2p/wrong-profile": ["expected", "found"],
  /** the peer speaks a version of the protocol that is too old. */
  "p2p/wrong-version": ["expected", "found"],
  /** a field of the profile holds a value outside its rule. */
  "profile/bad-value": ["field", "reason"],
  /** the genesis hash named by the profile is not the hash of its genesis block. */
  "profile/genesis-mismatch": ["expected", "found"],
  /** the profile does not follow its form. */
  "profile/invalid": ["reason"],
  /** the profile file is larger than any profile. */
  "profile/too-large": ["length", "max"],
  /** no built-in profile has this name. */
  "profile/unknown": ["name"],
  /** a header of the pruning proof claims no more blue work than its parent. */
  "proof/blue-work-not-growing": ["level", "hash", "parent"],
  /** the pruning point claims far more blue work than the levels of its proof show. */
  "proof/claimed-work": ["claimed", "shown"],
  /** a level of the pruning proof holds a header twice. */
  "proof/duplicate": ["level", "hash"],
  /** a level of the pruning proof has no header. */
  "proof/empty-level": ["level"],
  /** a header of the pruning proof does not reach the level it is listed at. */
  "proof/header-below-level": ["level", "hash", "found"],
  /** a level of the pruning proof does not end with its greatest header. */
  "proof/last-not-tip": ["level", "expected", "found"],
  /** a level of the pruning proof begins above what the next level needs. */
  "proof/missing-depth-block": ["level", "hash"],
  /** the pruning proof has more headers than allowed. */
  "proof/too-many-headers": ["count", "max"],
  /** a level of the pruning proof neither begins at genesis nor is long enough. */
  "proof/too-short": ["level", "blueScore", "min"],
  /** a header of the pruning proof names no parent that is listed before it. */
  "proof/unknown-parents": ["level", "hash"],
  /** the pruning proof has another number of levels than the network. */
  "proof/wrong-level-count": ["expected", "found"],
  /** a level of the pruning proof ends neither with the pruning point nor with its parent. */
  "proof/wrong-tip": ["level", "pruningPoint", "found"],
  /** the circuit data is not that of this version. */
  "prove/assets-damaged": ["reason"],
  /** the payment plan cannot be proved. */
  "prove/bad-plan": ["reason"],
  /** the proof that was just made does not hold. */
  "prove/check-failed": ["reason"],
  /** the prover could not make the proof. */
  "prove/failed": ["reason"],
  /** a spend has no signature. */
  "prove/missing-signature": ["index"],
  /** the inputs do not cover outputs and fee. */
  "prove/unbalanced": ["inputs", "outputs", "fee"],
  /** the queue was closed while somebody waited on it. */
  "queue/closed": ["queue"],
  /** a bounded queue has no room. */
  "queue/full": ["queue", "limit"],
  /** one side, or all together, asked for more costly work than is done in a time. */
  "queue/too-fast": ["kind", "retryMs"],
  /** an argument of the call is malformed. */
  "rpc/bad-argument": ["field", "reason"],
  /** the server cannot answer this call yet. */
  "rpc/not-ready": ["reason"],
  /** the caller cancelled the work. */
  "run/aborted": [],
  /** the work took longer than its bound. */
  "run/timeout": ["what", "limitMs"],
  /** the anchor log is not well formed. */
  "shielded/bad-anchor-log": ["reason"],
  /** the binding signature has another length than 64. */
  "shielded/bad-binding-length": ["found"],
  /** a field element of the bundle is not canonical. */
  "shielded/bad-field": ["field", "action"],
  /** the flags of the bundle are not a known combination. */
  "shielded/bad-flags": ["flags"],
  /** the frontier of the note tree is not well formed. */
  "shielded/bad-frontier": ["reason"],
  /** a note cannot be made from these values. */
  "shielded/bad-note": ["reason"],
  /** a curve point of the bundle is invalid. */
  "shielded/bad-point": ["field", "action"],
  /** the position is not a leaf of the note tree. */
  "shielded/bad-position": ["position", "size"],
  /** the proof does not have the length for its actions. */
  "shielded/bad-proof-length": ["expected", "found"],
  /** 43 bytes are not an Orchard address. */
  "shielded/bad-recipient": [],
  /** the path of a note does not lead to the anchor. */
  "shielded/bad-witness": ["position"],
  /** the binding signature is invalid. */
  "shielded/binding-signature-invalid": [],
  /** a curve point of the bundle is the identity. */
  "shielded/identity-point": ["field", "action"],
  /** the bundle has no actions. */
  "shielded/no-actions": [],
  /** the zero-knowledge proof is invalid. */
  "shielded/proof-invalid": [],
  /** a spend signature is invalid. */
  "shielded/spend-signature-invalid": ["action"],
  /** the bundle has more actions than the format allows. */
  "shielded/too-many-actions": ["count", "max"],
  /** the note tree is full. */
  "shielded/tree-full": [],
  /** the disclosure has another number of entries than the bundle has actions. */
  "signer/action-count": ["expected", "found"],
  /** the payee gets another amount than the user confirmed. */
  "signer/amount-differs": ["index", "expected", "found"],
  /** the checksum of a prepared payment does not fit: it was damaged on its way. */
  "signer/bad-checksum": [],
  /** an entry of the disclosure is not well formed. */
  "signer/bad-disclosure": ["index", "reason"],
  /** a prepared payment is not well formed. */
  "signer/bad-prepared": ["reason"],
  /** the randomised key of an action is no key. */
  "signer/bad-randomized-key": ["index"],
  /** a randomizer is no canonical scalar. */
  "signer/bad-randomizer": ["index"],
  /** the disclosed values do not add up to the value balance. */
  "signer/balance-differs": ["expected", "found"],
  /** the wallet could not read its own change. */
  "signer/change-unreadable": ["index"],
  /** what is said beside a prepared payment is not what it does. */
  "signer/claim-differs": ["field"],
  /** two randomizers name one action. */
  "signer/duplicate-action": ["index"],
  /** a payee gets another output than the user confirmed. */
  "signer/extra-payment": ["index"],
  /** the fee is above the maximum that the user approved. */
  "signer/fee-above-maximum": ["fee", "max"],
  /** the bundle pays another fee than was said. */
  "signer/fee-differs": ["expected", "found"],
  /** the bundle pays no fee, or takes value in. */
  "signer/fee-not-positive": ["fee"],
  /** the payee reads another memo than the user confirmed. */
  "signer/memo-differs": ["index"],
  /** a spend of value has no randomizer. */
  "signer/missing-randomizer": ["index"],
  /** the daemon does not say that the wallet may pay now. */
  "signer/not-ready": [],
  /** a prepared payment holds a signature already. */
  "signer/not-unsigned": ["index"],
  /** the disclosed note has another commitment than the action. */
  "signer/note-differs": ["index"],
  /** a payment proof is about another transaction. */
  "signer/other-transaction": ["expected", "found"],
  /** signatures were handed in, and no answer says what became of the payment. */
  "signer/outcome-unknown": ["session", "amount", "fee", "reason"],
  /** the sender's viewing key could read an output back, which its owner did not ask for. */
  "signer/output-recoverable": ["index"],
  /** the payee could not read its payment. */
  "signer/output-unreadable": ["index"],
  /** the sender's viewing key could not read an output back, which its owner asked for. */
  "signer/output-unrecoverable": ["index"],
  /** a payment over several transactions ended before the last of them. */
  "signer/partly-paid": ["paid", "asked", "reason"],
  /** a payment that the user confirmed is not made. */
  "signer/payee-missing": ["position"],
  /** a randomizer does not turn the own key into the key of the action. */
  "signer/randomizer-mismatch": ["index"],
  /** the prepared payment pays a part of what was asked for. */
  "signer/remaining": ["remaining"],
  /** the claimed sighash is not that of the bundle. */
  "signer/sighash-differs": ["expected", "found"],
  /** a payment would take more transactions than a device signs for it. */
  "signer/too-many-parts": ["max"],
  /** an action is named that the bundle does not have. */
  "signer/unknown-action": ["index"],
  /** value goes to somebody whom the user did not name. */
  "signer/unnamed-payee": ["index"],
  /** the prepared payment has a version that this signer does not know. */
  "signer/unsupported-version": ["version"],
  /** the disclosed values have another value commitment than the action. */
  "signer/value-differs": ["index"],
  /** the prepared payment is for another network. */
  "signer/wrong-network": ["expected", "found"],
  /** the prepared payment or its signatures belong to another session. */
  "signer/wrong-session": ["expected", "found"],
  /** the store refused a commit. */
  "store/commit-failed": ["reason"],
  /** a stored value does not decode. */
  "store/corrupt": ["table", "reason"],
  /** a file of a database is missing, cut short or not what it was written as. */
  "store/damaged": ["file", "folder", "reason"],
  /** a store that lacks what it names or cannot be read was opened anew. */
  "store/failing": ["times", "most"],
  /** a database has filled most of the room that is reserved for it. */
  "store/low-map": ["database", "percent"],
  /** the disk that holds the data is nearly full. */
  "store/low-room": ["freeMib", "stopMib"],
  /** a database has filled the room that is reserved for it. */
  "store/map-full": ["folder", "roomMib"],
  /** a value the engine needs is not in the store. */
  "store/missing": ["table", "key"],
  /** the disk that holds the data has too little room. */
  "store/no-room": ["folder", "freeMib", "neededMib"],
  /** the store belongs to a chain of another profile. */
  "store/profile-mismatch": ["expected", "found"],
  /** the store could not be read. */
  "store/read-failed": ["reason"],
  /** the system does not let a file of a database be read. */
  "store/unreadable": ["file", "folder", "reason"],
  /** the store was written by another format version. */
  "store/version": ["expected", "found"],
  /** the chain that a peer shows lacks the block that the operator asks for. */
  "sync/checkpoint-missing": ["hash"],
  /** the chain of the peer lacks the pruning point of this node. */
  "sync/finality-conflict": [],
  /** no peer is left that gives the bodies of a chain that is being caught up with. */
  "sync/no-source": [],
  /** the peer's chain has too little work for a start from its pruning point. */
  "sync/not-ahead": [],
  /** the proof of another peer shows more work than that of the peer that is caught up with. */
  "sync/outdone": [],
  /** no block can be built now. */
  "template/not-ready": ["reason"],
  /** the named block does not have the named anchor. */
  "tx/anchor-block-mismatch": ["anchor", "block"],
  /** the bundle must name the block of its anchor and does not. */
  "tx/anchor-block-missing": [],
  /** the bundle names the block of its anchor before the fork allows it. */
  "tx/anchor-block-unexpected": [],
  /** the anchor is unknown, off the selected chain or too young. */
  "tx/anchor-not-final": ["anchor"],
  /** the anchor is older than the window allows. */
  "tx/anchor-too-old": ["anchor"],
  /** the shielded bundle declares a burn while the bridge is off. */
  "tx/burn-disabled": [],
  /** the transaction pays for gas, which this network does not have. */
  "tx/gas-not-zero": ["gas"],
  /** a shielded transaction has transparent inputs. */
  "tx/has-inputs": [],
  /** a shielded transaction has transparent outputs. */
  "tx/has-outputs": [],
  /** the proof or a signature of the transaction is invalid. */
  "tx/invalid-proof": ["reason"],
  /** the transaction is locked until a later height or time. */
  "tx/lock-time": ["lockTime"],
  /** the proofs of the transaction were not verified yet. */
  "tx/missing-verdict": ["txid"],
  /** the shielded bundle would create coins. */
  "tx/negative-fee": ["value"],
  /** the shielded bundle has no actions. */
  "tx/no-actions": [],
  /** the transaction is not a shielded payment. */
  "tx/not-shielded": [],
  /** a note of the transaction is already spent. */
  "tx/nullifier-spent": ["nullifier"],
  /** a script of the transaction is longer than allowed. */
  "tx/script-too-long": ["length", "max"],
  /** the transaction commits to a storage mass other than its own, which is zero. */
  "tx/storage-mass-not-zero": ["mass"],
  /** the transaction has more inputs than allowed. */
  "tx/too-many-inputs": ["count", "max"],
  /** the transaction has more outputs than allowed. */
  "tx/too-many-outputs": ["count", "max"],
  /** the transaction is of a subnetwork this network does not take. */
  "tx/unsupported-subnetwork": ["subnetwork"],
  /** the transaction is of a version this network does not take. */
  "tx/unsupported-version": ["version"],
  /** the payment link names a field twice. */
  "uri/duplicate-key": ["key"],
  /** the text is not a payment link. */
  "uri/malformed": ["reason"],
  /** the payment link is longer than allowed. */
  "uri/too-long": ["length", "max"],
  /** the payment link demands a feature this wallet does not have. */
  "uri/unsupported": ["key"],
  /** a record of the store contradicts another. */
  "verify/contradiction": ["table", "key", "reason"],
  /** a record of the store is not what its blocks come to. */
  "verify/difference": ["table", "key", "stored", "computed"],
  /** there is no database to verify. */
  "verify/no-store": ["path"],
  /** a pruned store can be verified only as far as its records reach. */
  "verify/pruned": ["point"],
  /** the store was left in the middle of a move, so the sets that move with the chain are held against its state only. */
  "verify/unfinished": [],
  /** reading the database ended the process that checked it. */
  "verify/unreadable": ["signal"],
  /** the block holds transactions that are not valid on its own chain. */
  "virtual/bad-transactions": ["count", "total", "txid", "reason"],
  /** the block can no longer be on the selected chain. */
  "virtual/disqualified": ["hash"],
  /** the heaviest chain does not hold the finality point. */
  "virtual/finality-violation": ["hash"],
  /** coins minted and fees collected do not add up. */
  "virtual/supply-mismatch": ["expected", "found"],
  /** the commitment to the accepted transactions is wrong. */
  "virtual/wrong-accepted-ids": ["expected", "found"],
  /** the coinbase is not the one the rules build. */
  "virtual/wrong-coinbase": ["expected", "found"],
  /** the first parent is not the selected parent. */
  "virtual/wrong-selected-parent-order": ["expected", "found"],
  /** the shielded state root in the coinbase is wrong. */
  "virtual/wrong-state-root": ["expected", "found"],
  /** the UTXO commitment of the block is wrong. */
  "virtual/wrong-utxo-commitment": ["expected", "found"],
  /** too many jobs of the wallet wait for approval. */
  "wallet/approval-full": ["max"],
  /** the payment is made when the wallet's owner has approved it. */
  "wallet/approval-needed": ["job"],
  /** the backup file does not decode. */
  "wallet/bad-backup": ["reason"],
  /** the idempotency key is empty or too long. */
  "wallet/bad-idempotency-key": ["max"],
  /** the node sent blocks that do not continue the scan. */
  "wallet/bad-page": ["reason"],
  /** a payee of the call cannot be paid as it stands there. */
  "wallet/bad-payee": ["index", "reason"],
  /** the file of payouts cannot be read. */
  "wallet/bad-payout-file": ["line", "reason"],
  /** a scoped token cannot be made like that. */
  "wallet/bad-scoped-token": ["reason"],
  /** the seed is not 64 hexadecimal digits of a usable key. */
  "wallet/bad-seed": [],
  /** a signature of a prepared payment does not verify. */
  "wallet/bad-signature": ["index"],
  /** the wallet token is empty, too long or holds other characters than letters, digits, - and _. */
  "wallet/bad-token": [],
  /** the user stopped the action. */
  "wallet/cancelled": [],
  /** a feed is asked after a cursor that it has not reached. */
  "wallet/cursor-ahead": ["cursor", "head"],
  /** the scoped token may not spend as much on one day. */
  "wallet/day-limit": ["limit", "spent", "asked"],
  /** there is a wallet already. */
  "wallet/exists": [],
  /** a block that the node served contradicts what only this wallet can check. */
  "wallet/false-record": ["index", "reason"],
  /** the fee is above the limit that was set. */
  "wallet/fee-too-high": ["fee", "max"],
  /** a file of a wallet folder is not what was written there. */
  "wallet/file-damaged": ["file", "reason"],
  /** the file of a wallet holds another key than the wallet whose payments the database has. */
  "wallet/file-key": ["file"],
  /** a file of a wallet folder belongs to another network. */
  "wallet/file-network": ["file", "expected", "found"],
  /** a file of a wallet folder was written by a newer program. */
  "wallet/file-version": ["file", "expected", "found"],
  /** the notes would cover the amount once they have matured. */
  "wallet/funds-maturing": ["needed", "spendable", "maturing"],
  /** an older snapshot cannot repair the present one. */
  "wallet/graft-refused": ["reason"],
  /** the spendable notes do not cover amount and fee. */
  "wallet/insufficient-funds": ["needed", "spendable"],
  /** the idempotency key was used for another call. */
  "wallet/key-reused": [],
  /** the wallet is locked. */
  "wallet/locked": [],
  /** the memo is longer than 512 bytes. */
  "wallet/memo-too-long": ["length", "max"],
  /** no block is old enough to prove against. */
  "wallet/no-anchor": [],
  /** nothing was kept that proves the payment. */
  "wallet/no-disclosure": ["txid"],
  /** the wallet has no job of this id. */
  "wallet/no-job": [],
  /** the wallet has no scoped token with the id. */
  "wallet/no-scoped-token": [],
  /** the wallet folder is sealed and no secret was given. */
  "wallet/no-secret": [],
  /** the wallet has no prepared payment of this session. */
  "wallet/no-session": [],
  /** there is no wallet yet. */
  "wallet/no-wallet": [],
  /** the node serves compact records alone, and not what a wallet needs besides. */
  "wallet/node-compact-only": ["url"],
  /** the node does not hold the chain back to the wallet's birthday. */
  "wallet/node-history-incomplete": ["from", "birthday"],
  /** the node does not answer. */
  "wallet/node-unreachable": ["url"],
  /** the node belongs to another network. */
  "wallet/node-wrong-network": ["expected", "found"],
  /** no such job of the wallet waits for approval. */
  "wallet/not-awaiting": ["job"],
  /** the wallet has not scanned the chain to its end. */
  "wallet/not-synced": ["behind"],
  /** too few notes, or too little in them, to merge any. */
  "wallet/nothing-to-consolidate": ["notes", "sum", "fee"],
  /** the wallet is being opened, and nothing of it is known yet. */
  "wallet/opening": [],
  /** the viewing key of the call is not that of the wallet. */
  "wallet/other-viewing-key": [],
  /** the server has another version of the page than the one that is open. */
  "wallet/page-changed": [],
  /** some transactions of the call were sent before it failed: money has moved. */
  "wallet/partly-sent": ["sent", "total", "sompi", "txids", "reason"],
  /** the scoped token may not pay this payee. */
  "wallet/payee-not-allowed": ["payee"],
  /** an earlier payment spends the same notes. */
  "wallet/payment-pending": ["txid"],
  /** the node refused the payment. */
  "wallet/payment-rejected": ["txid", "reason"],
  /** the file of payouts has the reference already, on an earlier line. */
  "wallet/payout-twice": ["line"],
  /** another payment of the wallet is being prepared. */
  "wallet/preparing": ["seconds"],
  /** no prover became free in time. */
  "wallet/prove-queue": ["seconds"],
  /** the chain was reorganised below what the wallet can undo. */
  "wallet/reorg-too-deep": ["depth", "max"],
  /** an earlier payment to the same payee may still go through, and none of its notes can be spent now. */
  "wallet/retry-unsafe": ["txid"],
  /** the snapshot of the wallet knows more than the database beside it: payments may be missing. */
  "wallet/rows-lost": [],
  /** the rows of the wallet database are sealed under a key that the folder's header does not hold. */
  "wallet/rows-sealed": [],
  /** the scoped token does not allow this call. */
  "wallet/scope": ["needed"],
  /** a change of the wallet secret was interrupted. */
  "wallet/secret-unfinished": [],
  /** the wallet could not be stored or read. */
  "wallet/storage": ["reason"],
  /** the browser ended its storing of the wallet's data while it was open. */
  "wallet/storage-closed": [],
  /** the browser gives the wallet no more room. */
  "wallet/storage-full": [],
  /** the browser removed the wallet's data while it was open. */
  "wallet/storage-removed": [],
  /** the money is there, in fewer notes than the transactions of the payment need. */
  "wallet/too-few-notes": ["payees", "payable"],
  /** the payment needs more notes than fit one transaction. */
  "wallet/too-many-notes": ["count", "max"],
  /** the payment has more payees than fit one transaction. */
  "wallet/too-many-payees": ["count", "max"],
  /** the scanned note tree differs from the node's. */
  "wallet/tree-mismatch": ["expected", "found"],
  /** the wallet holds a viewing key and no seed. */
  "wallet/watch-only": [],
  /** the passphrase is too short. */
  "wallet/weak-passphrase": ["min"],
  /** a worker of the wallet stopped. */
  "wallet/worker-failed": ["reason"],
  /** the passphrase does not open the wallet. */
  "wallet/wrong-passphrase": [],
  /** the wallet secret is not the one that the file is sealed under. */
  "wallet/wrong-secret": ["file"],
  /** the signatures are not for the spends of the prepared payment. */
  "wallet/wrong-signatures": ["expected", "found"],
  /** the address of a webhook may not be sent to. */
  "webhook/bad-target": ["reason"],
  /** no delivery of this wallet has the id. */
  "webhook/no-delivery": [],
  /** the daemon has no webhook to send to. */
  "webhook/not-set-up": [],
  /** the receiver of a webhook did not take the delivery. */
  "webhook/refused": ["status"],
  /** the receiver of a webhook does not answer. */
  "webhook/unreachable": ["reason"],
} as const;

/** Every error the project reports. */
export type Code = keyof typeof CODE_FIELDS;

/** What several codes have in common for whoever meets one of them. */
export type CodeClass =
  /** This node failed, or it passes by itself: no peer is to blame, and another one would meet it too. */
  | "own"
  /** The peer did nothing wrong, and there is nothing to be had from it. */
  | "blameless"
  /** It holds for ever and on every node: such bytes can never be applied. */
  | "final"
  /** The request was fulfilled before. */
  | "done"
  /** The instance of the core that threw it may no longer be used. */
  | "fatal"
  /** The engine or its store failed, not what it judged: the step is abandoned. */
  | "engine"
  /** A header was refused by its place in the graph, long after its work was paid for (decision 16). */
  | "place"
  /** A link ends with it without a word: the other side is gone, has spoken last or does not listen. */
  | "silent"
  /** Blocks cannot be taken, though questions are answered. */
  | "blocks"
  /** It asks for a pruning point that this node does not serve. */
  | "unserved";

/** The classes of the codes that have any. */
export const CODES_WITH_CLASSES: { readonly [C in Code]?: readonly CodeClass[] } = {
  "chain/unknown-block": ["unserved"],
  "codec/count-too-large": ["final"],
  "codec/not-canonical": ["final"],
  "codec/trailing-bytes": ["final"],
  "codec/unexpected-end": ["final"],
  "engine/abi-mismatch": ["own", "engine"],
  "engine/bad-call": ["own", "engine"],
  "engine/not-imported": ["own", "engine", "unserved"],
  "engine/out-of-memory": ["own", "fatal", "engine", "blocks"],
  "engine/overflow": ["own", "fatal", "engine"],
  "engine/panic": ["own", "fatal", "engine"],
  "engine/restarted": ["own", "engine"],
  "export/moved": ["own"],
  "header/level-conflict": ["blameless"],
  "header/related-parents": ["place"],
  "header/wrong-bits": ["place"],
  "header/wrong-daa-score": ["place"],
  "history/out-of-order": ["own"],
  "import/not-empty": ["own"],
  "import/out-of-order": ["own"],
  "import/too-little-work": ["blameless"],
  "internal/unexpected": ["own", "fatal"],
  "mempool/already-applied": ["done"],
  "mempool/duplicate": ["done"],
  "node/stopping": ["own"],
  "p2p/closed": ["silent"],
  "p2p/rejected": ["silent"],
  "p2p/slow-reader": ["silent"],
  "proof/blue-work-not-growing": ["unserved"],
  "proof/claimed-work": ["unserved"],
  "proof/duplicate": ["unserved"],
  "proof/empty-level": ["unserved"],
  "proof/header-below-level": ["unserved"],
  "proof/last-not-tip": ["unserved"],
  "proof/missing-depth-block": ["unserved"],
  "proof/too-many-headers": ["unserved"],
  "proof/too-short": ["unserved"],
  "proof/unknown-parents": ["unserved"],
  "proof/wrong-level-count": ["unserved"],
  "proof/wrong-tip": ["unserved"],
  "prove/check-failed": ["fatal"],
  "queue/closed": ["own"],
  "queue/full": ["own"],
  "run/aborted": ["own"],
  "shielded/bad-binding-length": ["final"],
  "shielded/bad-field": ["final"],
  "shielded/bad-flags": ["final"],
  "shielded/bad-point": ["final"],
  "shielded/bad-proof-length": ["final"],
  "shielded/binding-signature-invalid": ["final"],
  "shielded/identity-point": ["final"],
  "shielded/no-actions": ["final"],
  "shielded/proof-invalid": ["final"],
  "shielded/spend-signature-invalid": ["final"],
  "shielded/too-many-actions": ["final"],
  "store/commit-failed": ["own", "fatal", "engine", "blocks"],
  "store/corrupt": ["own", "fatal", "engine"],
  "store/damaged": ["own", "fatal", "engine"],
  "store/failing": ["own", "fatal", "engine"],
  "store/low-map": ["own", "fatal", "engine"],
  "store/low-room": ["own", "fatal", "engine"],
  "store/map-full": ["own", "fatal", "engine"],
  "store/missing": ["own", "fatal", "engine"],
  "store/no-room": ["own", "fatal", "engine"],
  "store/profile-mismatch": ["own", "fatal", "engine"],
  "store/read-failed": ["own", "fatal", "engine", "blocks"],
  "store/unreadable": ["own", "fatal", "engine"],
  "store/version": ["own", "fatal", "engine"],
  "sync/checkpoint-missing": ["blameless"],
  "sync/no-source": ["own"],
  "sync/not-ahead": ["blameless"],
  "sync/outdone": ["blameless"],
  "tx/anchor-block-missing": ["final"],
  "tx/anchor-block-unexpected": ["final"],
  "tx/burn-disabled": ["final"],
  "tx/has-inputs": ["final"],
  "tx/has-outputs": ["final"],
  "tx/invalid-proof": ["final"],
  "tx/negative-fee": ["final"],
  "tx/no-actions": ["final"],
};

/** The data field names of one code. */
export type CodeField<C extends Code> = (typeof CODE_FIELDS)[C][number];

/** The codes of one area: `CodeOf<"tx">`. */
export type CodeOf<Area extends string> = Extract<Code, `${Area}/${string}`>;
