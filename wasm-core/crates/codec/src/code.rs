//! Error codes, generated from `wasm-core/codes.json` by `scripts/generate/generateCodes.ts`.
//! Do not edit: change the list and run `npm run generate`.

/// Every error the project reports, written `area/what` outside Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// `address/bad-character`: the address holds a character outside its alphabet. Data: `position`.
    AddressBadCharacter,
    /// `address/bad-checksum`: the address was mistyped: its checksum does not match.
    AddressBadChecksum,
    /// `address/bad-key`: the address does not hold a valid shielded receiver.
    AddressBadKey,
    /// `address/bad-length`: the address has the wrong length. Data: `length`.
    AddressBadLength,
    /// `address/bad-padding`: the unused last bits of the address are not zero.
    AddressBadPadding,
    /// `address/bad-version`: the address is of an unknown kind. Data: `version`.
    AddressBadVersion,
    /// `address/missing-prefix`: the address has no network prefix.
    AddressMissingPrefix,
    /// `address/wrong-network`: the address belongs to another network. Data: `expected`, `found`.
    AddressWrongNetwork,
    /// `airgap/bad-alphas`: the randomisers do not go up by action, or name one that is not there. Data: `index`.
    AirgapBadAlphas,
    /// `airgap/bad-bundle`: the bundle is none that a wallet pays with. Data: `reason`.
    AirgapBadBundle,
    /// `airgap/bad-frame`: the text is no frame of a message. Data: `reason`.
    AirgapBadFrame,
    /// `airgap/bad-version`: the message is of another version. Data: `found`, `expected`.
    AirgapBadVersion,
    /// `airgap/camera`: the browser gives no picture of a camera. Data: `reason`.
    AirgapCamera,
    /// `airgap/cbor-count`: a list or map has too few or too many items. Data: `offset`, `found`, `min`, `max`.
    AirgapCborCount,
    /// `airgap/cbor-end`: the bytes end before the message does. Data: `needed`, `remaining`.
    AirgapCborEnd,
    /// `airgap/cbor-form`: a number or length is not written in its one deterministic form. Data: `offset`.
    AirgapCborForm,
    /// `airgap/cbor-key`: a key of a map is unknown, missing, repeated or out of order. Data: `offset`, `found`, `expected`.
    AirgapCborKey,
    /// `airgap/cbor-length`: a byte string has the wrong length. Data: `offset`, `found`, `max`.
    AirgapCborLength,
    /// `airgap/cbor-range`: a number is larger than its field allows. Data: `offset`, `found`, `max`.
    AirgapCborRange,
    /// `airgap/cbor-trailing`: bytes are left over after the message. Data: `remaining`.
    AirgapCborTrailing,
    /// `airgap/cbor-type`: another kind of value stands where one is expected. Data: `offset`, `expected`.
    AirgapCborType,
    /// `airgap/frame-checksum`: a frame was misread: its checksum does not match.
    AirgapFrameChecksum,
    /// `airgap/message-checksum`: the joined message does not match its checksum.
    AirgapMessageChecksum,
    /// `airgap/message-too-long`: the message is longer than any payment. Data: `length`, `max`.
    AirgapMessageTooLong,
    /// `airgap/no-code`: no QR code was found in an image.
    AirgapNoCode,
    /// `airgap/other-message`: the frame belongs to another message than those before it.
    AirgapOtherMessage,
    /// `airgap/too-many-frames`: the message claims to be cut into too many frames. Data: `count`, `max`.
    AirgapTooManyFrames,
    /// `airgap/unknown-network`: the payment is for a network that the signer does not know. Data: `network`.
    AirgapUnknownNetwork,
    /// `airgap/wrong-type`: the message is of another type. Data: `found`, `expected`.
    AirgapWrongType,
    /// `amount/malformed`: the amount is not a decimal number of coins. Data: `text`.
    AmountMalformed,
    /// `amount/negative`: the amount is below zero. Data: `text`.
    AmountNegative,
    /// `amount/too-large`: the amount does not fit 64 bits of the smallest unit. Data: `text`.
    AmountTooLarge,
    /// `amount/too-many-decimals`: the amount has more decimals than the coin. Data: `text`, `max`.
    AmountTooManyDecimals,
    /// `amount/zero`: the amount is zero.
    AmountZero,
    /// `api/bad-answer`: the answer of a wallet daemon is none of its API. Data: `status`, `reason`.
    ApiBadAnswer,
    /// `api/bad-bearer`: the bearer token of the transport is missing or is another one.
    ApiBadBearer,
    /// `api/bad-field`: a field of the request has the right type and a wrong content. Data: `field`, `expected`.
    ApiBadField,
    /// `api/bad-pairing`: a text is no pairing code of a wallet daemon. Data: `reason`.
    ApiBadPairing,
    /// `api/bad-token`: the wallet token is malformed.
    ApiBadToken,
    /// `api/missing-field`: a field of the request is missing. Data: `field`.
    ApiMissingField,
    /// `api/missing-token`: the request carries no wallet token.
    ApiMissingToken,
    /// `api/no-custody`: the daemon holds no seeds, and the call needs one.
    ApiNoCustody,
    /// `api/not-json`: the body of the request is not sent as JSON. Data: `found`.
    ApiNotJson,
    /// `api/refused`: a wallet daemon refused the call with a code that this program does not know. Data: `status`, `reason`.
    ApiRefused,
    /// `api/short-token`: the wallet token is too short for a daemon that others can reach. Data: `min`.
    ApiShortToken,
    /// `api/unknown-token`: no scoped token is like this, or it is revoked or expired.
    ApiUnknownToken,
    /// `api/unreachable`: the wallet daemon does not answer. Data: `url`.
    ApiUnreachable,
    /// `api/wrong-method`: the path does not take this method. Data: `method`, `allowed`.
    ApiWrongMethod,
    /// `api/wrong-type`: a field of the request has another JSON type. Data: `field`, `expected`.
    ApiWrongType,
    /// `body/bad-merkle-root`: the merkle root does not match the transactions. Data: `expected`, `found`.
    BodyBadMerkleRoot,
    /// `body/chained-transaction`: a transaction of the block spends an output of the same block. Data: `txid`.
    BodyChainedTransaction,
    /// `body/compute-mass`: the block exceeds the compute mass limit. Data: `mass`, `max`.
    BodyComputeMass,
    /// `body/double-spend`: two transactions of the block spend the same output. Data: `outpoint`.
    BodyDoubleSpend,
    /// `body/duplicate-transaction`: the block holds a transaction twice. Data: `txid`.
    BodyDuplicateTransaction,
    /// `body/first-not-coinbase`: the first transaction of the block is not a coinbase.
    BodyFirstNotCoinbase,
    /// `body/lane-gas`: a lane of the block exceeds its gas limit. Data: `gas`, `max`.
    BodyLaneGas,
    /// `body/multiple-coinbases`: the block has a second coinbase. Data: `index`.
    BodyMultipleCoinbases,
    /// `body/no-transactions`: the block has no transactions.
    BodyNoTransactions,
    /// `body/pruned`: the block is below the pruning point. Data: `hash`.
    BodyPruned,
    /// `body/storage-mass`: the block exceeds the storage mass limit. Data: `mass`, `max`.
    BodyStorageMass,
    /// `body/too-many-lanes`: the block touches more lanes than allowed. Data: `count`, `max`.
    BodyTooManyLanes,
    /// `body/transient-mass`: the block exceeds the transient mass limit. Data: `mass`, `max`.
    BodyTransientMass,
    /// `chain/no-common-block`: none of the sent blocks is on the selected chain.
    ChainNoCommonBlock,
    /// `chain/not-on-chain`: the block is known and not on the selected chain. Data: `commonHash`, `chainIndex`.
    ChainNotOnChain,
    /// `chain/pruned`: the block is below the pruning point and what was asked about it is no longer kept. Data: `hash`.
    ChainPruned,
    /// `chain/unknown-block`: no block with this hash is known. Data: `hash`.
    ChainUnknownBlock,
    /// `chain/unknown-transaction`: no transaction with this id is known. Data: `txid`.
    ChainUnknownTransaction,
    /// `codec/bad-cbor`: the bytes are not the deterministic CBOR that was expected. Data: `offset`, `reason`.
    CodecBadCbor,
    /// `codec/bad-checksum`: the container's checksum does not match its bytes.
    CodecBadChecksum,
    /// `codec/bad-csv`: the text is no CSV. Data: `line`, `reason`.
    CodecBadCsv,
    /// `codec/bad-hex`: the text is not lower-case hex of the expected length. Data: `text`.
    CodecBadHex,
    /// `codec/bad-json`: the text is not the JSON that was expected. Data: `reason`.
    CodecBadJson,
    /// `codec/bad-magic`: the container does not begin with its mark and version. Data: `found`.
    CodecBadMagic,
    /// `codec/bad-utf8`: the bytes are not valid UTF-8.
    CodecBadUtf8,
    /// `codec/count-too-large`: a length prefix promises more items than allowed or than the bytes can hold. Data: `count`, `max`.
    CodecCountTooLarge,
    /// `codec/not-canonical`: the bytes decode to a value whose own encoding is different. Data: `what`.
    CodecNotCanonical,
    /// `codec/number-out-of-range`: the number does not fit its field. Data: `text`, `max`.
    CodecNumberOutOfRange,
    /// `codec/trailing-bytes`: bytes are left over after the value. Data: `remaining`.
    CodecTrailingBytes,
    /// `codec/unexpected-end`: the bytes end before the value does. Data: `needed`, `remaining`.
    CodecUnexpectedEnd,
    /// `codec/version`: the bytes are of a form this version does not know. Data: `expected`, `found`.
    CodecVersion,
    /// `codec/wrong-length`: a value of fixed length has another length. Data: `expected`, `found`.
    CodecWrongLength,
    /// `coinbase/bad-recipient`: the coinbase payload does not pay a shielded address. Data: `reason`.
    CoinbaseBadRecipient,
    /// `coinbase/bad-storage-mass`: the coinbase commits to a storage mass other than zero.
    CoinbaseBadStorageMass,
    /// `coinbase/carries-commitment`: the coinbase carries a merge-mining commitment.
    CoinbaseCarriesCommitment,
    /// `coinbase/extra-too-long`: the extra data does not fit the coinbase payload. Data: `length`, `max`.
    CoinbaseExtraTooLong,
    /// `coinbase/has-inputs`: the coinbase has inputs.
    CoinbaseHasInputs,
    /// `coinbase/payload-too-long`: the coinbase payload is longer than allowed. Data: `length`, `max`.
    CoinbasePayloadTooLong,
    /// `coinbase/payload-too-short`: the coinbase payload ends before its fields. Data: `length`, `min`.
    CoinbasePayloadTooShort,
    /// `coinbase/script-too-long`: the script in the coinbase payload is longer than allowed. Data: `length`, `max`.
    CoinbaseScriptTooLong,
    /// `coinbase/too-many-outputs`: the coinbase has more outputs than allowed. Data: `count`, `max`.
    CoinbaseTooManyOutputs,
    /// `coinbase/wrong-blue-score`: the coinbase payload names another blue score than the header. Data: `expected`, `found`.
    CoinbaseWrongBlueScore,
    /// `coinbase/wrong-subsidy`: the coinbase payload names another subsidy than the emission schedule. Data: `expected`, `found`.
    CoinbaseWrongSubsidy,
    /// `engine/abi-mismatch`: the WebAssembly build and its TypeScript facade are of different versions. Data: `expected`, `found`.
    EngineAbiMismatch,
    /// `engine/bad-call`: a call of the core was given arguments of the wrong form. Data: `reason`.
    EngineBadCall,
    /// `engine/not-imported`: the store begins at a pruning point whose state has not come yet.
    EngineNotImported,
    /// `engine/out-of-memory`: the memory of a WebAssembly instance cannot grow any more.
    EngineOutOfMemory,
    /// `engine/overflow`: a sum of the chain state does not fit its type. Data: `what`.
    EngineOverflow,
    /// `engine/panic`: the core stopped on a defect of ours. Data: `message`.
    EnginePanic,
    /// `engine/restarted`: the core was reopened from the store while the call waited.
    EngineRestarted,
    /// `evidence/behind-other`: another node shows work above a later block. Data: `found`, `other`.
    EvidenceBehindOther,
    /// `evidence/below-level`: a header does not reach the block level of its run. Data: `hash`, `level`, `min`.
    EvidenceBelowLevel,
    /// `evidence/contradicted`: the node left a block above which work was shown. Data: `block`.
    EvidenceContradicted,
    /// `evidence/foreign-coinbase`: the transaction is not the coinbase of the header. Data: `hash`.
    EvidenceForeignCoinbase,
    /// `evidence/no-log`: the state of the block holds no anchor log. Data: `block`.
    EvidenceNoLog,
    /// `evidence/no-parent`: the header has no parent whose state it could commit to. Data: `hash`.
    EvidenceNoParent,
    /// `evidence/not-in-tree`: the note does not stand in the tree. Data: `root`.
    EvidenceNotInTree,
    /// `evidence/not-linked`: the header does not follow from the one before it. Data: `hash`.
    EvidenceNotLinked,
    /// `evidence/not-member`: the path does not lead to the anchor log. Data: `index`, `count`.
    EvidenceNotMember,
    /// `evidence/not-shown`: the node does not show the work above its blocks. Data: `reason`.
    EvidenceNotShown,
    /// `evidence/other-challenge`: the receipt was not made for the challenge that was asked.
    EvidenceOtherChallenge,
    /// `evidence/other-coins`: the minted coins that the node told are not those that the chain commits to. Data: `block`, `expected`, `found`.
    EvidenceOtherCoins,
    /// `evidence/other-header`: pieces of evidence are about different headers. Data: `expected`, `found`.
    EvidenceOtherHeader,
    /// `evidence/other-network`: the receipt is of another network. Data: `expected`, `found`.
    EvidenceOtherNetwork,
    /// `evidence/other-notes`: the notes that the node told are not those that the chain commits to. Data: `block`, `expected`, `found`.
    EvidenceOtherNotes,
    /// `evidence/other-nullifiers`: the nullifiers that the node told are not those that the chain commits to. Data: `block`, `expected`, `found`.
    EvidenceOtherNullifiers,
    /// `evidence/other-page`: another node tells a page of the chain otherwise. Data: `block`.
    EvidenceOtherPage,
    /// `evidence/other-payload`: a payment that the node told is not the one of its id. Data: `txid`.
    EvidenceOtherPayload,
    /// `evidence/other-scores`: the scores that the node told of a block are not those of its header. Data: `block`, `expected`, `found`.
    EvidenceOtherScores,
    /// `evidence/other-state`: the parts are not the state that the coinbase commits to. Data: `expected`, `found`.
    EvidenceOtherState,
    /// `evidence/stale-tip`: the newest block that the node shows is older than the clock allows. Data: `tipMs`, `nowMs`.
    EvidenceStaleTip,
    /// `evidence/too-easy`: the target of a header is easier than the floor allows. Data: `bits`, `floor`.
    EvidenceTooEasy,
    /// `evidence/too-few-headers`: a run has too few headers above its base to count, or none. Data: `count`, `min`.
    EvidenceTooFewHeaders,
    /// `evidence/unknown-work`: the program has no checkpoint of the network, so work that is shown has no measure.
    EvidenceUnknownWork,
    /// `export/moved`: the chain moved while a pruning point was being served. Data: `pruningPoint`.
    ExportMoved,
    /// `gateway/bad-answer`: the answer of a gateway is none of its API. Data: `status`, `reason`.
    GatewayBadAnswer,
    /// `gateway/bad-key`: the API key is missing, unknown or revoked.
    GatewayBadKey,
    /// `gateway/bad-sign-in`: no till has this name and this password.
    GatewayBadSignIn,
    /// `gateway/claim-over`: a refund can no longer be claimed: its time is over, or it was decided.
    GatewayClaimOver,
    /// `gateway/idempotency-conflict`: the idempotency key was used for another request.
    GatewayIdempotencyConflict,
    /// `gateway/in-flight`: a request with the same idempotency key is being answered. Data: `retryAfter`.
    GatewayInFlight,
    /// `gateway/key-file`: the file of a viewing key is damaged, or of a later program. Data: `file`.
    GatewayKeyFile,
    /// `gateway/merchant-exists`: there is a merchant of this name already. Data: `merchant`.
    GatewayMerchantExists,
    /// `gateway/no-address`: the scanner has handed out no address that a new invoice may have.
    GatewayNoAddress,
    /// `gateway/no-claim`: no refund has this claim.
    GatewayNoClaim,
    /// `gateway/no-delivery`: the webhook has no delivery of this id.
    GatewayNoDelivery,
    /// `gateway/no-invoice`: the merchant has no invoice of this id.
    GatewayNoInvoice,
    /// `gateway/no-key`: the merchant has no API key of this name. Data: `id`.
    GatewayNoKey,
    /// `gateway/no-merchant`: there is no merchant of this name. Data: `merchant`.
    GatewayNoMerchant,
    /// `gateway/no-receipt`: no receipt of the payment is kept, or it is not confirmed.
    GatewayNoReceipt,
    /// `gateway/no-refund`: the merchant has no refund of this id.
    GatewayNoRefund,
    /// `gateway/no-session`: the till is not signed in: its session is missing, unknown or over.
    GatewayNoSession,
    /// `gateway/no-webhook`: the merchant has no webhook of this id.
    GatewayNoWebhook,
    /// `gateway/payout-wallet`: the wallet that pays a merchant's refunds is another one than was asked for this refund.
    GatewayPayoutWallet,
    /// `gateway/price-stale`: the newest rate of the currency is too old to make an invoice with. Data: `currency`.
    GatewayPriceStale,
    /// `gateway/refund-address`: the payer gave another address than the one that is approved.
    GatewayRefundAddress,
    /// `gateway/refund-state`: the refund is in a state that does not allow the call. Data: `state`.
    GatewayRefundState,
    /// `gateway/refund-too-large`: more is to be paid back than is left of the invoice's payments. Data: `asked`, `max`.
    GatewayRefundTooLarge,
    /// `gateway/refused`: a gateway refused the call with a code that this program does not know. Data: `status`, `reason`.
    GatewayRefused,
    /// `gateway/scope`: the API key does not allow this call. Data: `needed`.
    GatewayScope,
    /// `gateway/storage`: a file of the gateway could not be read or written. Data: `reason`.
    GatewayStorage,
    /// `gateway/too-many-keys`: the merchant has as many API keys as may be. Data: `max`.
    GatewayTooManyKeys,
    /// `gateway/too-many-merchants`: the gateway has as many merchants as may be. Data: `max`.
    GatewayTooManyMerchants,
    /// `gateway/too-many-refunds`: the invoice has as many refunds as may be. Data: `max`.
    GatewayTooManyRefunds,
    /// `gateway/too-many-webhooks`: the merchant has as many webhooks as may be. Data: `max`.
    GatewayTooManyWebhooks,
    /// `gateway/unreachable`: the gateway does not answer. Data: `url`.
    GatewayUnreachable,
    /// `gateway/wrong-state`: the invoice is in a state that does not allow the call. Data: `status`.
    GatewayWrongState,
    /// `header/bad-parents`: the compressed parents are not in their one valid form. Data: `reason`.
    HeaderBadParents,
    /// `header/blue-work-too-large`: the blue work does not fit 192 bits.
    HeaderBlueWorkTooLarge,
    /// `header/bounded-merge`: the block merges a red block below the merge depth. Data: `block`.
    HeaderBoundedMerge,
    /// `header/invalid-parent`: a parent of the block is known to be invalid. Data: `parent`.
    HeaderInvalidParent,
    /// `header/invalid-pow`: neither the header nor a witness has the work that the bits ask for; `witness` says why the witness does not help. Data: `value`, `target`, `witness`.
    HeaderInvalidPow,
    /// `header/known-invalid`: the block was found invalid before; `reason` is the code of then. Data: `hash`, `reason`.
    HeaderKnownInvalid,
    /// `header/level-conflict`: the block takes a parent with a witness of form 0 for one of another level; another witness of that parent explains it. Data: `parent`, `level`, `claimed`.
    HeaderLevelConflict,
    /// `header/mergeset-too-big`: the block merges more blocks than allowed. Data: `count`, `max`.
    HeaderMergesetTooBig,
    /// `header/missing-parents`: parents of the block are unknown. Data: `parents`.
    HeaderMissingParents,
    /// `header/no-parents`: the block names no parent.
    HeaderNoParents,
    /// `header/origin-parent`: the block names the virtual root as its parent.
    HeaderOriginParent,
    /// `header/pruning-violation`: no parent of the block is in the future of the pruning point. Data: `pruningPoint`.
    HeaderPruningViolation,
    /// `header/related-parents`: one parent of the block is in the past of another. Data: `ancestor`, `descendant`.
    HeaderRelatedParents,
    /// `header/time-too-far-ahead`: the block is from the future. Data: `timestamp`, `max`.
    HeaderTimeTooFarAhead,
    /// `header/time-too-old`: the block is not younger than the past median time. Data: `timestamp`, `min`.
    HeaderTimeTooOld,
    /// `header/too-many-parents`: the block names more direct parents than allowed. Data: `count`, `max`.
    HeaderTooManyParents,
    /// `header/wrong-bits`: the difficulty bits of the block are wrong. Data: `expected`, `found`.
    HeaderWrongBits,
    /// `header/wrong-blue-score`: the blue score of the block is wrong. Data: `expected`, `found`.
    HeaderWrongBlueScore,
    /// `header/wrong-blue-work`: the blue work of the block is wrong. Data: `expected`, `found`.
    HeaderWrongBlueWork,
    /// `header/wrong-daa-score`: the DAA score of the block is wrong. Data: `expected`, `found`.
    HeaderWrongDaaScore,
    /// `header/wrong-indirect-parents`: the parents of a higher level are wrong. Data: `level`.
    HeaderWrongIndirectParents,
    /// `header/wrong-pruning-point`: the pruning point named by the block is wrong. Data: `expected`, `found`.
    HeaderWrongPruningPoint,
    /// `header/wrong-version`: the block version is not the one for its DAA score. Data: `expected`, `found`.
    HeaderWrongVersion,
    /// `history/out-of-order`: records of history were sent while none are wanted.
    HistoryOutOfOrder,
    /// `history/wrong-record`: a record of history does not fit the one above it or the header of its block. Data: `hash`, `reason`.
    HistoryWrongRecord,
    /// `http/bad-request`: the request does not have the expected form. Data: `reason`.
    HttpBadRequest,
    /// `http/body-too-large`: the request body is larger than allowed. Data: `length`, `max`.
    HttpBodyTooLarge,
    /// `http/forbidden`: this call is allowed from this machine only.
    HttpForbidden,
    /// `http/foreign-host`: the Host header names another machine than this server. Data: `host`.
    HttpForeignHost,
    /// `http/foreign-origin`: a page of this origin may not use this server. Data: `origin`.
    HttpForeignOrigin,
    /// `http/not-found`: there is nothing at this path. Data: `path`.
    HttpNotFound,
    /// `http/timeout`: the request took too long. Data: `ms`.
    HttpTimeout,
    /// `http/tls-only`: HTTP without TLS was sent to a port that speaks TLS.
    HttpTlsOnly,
    /// `http/too-many-connections`: too many connections are open. Data: `max`.
    HttpTooManyConnections,
    /// `http/too-many-requests`: too many requests. Data: `retryAfter`.
    HttpTooManyRequests,
    /// `http/unavailable`: the server cannot answer now. Data: `reason`.
    HttpUnavailable,
    /// `import/incomplete`: the trusted headers lack what judging this block or those above it needs. Data: `hash`, `table`, `key`.
    ImportIncomplete,
    /// `import/not-bound`: no header above the pruning point is known, so nothing binds its state. Data: `pruningPoint`.
    ImportNotBound,
    /// `import/not-empty`: an import begins in a store that holds genesis alone.
    ImportNotEmpty,
    /// `import/out-of-order`: the call does not fit how far the import has come. Data: `call`.
    ImportOutOfOrder,
    /// `import/too-little-work`: the chain shows less work than the profile asks for. Data: `shown`, `min`.
    ImportTooLittleWork,
    /// `import/too-many-headers`: an import brings more headers or blocks than allowed. Data: `count`, `max`.
    ImportTooManyHeaders,
    /// `import/too-many-nullifiers`: an import brings more nullifiers than announced or allowed. Data: `count`, `max`.
    ImportTooManyNullifiers,
    /// `import/unbound`: anchors from before the security fork are not bound to the chain. Data: `pruningPoint`.
    ImportUnbound,
    /// `import/unexpected-body`: the import has no use for the body of this block. Data: `hash`.
    ImportUnexpectedBody,
    /// `import/wrong-binding`: what is said to bind an anchor to the chain does not. Data: `hash`, `reason`.
    ImportWrongBinding,
    /// `import/wrong-child`: the block is not the child of the pruning point on the heaviest chain. Data: `hash`, `expected`.
    ImportWrongChild,
    /// `import/wrong-entry`: the anchors of the state claim are no sequence that leads to the pruning point. Data: `index`, `reason`.
    ImportWrongEntry,
    /// `import/wrong-ghostdag`: the GHOSTDAG data sent with a header are not those of its block. Data: `hash`.
    ImportWrongGhostdag,
    /// `import/wrong-header`: a header of the trusted data has no place in the graph of the pruning point. Data: `hash`, `reason`.
    ImportWrongHeader,
    /// `import/wrong-lanes`: the lanes do not make the commitment of the pruning point. Data: `found`, `expected`.
    ImportWrongLanes,
    /// `import/wrong-nullifiers`: the nullifiers are not those of the state claim. Data: `count`, `found`, `expected`.
    ImportWrongNullifiers,
    /// `import/wrong-points`: the list of pruning points does not lead from genesis to that of the proof. Data: `index`, `reason`.
    ImportWrongPoints,
    /// `import/wrong-state`: the state claim is not the state that the network committed to. Data: `reason`, `found`, `expected`.
    ImportWrongState,
    /// `internal/erased-secret`: a secret was used after it was erased.
    InternalErasedSecret,
    /// `internal/unexpected`: an error that no code describes: a defect of ours. Data: `message`.
    InternalUnexpected,
    /// `keys/address-mismatch`: the viewing key does not belong to the address.
    KeysAddressMismatch,
    /// `keys/bad-seed`: the 32 bytes are not a usable spending key.
    KeysBadSeed,
    /// `keys/bad-signature`: the message signature does not belong to this address.
    KeysBadSignature,
    /// `keys/bad-spend-key`: the bytes are not a usable spending key.
    KeysBadSpendKey,
    /// `keys/bad-viewing-key`: the bytes are not a viewing key.
    KeysBadViewingKey,
    /// `keys/random-unavailable`: the system gave no randomness.
    KeysRandomUnavailable,
    /// `live/bad-frame`: the live connection got a frame it does not know. Data: `reason`.
    LiveBadFrame,
    /// `live/closed`: the live connection was closed. Data: `reason`.
    LiveClosed,
    /// `live/too-slow`: the live connection did not acknowledge in time. Data: `window`.
    LiveTooSlow,
    /// `mempool/already-applied`: the transaction is already in a block. Data: `txid`.
    MempoolAlreadyApplied,
    /// `mempool/duplicate`: the transaction is already waiting. Data: `txid`.
    MempoolDuplicate,
    /// `mempool/fee-too-low`: the fee is below the relay minimum. Data: `fee`, `minimum`.
    MempoolFeeTooLow,
    /// `mempool/full`: the pool is full and the transaction does not pay enough to replace another. Data: `count`, `max`.
    MempoolFull,
    /// `mempool/mass-too-high`: the transaction is too large to be relayed. Data: `mass`, `max`.
    MempoolMassTooHigh,
    /// `mempool/nullifier-conflict`: another waiting transaction spends the same note. Data: `nullifier`.
    MempoolNullifierConflict,
    /// `mempool/verification-queue-full`: too many transactions wait for verification. Data: `max`.
    MempoolVerificationQueueFull,
    /// `node/already-running`: another node uses this data folder. Data: `path`, `pid`.
    NodeAlreadyRunning,
    /// `node/bad-folder`: the data folder cannot be used. Data: `path`, `reason`.
    NodeBadFolder,
    /// `node/bad-option`: an option of the command line is wrong. Data: `option`, `reason`.
    NodeBadOption,
    /// `node/port-in-use`: another program listens on this port. Data: `port`.
    NodePortInUse,
    /// `node/stopping`: the node is stopping.
    NodeStopping,
    /// `node/was-archival`: an archival node's bodies would be deleted without a word.
    NodeWasArchival,
    /// `p2p/bad-message`: a message of a peer is malformed. Data: `field`, `reason`.
    P2pBadMessage,
    /// `p2p/closed`: the other side ended the link.
    P2pClosed,
    /// `p2p/duplicate-connection`: there is a link to this peer already.
    P2pDuplicateConnection,
    /// `p2p/evicted`: the place of the peer is given to another one.
    P2pEvicted,
    /// `p2p/flooded`: a peer sends more messages of a kind than wait for their turn. Data: `message`, `limit`.
    P2pFlooded,
    /// `p2p/message-too-large`: a message of a peer is larger than its kind may be. Data: `message`, `length`, `max`.
    P2pMessageTooLarge,
    /// `p2p/own-connection`: the node has dialled itself.
    P2pOwnConnection,
    /// `p2p/refused-agent`: the rules of this node refuse the program of the peer. Data: `agent`.
    P2pRefusedAgent,
    /// `p2p/rejected`: the peer ended the link and said why. Data: `reason`.
    P2pRejected,
    /// `p2p/slow-reader`: the peer does not take what it is sent. Data: `unsent`, `max`.
    P2pSlowReader,
    /// `p2p/stalled`: the peer does not send in time what it is asked for. Data: `awaited`, `limitMs`.
    P2pStalled,
    /// `p2p/unexpected-message`: a message of a peer that nobody waits for. Data: `message`.
    P2pUnexpectedMessage,
    /// `p2p/unknown-message`: a message of a peer has a number that this program does not know. Data: `number`.
    P2pUnknownMessage,
    /// `p2p/unreachable`: a peer cannot be reached. Data: `address`, `reason`.
    P2pUnreachable,
    /// `p2p/wrong-network`: the peer is of another network. Data: `expected`, `found`.
    P2pWrongNetwork,
    /// `p2p/wrong-profile`: the peer runs a network of this name with other rules. Data: `expected`, `found`.
    P2pWrongProfile,
    /// `p2p/wrong-version`: the peer speaks a version of the protocol that is too old. Data: `expected`, `found`.
    P2pWrongVersion,
    /// `profile/bad-value`: a field of the profile holds a value outside its rule. Data: `field`, `reason`.
    ProfileBadValue,
    /// `profile/genesis-mismatch`: the genesis hash named by the profile is not the hash of its genesis block. Data: `expected`, `found`.
    ProfileGenesisMismatch,
    /// `profile/invalid`: the profile does not follow its form. Data: `reason`.
    ProfileInvalid,
    /// `profile/too-large`: the profile file is larger than any profile. Data: `length`, `max`.
    ProfileTooLarge,
    /// `profile/unknown`: no built-in profile has this name. Data: `name`.
    ProfileUnknown,
    /// `proof/blue-work-not-growing`: a header of the pruning proof claims no more blue work than its parent. Data: `level`, `hash`, `parent`.
    ProofBlueWorkNotGrowing,
    /// `proof/claimed-work`: the pruning point claims far more blue work than the levels of its proof show. Data: `claimed`, `shown`.
    ProofClaimedWork,
    /// `proof/duplicate`: a level of the pruning proof holds a header twice. Data: `level`, `hash`.
    ProofDuplicate,
    /// `proof/empty-level`: a level of the pruning proof has no header. Data: `level`.
    ProofEmptyLevel,
    /// `proof/header-below-level`: a header of the pruning proof does not reach the level it is listed at. Data: `level`, `hash`, `found`.
    ProofHeaderBelowLevel,
    /// `proof/last-not-tip`: a level of the pruning proof does not end with its greatest header. Data: `level`, `expected`, `found`.
    ProofLastNotTip,
    /// `proof/missing-depth-block`: a level of the pruning proof begins above what the next level needs. Data: `level`, `hash`.
    ProofMissingDepthBlock,
    /// `proof/too-many-headers`: the pruning proof has more headers than allowed. Data: `count`, `max`.
    ProofTooManyHeaders,
    /// `proof/too-short`: a level of the pruning proof neither begins at genesis nor is long enough. Data: `level`, `blueScore`, `min`.
    ProofTooShort,
    /// `proof/unknown-parents`: a header of the pruning proof names no parent that is listed before it. Data: `level`, `hash`.
    ProofUnknownParents,
    /// `proof/wrong-level-count`: the pruning proof has another number of levels than the network. Data: `expected`, `found`.
    ProofWrongLevelCount,
    /// `proof/wrong-tip`: a level of the pruning proof ends neither with the pruning point nor with its parent. Data: `level`, `pruningPoint`, `found`.
    ProofWrongTip,
    /// `prove/assets-damaged`: the circuit data is not that of this version. Data: `reason`.
    ProveAssetsDamaged,
    /// `prove/bad-plan`: the payment plan cannot be proved. Data: `reason`.
    ProveBadPlan,
    /// `prove/check-failed`: the proof that was just made does not hold. Data: `reason`.
    ProveCheckFailed,
    /// `prove/failed`: the prover could not make the proof. Data: `reason`.
    ProveFailed,
    /// `prove/missing-signature`: a spend has no signature. Data: `index`.
    ProveMissingSignature,
    /// `prove/unbalanced`: the inputs do not cover outputs and fee. Data: `inputs`, `outputs`, `fee`.
    ProveUnbalanced,
    /// `queue/closed`: the queue was closed while somebody waited on it. Data: `queue`.
    QueueClosed,
    /// `queue/full`: a bounded queue has no room. Data: `queue`, `limit`.
    QueueFull,
    /// `queue/too-fast`: one side, or all together, asked for more costly work than is done in a time. Data: `kind`, `retryMs`.
    QueueTooFast,
    /// `rpc/bad-argument`: an argument of the call is malformed. Data: `field`, `reason`.
    RpcBadArgument,
    /// `rpc/not-ready`: the server cannot answer this call yet. Data: `reason`.
    RpcNotReady,
    /// `run/aborted`: the caller cancelled the work.
    RunAborted,
    /// `run/timeout`: the work took longer than its bound. Data: `what`, `limitMs`.
    RunTimeout,
    /// `shielded/bad-anchor-log`: the anchor log is not well formed. Data: `reason`.
    ShieldedBadAnchorLog,
    /// `shielded/bad-binding-length`: the binding signature has another length than 64. Data: `found`.
    ShieldedBadBindingLength,
    /// `shielded/bad-field`: a field element of the bundle is not canonical. Data: `field`, `action`.
    ShieldedBadField,
    /// `shielded/bad-flags`: the flags of the bundle are not a known combination. Data: `flags`.
    ShieldedBadFlags,
    /// `shielded/bad-frontier`: the frontier of the note tree is not well formed. Data: `reason`.
    ShieldedBadFrontier,
    /// `shielded/bad-note`: a note cannot be made from these values. Data: `reason`.
    ShieldedBadNote,
    /// `shielded/bad-point`: a curve point of the bundle is invalid. Data: `field`, `action`.
    ShieldedBadPoint,
    /// `shielded/bad-position`: the position is not a leaf of the note tree. Data: `position`, `size`.
    ShieldedBadPosition,
    /// `shielded/bad-proof-length`: the proof does not have the length for its actions. Data: `expected`, `found`.
    ShieldedBadProofLength,
    /// `shielded/bad-recipient`: 43 bytes are not an Orchard address.
    ShieldedBadRecipient,
    /// `shielded/bad-witness`: the path of a note does not lead to the anchor. Data: `position`.
    ShieldedBadWitness,
    /// `shielded/binding-signature-invalid`: the binding signature is invalid.
    ShieldedBindingSignatureInvalid,
    /// `shielded/identity-point`: a curve point of the bundle is the identity. Data: `field`, `action`.
    ShieldedIdentityPoint,
    /// `shielded/no-actions`: the bundle has no actions.
    ShieldedNoActions,
    /// `shielded/proof-invalid`: the zero-knowledge proof is invalid.
    ShieldedProofInvalid,
    /// `shielded/spend-signature-invalid`: a spend signature is invalid. Data: `action`.
    ShieldedSpendSignatureInvalid,
    /// `shielded/too-many-actions`: the bundle has more actions than the format allows. Data: `count`, `max`.
    ShieldedTooManyActions,
    /// `shielded/tree-full`: the note tree is full.
    ShieldedTreeFull,
    /// `signer/action-count`: the disclosure has another number of entries than the bundle has actions. Data: `expected`, `found`.
    SignerActionCount,
    /// `signer/amount-differs`: the payee gets another amount than the user confirmed. Data: `index`, `expected`, `found`.
    SignerAmountDiffers,
    /// `signer/bad-checksum`: the checksum of a prepared payment does not fit: it was damaged on its way.
    SignerBadChecksum,
    /// `signer/bad-disclosure`: an entry of the disclosure is not well formed. Data: `index`, `reason`.
    SignerBadDisclosure,
    /// `signer/bad-prepared`: a prepared payment is not well formed. Data: `reason`.
    SignerBadPrepared,
    /// `signer/bad-randomized-key`: the randomised key of an action is no key. Data: `index`.
    SignerBadRandomizedKey,
    /// `signer/bad-randomizer`: a randomizer is no canonical scalar. Data: `index`.
    SignerBadRandomizer,
    /// `signer/balance-differs`: the disclosed values do not add up to the value balance. Data: `expected`, `found`.
    SignerBalanceDiffers,
    /// `signer/change-unreadable`: the wallet could not read its own change. Data: `index`.
    SignerChangeUnreadable,
    /// `signer/claim-differs`: what is said beside a prepared payment is not what it does. Data: `field`.
    SignerClaimDiffers,
    /// `signer/duplicate-action`: two randomizers name one action. Data: `index`.
    SignerDuplicateAction,
    /// `signer/extra-payment`: a payee gets another output than the user confirmed. Data: `index`.
    SignerExtraPayment,
    /// `signer/fee-above-maximum`: the fee is above the maximum that the user approved. Data: `fee`, `max`.
    SignerFeeAboveMaximum,
    /// `signer/fee-differs`: the bundle pays another fee than was said. Data: `expected`, `found`.
    SignerFeeDiffers,
    /// `signer/fee-not-positive`: the bundle pays no fee, or takes value in. Data: `fee`.
    SignerFeeNotPositive,
    /// `signer/memo-differs`: the payee reads another memo than the user confirmed. Data: `index`.
    SignerMemoDiffers,
    /// `signer/missing-randomizer`: a spend of value has no randomizer. Data: `index`.
    SignerMissingRandomizer,
    /// `signer/not-ready`: the daemon does not say that the wallet may pay now.
    SignerNotReady,
    /// `signer/not-unsigned`: a prepared payment holds a signature already. Data: `index`.
    SignerNotUnsigned,
    /// `signer/note-differs`: the disclosed note has another commitment than the action. Data: `index`.
    SignerNoteDiffers,
    /// `signer/other-transaction`: a payment proof is about another transaction. Data: `expected`, `found`.
    SignerOtherTransaction,
    /// `signer/outcome-unknown`: signatures were handed in, and no answer says what became of the payment. Data: `session`, `amount`, `fee`, `reason`.
    SignerOutcomeUnknown,
    /// `signer/output-recoverable`: the sender's viewing key could read an output back, which its owner did not ask for. Data: `index`.
    SignerOutputRecoverable,
    /// `signer/output-unreadable`: the payee could not read its payment. Data: `index`.
    SignerOutputUnreadable,
    /// `signer/output-unrecoverable`: the sender's viewing key could not read an output back, which its owner asked for. Data: `index`.
    SignerOutputUnrecoverable,
    /// `signer/partly-paid`: a payment over several transactions ended before the last of them. Data: `paid`, `asked`, `reason`.
    SignerPartlyPaid,
    /// `signer/payee-missing`: a payment that the user confirmed is not made. Data: `position`.
    SignerPayeeMissing,
    /// `signer/randomizer-mismatch`: a randomizer does not turn the own key into the key of the action. Data: `index`.
    SignerRandomizerMismatch,
    /// `signer/remaining`: the prepared payment pays a part of what was asked for. Data: `remaining`.
    SignerRemaining,
    /// `signer/sighash-differs`: the claimed sighash is not that of the bundle. Data: `expected`, `found`.
    SignerSighashDiffers,
    /// `signer/too-many-parts`: a payment would take more transactions than a device signs for it. Data: `max`.
    SignerTooManyParts,
    /// `signer/unknown-action`: an action is named that the bundle does not have. Data: `index`.
    SignerUnknownAction,
    /// `signer/unnamed-payee`: value goes to somebody whom the user did not name. Data: `index`.
    SignerUnnamedPayee,
    /// `signer/unsupported-version`: the prepared payment has a version that this signer does not know. Data: `version`.
    SignerUnsupportedVersion,
    /// `signer/value-differs`: the disclosed values have another value commitment than the action. Data: `index`.
    SignerValueDiffers,
    /// `signer/wrong-network`: the prepared payment is for another network. Data: `expected`, `found`.
    SignerWrongNetwork,
    /// `signer/wrong-session`: the prepared payment or its signatures belong to another session. Data: `expected`, `found`.
    SignerWrongSession,
    /// `store/commit-failed`: the store refused a commit. Data: `reason`.
    StoreCommitFailed,
    /// `store/corrupt`: a stored value does not decode. Data: `table`, `reason`.
    StoreCorrupt,
    /// `store/damaged`: a file of a database is missing, cut short or not what it was written as. Data: `file`, `folder`, `reason`.
    StoreDamaged,
    /// `store/failing`: a store that lacks what it names or cannot be read was opened anew. Data: `times`, `most`.
    StoreFailing,
    /// `store/low-map`: a database has filled most of the room that is reserved for it. Data: `database`, `percent`.
    StoreLowMap,
    /// `store/low-room`: the disk that holds the data is nearly full. Data: `freeMib`, `stopMib`.
    StoreLowRoom,
    /// `store/map-full`: a database has filled the room that is reserved for it. Data: `folder`, `roomMib`.
    StoreMapFull,
    /// `store/missing`: a value the engine needs is not in the store. Data: `table`, `key`.
    StoreMissing,
    /// `store/no-room`: the disk that holds the data has too little room. Data: `folder`, `freeMib`, `neededMib`.
    StoreNoRoom,
    /// `store/profile-mismatch`: the store belongs to a chain of another profile. Data: `expected`, `found`.
    StoreProfileMismatch,
    /// `store/read-failed`: the store could not be read. Data: `reason`.
    StoreReadFailed,
    /// `store/unreadable`: the system does not let a file of a database be read. Data: `file`, `folder`, `reason`.
    StoreUnreadable,
    /// `store/version`: the store was written by another format version. Data: `expected`, `found`.
    StoreVersion,
    /// `sync/checkpoint-missing`: the chain that a peer shows lacks the block that the operator asks for. Data: `hash`.
    SyncCheckpointMissing,
    /// `sync/finality-conflict`: the chain of the peer lacks the pruning point of this node.
    SyncFinalityConflict,
    /// `sync/no-source`: no peer is left that gives the bodies of a chain that is being caught up with.
    SyncNoSource,
    /// `sync/not-ahead`: the peer's chain has too little work for a start from its pruning point.
    SyncNotAhead,
    /// `sync/outdone`: the proof of another peer shows more work than that of the peer that is caught up with.
    SyncOutdone,
    /// `template/not-ready`: no block can be built now. Data: `reason`.
    TemplateNotReady,
    /// `tx/anchor-block-mismatch`: the named block does not have the named anchor. Data: `anchor`, `block`.
    TxAnchorBlockMismatch,
    /// `tx/anchor-block-missing`: the bundle must name the block of its anchor and does not.
    TxAnchorBlockMissing,
    /// `tx/anchor-block-unexpected`: the bundle names the block of its anchor before the fork allows it.
    TxAnchorBlockUnexpected,
    /// `tx/anchor-not-final`: the anchor is unknown, off the selected chain or too young. Data: `anchor`.
    TxAnchorNotFinal,
    /// `tx/anchor-too-old`: the anchor is older than the window allows. Data: `anchor`.
    TxAnchorTooOld,
    /// `tx/burn-disabled`: the shielded bundle declares a burn while the bridge is off.
    TxBurnDisabled,
    /// `tx/gas-not-zero`: the transaction pays for gas, which this network does not have. Data: `gas`.
    TxGasNotZero,
    /// `tx/has-inputs`: a shielded transaction has transparent inputs.
    TxHasInputs,
    /// `tx/has-outputs`: a shielded transaction has transparent outputs.
    TxHasOutputs,
    /// `tx/invalid-proof`: the proof or a signature of the transaction is invalid. Data: `reason`.
    TxInvalidProof,
    /// `tx/lock-time`: the transaction is locked until a later height or time. Data: `lockTime`.
    TxLockTime,
    /// `tx/missing-verdict`: the proofs of the transaction were not verified yet. Data: `txid`.
    TxMissingVerdict,
    /// `tx/negative-fee`: the shielded bundle would create coins. Data: `value`.
    TxNegativeFee,
    /// `tx/no-actions`: the shielded bundle has no actions.
    TxNoActions,
    /// `tx/not-shielded`: the transaction is not a shielded payment.
    TxNotShielded,
    /// `tx/nullifier-spent`: a note of the transaction is already spent. Data: `nullifier`.
    TxNullifierSpent,
    /// `tx/script-too-long`: a script of the transaction is longer than allowed. Data: `length`, `max`.
    TxScriptTooLong,
    /// `tx/storage-mass-not-zero`: the transaction commits to a storage mass other than its own, which is zero. Data: `mass`.
    TxStorageMassNotZero,
    /// `tx/too-many-inputs`: the transaction has more inputs than allowed. Data: `count`, `max`.
    TxTooManyInputs,
    /// `tx/too-many-outputs`: the transaction has more outputs than allowed. Data: `count`, `max`.
    TxTooManyOutputs,
    /// `tx/unsupported-subnetwork`: the transaction is of a subnetwork this network does not take. Data: `subnetwork`.
    TxUnsupportedSubnetwork,
    /// `tx/unsupported-version`: the transaction is of a version this network does not take. Data: `version`.
    TxUnsupportedVersion,
    /// `uri/duplicate-key`: the payment link names a field twice. Data: `key`.
    UriDuplicateKey,
    /// `uri/malformed`: the text is not a payment link. Data: `reason`.
    UriMalformed,
    /// `uri/too-long`: the payment link is longer than allowed. Data: `length`, `max`.
    UriTooLong,
    /// `uri/unsupported`: the payment link demands a feature this wallet does not have. Data: `key`.
    UriUnsupported,
    /// `verify/contradiction`: a record of the store contradicts another. Data: `table`, `key`, `reason`.
    VerifyContradiction,
    /// `verify/difference`: a record of the store is not what its blocks come to. Data: `table`, `key`, `stored`, `computed`.
    VerifyDifference,
    /// `verify/no-store`: there is no database to verify. Data: `path`.
    VerifyNoStore,
    /// `verify/pruned`: a pruned store can be verified only as far as its records reach. Data: `point`.
    VerifyPruned,
    /// `verify/unfinished`: the store was left in the middle of a move, so the sets that move with the chain are held against its state only.
    VerifyUnfinished,
    /// `verify/unreadable`: reading the database ended the process that checked it. Data: `signal`.
    VerifyUnreadable,
    /// `virtual/bad-transactions`: the block holds transactions that are not valid on its own chain. Data: `count`, `total`, `txid`, `reason`.
    VirtualBadTransactions,
    /// `virtual/disqualified`: the block can no longer be on the selected chain. Data: `hash`.
    VirtualDisqualified,
    /// `virtual/finality-violation`: the heaviest chain does not hold the finality point. Data: `hash`.
    VirtualFinalityViolation,
    /// `virtual/supply-mismatch`: coins minted and fees collected do not add up. Data: `expected`, `found`.
    VirtualSupplyMismatch,
    /// `virtual/wrong-accepted-ids`: the commitment to the accepted transactions is wrong. Data: `expected`, `found`.
    VirtualWrongAcceptedIds,
    /// `virtual/wrong-coinbase`: the coinbase is not the one the rules build. Data: `expected`, `found`.
    VirtualWrongCoinbase,
    /// `virtual/wrong-selected-parent-order`: the first parent is not the selected parent. Data: `expected`, `found`.
    VirtualWrongSelectedParentOrder,
    /// `virtual/wrong-state-root`: the shielded state root in the coinbase is wrong. Data: `expected`, `found`.
    VirtualWrongStateRoot,
    /// `virtual/wrong-utxo-commitment`: the UTXO commitment of the block is wrong. Data: `expected`, `found`.
    VirtualWrongUtxoCommitment,
    /// `wallet/approval-full`: too many jobs of the wallet wait for approval. Data: `max`.
    WalletApprovalFull,
    /// `wallet/approval-needed`: the payment is made when the wallet's owner has approved it. Data: `job`.
    WalletApprovalNeeded,
    /// `wallet/bad-backup`: the backup file does not decode. Data: `reason`.
    WalletBadBackup,
    /// `wallet/bad-idempotency-key`: the idempotency key is empty or too long. Data: `max`.
    WalletBadIdempotencyKey,
    /// `wallet/bad-page`: the node sent blocks that do not continue the scan. Data: `reason`.
    WalletBadPage,
    /// `wallet/bad-payee`: a payee of the call cannot be paid as it stands there. Data: `index`, `reason`.
    WalletBadPayee,
    /// `wallet/bad-payout-file`: the file of payouts cannot be read. Data: `line`, `reason`.
    WalletBadPayoutFile,
    /// `wallet/bad-scoped-token`: a scoped token cannot be made like that. Data: `reason`.
    WalletBadScopedToken,
    /// `wallet/bad-seed`: the seed is not 64 hexadecimal digits of a usable key.
    WalletBadSeed,
    /// `wallet/bad-signature`: a signature of a prepared payment does not verify. Data: `index`.
    WalletBadSignature,
    /// `wallet/bad-token`: the wallet token is empty, too long or holds other characters than letters, digits, - and _.
    WalletBadToken,
    /// `wallet/cancelled`: the user stopped the action.
    WalletCancelled,
    /// `wallet/cursor-ahead`: a feed is asked after a cursor that it has not reached. Data: `cursor`, `head`.
    WalletCursorAhead,
    /// `wallet/day-limit`: the scoped token may not spend as much on one day. Data: `limit`, `spent`, `asked`.
    WalletDayLimit,
    /// `wallet/exists`: there is a wallet already.
    WalletExists,
    /// `wallet/false-record`: a block that the node served contradicts what only this wallet can check. Data: `index`, `reason`.
    WalletFalseRecord,
    /// `wallet/fee-too-high`: the fee is above the limit that was set. Data: `fee`, `max`.
    WalletFeeTooHigh,
    /// `wallet/file-damaged`: a file of a wallet folder is not what was written there. Data: `file`, `reason`.
    WalletFileDamaged,
    /// `wallet/file-key`: the file of a wallet holds another key than the wallet whose payments the database has. Data: `file`.
    WalletFileKey,
    /// `wallet/file-network`: a file of a wallet folder belongs to another network. Data: `file`, `expected`, `found`.
    WalletFileNetwork,
    /// `wallet/file-version`: a file of a wallet folder was written by a newer program. Data: `file`, `expected`, `found`.
    WalletFileVersion,
    /// `wallet/funds-maturing`: the notes would cover the amount once they have matured. Data: `needed`, `spendable`, `maturing`.
    WalletFundsMaturing,
    /// `wallet/graft-refused`: an older snapshot cannot repair the present one. Data: `reason`.
    WalletGraftRefused,
    /// `wallet/insufficient-funds`: the spendable notes do not cover amount and fee. Data: `needed`, `spendable`.
    WalletInsufficientFunds,
    /// `wallet/key-reused`: the idempotency key was used for another call.
    WalletKeyReused,
    /// `wallet/locked`: the wallet is locked.
    WalletLocked,
    /// `wallet/memo-too-long`: the memo is longer than 512 bytes. Data: `length`, `max`.
    WalletMemoTooLong,
    /// `wallet/no-anchor`: no block is old enough to prove against.
    WalletNoAnchor,
    /// `wallet/no-disclosure`: nothing was kept that proves the payment. Data: `txid`.
    WalletNoDisclosure,
    /// `wallet/no-job`: the wallet has no job of this id.
    WalletNoJob,
    /// `wallet/no-scoped-token`: the wallet has no scoped token with the id.
    WalletNoScopedToken,
    /// `wallet/no-secret`: the wallet folder is sealed and no secret was given.
    WalletNoSecret,
    /// `wallet/no-session`: the wallet has no prepared payment of this session.
    WalletNoSession,
    /// `wallet/no-wallet`: there is no wallet yet.
    WalletNoWallet,
    /// `wallet/node-compact-only`: the node serves compact records alone, and not what a wallet needs besides. Data: `url`.
    WalletNodeCompactOnly,
    /// `wallet/node-history-incomplete`: the node does not hold the chain back to the wallet's birthday. Data: `from`, `birthday`.
    WalletNodeHistoryIncomplete,
    /// `wallet/node-unreachable`: the node does not answer. Data: `url`.
    WalletNodeUnreachable,
    /// `wallet/node-wrong-network`: the node belongs to another network. Data: `expected`, `found`.
    WalletNodeWrongNetwork,
    /// `wallet/not-awaiting`: no such job of the wallet waits for approval. Data: `job`.
    WalletNotAwaiting,
    /// `wallet/not-synced`: the wallet has not scanned the chain to its end. Data: `behind`.
    WalletNotSynced,
    /// `wallet/nothing-to-consolidate`: too few notes, or too little in them, to merge any. Data: `notes`, `sum`, `fee`.
    WalletNothingToConsolidate,
    /// `wallet/opening`: the wallet is being opened, and nothing of it is known yet.
    WalletOpening,
    /// `wallet/other-viewing-key`: the viewing key of the call is not that of the wallet.
    WalletOtherViewingKey,
    /// `wallet/page-changed`: the server has another version of the page than the one that is open.
    WalletPageChanged,
    /// `wallet/partly-sent`: some transactions of the call were sent before it failed: money has moved. Data: `sent`, `total`, `sompi`, `txids`, `reason`.
    WalletPartlySent,
    /// `wallet/payee-not-allowed`: the scoped token may not pay this payee. Data: `payee`.
    WalletPayeeNotAllowed,
    /// `wallet/payment-pending`: an earlier payment spends the same notes. Data: `txid`.
    WalletPaymentPending,
    /// `wallet/payment-rejected`: the node refused the payment. Data: `txid`, `reason`.
    WalletPaymentRejected,
    /// `wallet/payout-twice`: the file of payouts has the reference already, on an earlier line. Data: `line`.
    WalletPayoutTwice,
    /// `wallet/preparing`: another payment of the wallet is being prepared. Data: `seconds`.
    WalletPreparing,
    /// `wallet/prove-queue`: no prover became free in time. Data: `seconds`.
    WalletProveQueue,
    /// `wallet/reorg-too-deep`: the chain was reorganised below what the wallet can undo. Data: `depth`, `max`.
    WalletReorgTooDeep,
    /// `wallet/retry-unsafe`: an earlier payment to the same payee may still go through, and none of its notes can be spent now. Data: `txid`.
    WalletRetryUnsafe,
    /// `wallet/rows-lost`: the snapshot of the wallet knows more than the database beside it: payments may be missing.
    WalletRowsLost,
    /// `wallet/rows-sealed`: the rows of the wallet database are sealed under a key that the folder's header does not hold.
    WalletRowsSealed,
    /// `wallet/scope`: the scoped token does not allow this call. Data: `needed`.
    WalletScope,
    /// `wallet/secret-unfinished`: a change of the wallet secret was interrupted.
    WalletSecretUnfinished,
    /// `wallet/storage`: the wallet could not be stored or read. Data: `reason`.
    WalletStorage,
    /// `wallet/storage-closed`: the browser ended its storing of the wallet's data while it was open.
    WalletStorageClosed,
    /// `wallet/storage-full`: the browser gives the wallet no more room.
    WalletStorageFull,
    /// `wallet/storage-removed`: the browser removed the wallet's data while it was open.
    WalletStorageRemoved,
    /// `wallet/too-few-notes`: the money is there, in fewer notes than the transactions of the payment need. Data: `payees`, `payable`.
    WalletTooFewNotes,
    /// `wallet/too-many-notes`: the payment needs more notes than fit one transaction. Data: `count`, `max`.
    WalletTooManyNotes,
    /// `wallet/too-many-payees`: the payment has more payees than fit one transaction. Data: `count`, `max`.
    WalletTooManyPayees,
    /// `wallet/tree-mismatch`: the scanned note tree differs from the node's. Data: `expected`, `found`.
    WalletTreeMismatch,
    /// `wallet/watch-only`: the wallet holds a viewing key and no seed.
    WalletWatchOnly,
    /// `wallet/weak-passphrase`: the passphrase is too short. Data: `min`.
    WalletWeakPassphrase,
    /// `wallet/worker-failed`: a worker of the wallet stopped. Data: `reason`.
    WalletWorkerFailed,
    /// `wallet/wrong-passphrase`: the passphrase does not open the wallet.
    WalletWrongPassphrase,
    /// `wallet/wrong-secret`: the wallet secret is not the one that the file is sealed under. Data: `file`.
    WalletWrongSecret,
    /// `wallet/wrong-signatures`: the signatures are not for the spends of the prepared payment. Data: `expected`, `found`.
    WalletWrongSignatures,
    /// `webhook/bad-target`: the address of a webhook may not be sent to. Data: `reason`.
    WebhookBadTarget,
    /// `webhook/no-delivery`: no delivery of this wallet has the id.
    WebhookNoDelivery,
    /// `webhook/not-set-up`: the daemon has no webhook to send to.
    WebhookNotSetUp,
    /// `webhook/refused`: the receiver of a webhook did not take the delivery. Data: `status`.
    WebhookRefused,
    /// `webhook/unreachable`: the receiver of a webhook does not answer. Data: `reason`.
    WebhookUnreachable,
}

impl Code {
    /// All codes in the order of their text.
    pub const ALL: &'static [Code] = &[
        Code::AddressBadCharacter,
        Code::AddressBadChecksum,
        Code::AddressBadKey,
        Code::AddressBadLength,
        Code::AddressBadPadding,
        Code::AddressBadVersion,
        Code::AddressMissingPrefix,
        Code::AddressWrongNetwork,
        Code::AirgapBadAlphas,
        Code::AirgapBadBundle,
        Code::AirgapBadFrame,
        Code::AirgapBadVersion,
        Code::AirgapCamera,
        Code::AirgapCborCount,
        Code::AirgapCborEnd,
        Code::AirgapCborForm,
        Code::AirgapCborKey,
        Code::AirgapCborLength,
        Code::AirgapCborRange,
        Code::AirgapCborTrailing,
        Code::AirgapCborType,
        Code::AirgapFrameChecksum,
        Code::AirgapMessageChecksum,
        Code::AirgapMessageTooLong,
        Code::AirgapNoCode,
        Code::AirgapOtherMessage,
        Code::AirgapTooManyFrames,
        Code::AirgapUnknownNetwork,
        Code::AirgapWrongType,
        Code::AmountMalformed,
        Code::AmountNegative,
        Code::AmountTooLarge,
        Code::AmountTooManyDecimals,
        Code::AmountZero,
        Code::ApiBadAnswer,
        Code::ApiBadBearer,
        Code::ApiBadField,
        Code::ApiBadPairing,
        Code::ApiBadToken,
        Code::ApiMissingField,
        Code::ApiMissingToken,
        Code::ApiNoCustody,
        Code::ApiNotJson,
        Code::ApiRefused,
        Code::ApiShortToken,
        Code::ApiUnknownToken,
        Code::ApiUnreachable,
        Code::ApiWrongMethod,
        Code::ApiWrongType,
        Code::BodyBadMerkleRoot,
        Code::BodyChainedTransaction,
        Code::BodyComputeMass,
        Code::BodyDoubleSpend,
        Code::BodyDuplicateTransaction,
        Code::BodyFirstNotCoinbase,
        Code::BodyLaneGas,
        Code::BodyMultipleCoinbases,
        Code::BodyNoTransactions,
        Code::BodyPruned,
        Code::BodyStorageMass,
        Code::BodyTooManyLanes,
        Code::BodyTransientMass,
        Code::ChainNoCommonBlock,
        Code::ChainNotOnChain,
        Code::ChainPruned,
        Code::ChainUnknownBlock,
        Code::ChainUnknownTransaction,
        Code::CodecBadCbor,
        Code::CodecBadChecksum,
        Code::CodecBadCsv,
        Code::CodecBadHex,
        Code::CodecBadJson,
        Code::CodecBadMagic,
        Code::CodecBadUtf8,
        Code::CodecCountTooLarge,
        Code::CodecNotCanonical,
        Code::CodecNumberOutOfRange,
        Code::CodecTrailingBytes,
        Code::CodecUnexpectedEnd,
        Code::CodecVersion,
        Code::CodecWrongLength,
        Code::CoinbaseBadRecipient,
        Code::CoinbaseBadStorageMass,
        Code::CoinbaseCarriesCommitment,
        Code::CoinbaseExtraTooLong,
        Code::CoinbaseHasInputs,
        Code::CoinbasePayloadTooLong,
        Code::CoinbasePayloadTooShort,
        Code::CoinbaseScriptTooLong,
        Code::CoinbaseTooManyOutputs,
        Code::CoinbaseWrongBlueScore,
        Code::CoinbaseWrongSubsidy,
        Code::EngineAbiMismatch,
        Code::EngineBadCall,
        Code::EngineNotImported,
        Code::EngineOutOfMemory,
        Code::EngineOverflow,
        Code::EnginePanic,
        Code::EngineRestarted,
        Code::EvidenceBehindOther,
        Code::EvidenceBelowLevel,
        Code::EvidenceContradicted,
        Code::EvidenceForeignCoinbase,
        Code::EvidenceNoLog,
        Code::EvidenceNoParent,
        Code::EvidenceNotInTree,
        Code::EvidenceNotLinked,
        Code::EvidenceNotMember,
        Code::EvidenceNotShown,
        Code::EvidenceOtherChallenge,
        Code::EvidenceOtherCoins,
        Code::EvidenceOtherHeader,
        Code::EvidenceOtherNetwork,
        Code::EvidenceOtherNotes,
        Code::EvidenceOtherNullifiers,
        Code::EvidenceOtherPage,
        Code::EvidenceOtherPayload,
        Code::EvidenceOtherScores,
        Code::EvidenceOtherState,
        Code::EvidenceStaleTip,
        Code::EvidenceTooEasy,
        Code::EvidenceTooFewHeaders,
        Code::EvidenceUnknownWork,
        Code::ExportMoved,
        Code::GatewayBadAnswer,
        Code::GatewayBadKey,
        Code::GatewayBadSignIn,
        Code::GatewayClaimOver,
        Code::GatewayIdempotencyConflict,
        Code::GatewayInFlight,
        Code::GatewayKeyFile,
        Code::GatewayMerchantExists,
        Code::GatewayNoAddress,
        Code::GatewayNoClaim,
        Code::GatewayNoDelivery,
        Code::GatewayNoInvoice,
        Code::GatewayNoKey,
        Code::GatewayNoMerchant,
        Code::GatewayNoReceipt,
        Code::GatewayNoRefund,
        Code::GatewayNoSession,
        Code::GatewayNoWebhook,
        Code::GatewayPayoutWallet,
        Code::GatewayPriceStale,
        Code::GatewayRefundAddress,
        Code::GatewayRefundState,
        Code::GatewayRefundTooLarge,
        Code::GatewayRefused,
        Code::GatewayScope,
        Code::GatewayStorage,
        Code::GatewayTooManyKeys,
        Code::GatewayTooManyMerchants,
        Code::GatewayTooManyRefunds,
        Code::GatewayTooManyWebhooks,
        Code::GatewayUnreachable,
        Code::GatewayWrongState,
        Code::HeaderBadParents,
        Code::HeaderBlueWorkTooLarge,
        Code::HeaderBoundedMerge,
        Code::HeaderInvalidParent,
        Code::HeaderInvalidPow,
        Code::HeaderKnownInvalid,
        Code::HeaderLevelConflict,
        Code::HeaderMergesetTooBig,
        Code::HeaderMissingParents,
        Code::HeaderNoParents,
        Code::HeaderOriginParent,
        Code::HeaderPruningViolation,
        Code::HeaderRelatedParents,
        Code::HeaderTimeTooFarAhead,
        Code::HeaderTimeTooOld,
        Code::HeaderTooManyParents,
        Code::HeaderWrongBits,
        Code::HeaderWrongBlueScore,
        Code::HeaderWrongBlueWork,
        Code::HeaderWrongDaaScore,
        Code::HeaderWrongIndirectParents,
        Code::HeaderWrongPruningPoint,
        Code::HeaderWrongVersion,
        Code::HistoryOutOfOrder,
        Code::HistoryWrongRecord,
        Code::HttpBadRequest,
        Code::HttpBodyTooLarge,
        Code::HttpForbidden,
        Code::HttpForeignHost,
        Code::HttpForeignOrigin,
        Code::HttpNotFound,
        Code::HttpTimeout,
        Code::HttpTlsOnly,
        Code::HttpTooManyConnections,
        Code::HttpTooManyRequests,
        Code::HttpUnavailable,
        Code::ImportIncomplete,
        Code::ImportNotBound,
        Code::ImportNotEmpty,
        Code::ImportOutOfOrder,
        Code::ImportTooLittleWork,
        Code::ImportTooManyHeaders,
        Code::ImportTooManyNullifiers,
        Code::ImportUnbound,
        Code::ImportUnexpectedBody,
        Code::ImportWrongBinding,
        Code::ImportWrongChild,
        Code::ImportWrongEntry,
        Code::ImportWrongGhostdag,
        Code::ImportWrongHeader,
        Code::ImportWrongLanes,
        Code::ImportWrongNullifiers,
        Code::ImportWrongPoints,
        Code::ImportWrongState,
        Code::InternalErasedSecret,
        Code::InternalUnexpected,
        Code::KeysAddressMismatch,
        Code::KeysBadSeed,
        Code::KeysBadSignature,
        Code::KeysBadSpendKey,
        Code::KeysBadViewingKey,
        Code::KeysRandomUnavailable,
        Code::LiveBadFrame,
        Code::LiveClosed,
        Code::LiveTooSlow,
        Code::MempoolAlreadyApplied,
        Code::MempoolDuplicate,
        Code::MempoolFeeTooLow,
        Code::MempoolFull,
        Code::MempoolMassTooHigh,
        Code::MempoolNullifierConflict,
        Code::MempoolVerificationQueueFull,
        Code::NodeAlreadyRunning,
        Code::NodeBadFolder,
        Code::NodeBadOption,
        Code::NodePortInUse,
        Code::NodeStopping,
        Code::NodeWasArchival,
        Code::P2pBadMessage,
        Code::P2pClosed,
        Code::P2pDuplicateConnection,
        Code::P2pEvicted,
        Code::P2pFlooded,
        Code::P2pMessageTooLarge,
        Code::P2pOwnConnection,
        Code::P2pRefusedAgent,
        Code::P2pRejected,
        Code::P2pSlowReader,
        Code::P2pStalled,
        Code::P2pUnexpectedMessage,
        Code::P2pUnknownMessage,
        Code::P2pUnreachable,
        Code::P2pWrongNetwork,
        Code::P2pWrongProfile,
        Code::P2pWrongVersion,
        Code::ProfileBadValue,
        Code::ProfileGenesisMismatch,
        Code::ProfileInvalid,
        Code::ProfileTooLarge,
        Code::ProfileUnknown,
        Code::ProofBlueWorkNotGrowing,
        Code::ProofClaimedWork,
        Code::ProofDuplicate,
        Code::ProofEmptyLevel,
        Code::ProofHeaderBelowLevel,
        Code::ProofLastNotTip,
        Code::ProofMissingDepthBlock,
        Code::ProofTooManyHeaders,
        Code::ProofTooShort,
        Code::ProofUnknownParents,
        Code::ProofWrongLevelCount,
        Code::ProofWrongTip,
        Code::ProveAssetsDamaged,
        Code::ProveBadPlan,
        Code::ProveCheckFailed,
        Code::ProveFailed,
        Code::ProveMissingSignature,
        Code::ProveUnbalanced,
        Code::QueueClosed,
        Code::QueueFull,
        Code::QueueTooFast,
        Code::RpcBadArgument,
        Code::RpcNotReady,
        Code::RunAborted,
        Code::RunTimeout,
        Code::ShieldedBadAnchorLog,
        Code::ShieldedBadBindingLength,
        Code::ShieldedBadField,
        Code::ShieldedBadFlags,
        Code::ShieldedBadFrontier,
        Code::ShieldedBadNote,
        Code::ShieldedBadPoint,
        Code::ShieldedBadPosition,
        Code::ShieldedBadProofLength,
        Code::ShieldedBadRecipient,
        Code::ShieldedBadWitness,
        Code::ShieldedBindingSignatureInvalid,
        Code::ShieldedIdentityPoint,
        Code::ShieldedNoActions,
        Code::ShieldedProofInvalid,
        Code::ShieldedSpendSignatureInvalid,
        Code::ShieldedTooManyActions,
        Code::ShieldedTreeFull,
        Code::SignerActionCount,
        Code::SignerAmountDiffers,
        Code::SignerBadChecksum,
        Code::SignerBadDisclosure,
        Code::SignerBadPrepared,
        Code::SignerBadRandomizedKey,
        Code::SignerBadRandomizer,
        Code::SignerBalanceDiffers,
        Code::SignerChangeUnreadable,
        Code::SignerClaimDiffers,
        Code::SignerDuplicateAction,
        Code::SignerExtraPayment,
        Code::SignerFeeAboveMaximum,
        Code::SignerFeeDiffers,
        Code::SignerFeeNotPositive,
        Code::SignerMemoDiffers,
        Code::SignerMissingRandomizer,
        Code::SignerNotReady,
        Code::SignerNotUnsigned,
        Code::SignerNoteDiffers,
        Code::SignerOtherTransaction,
        Code::SignerOutcomeUnknown,
        Code::SignerOutputRecoverable,
        Code::SignerOutputUnreadable,
        Code::SignerOutputUnrecoverable,
        Code::SignerPartlyPaid,
        Code::SignerPayeeMissing,
        Code::SignerRandomizerMismatch,
        Code::SignerRemaining,
        Code::SignerSighashDiffers,
        Code::SignerTooManyParts,
        Code::SignerUnknownAction,
        Code::SignerUnnamedPayee,
        Code::SignerUnsupportedVersion,
        Code::SignerValueDiffers,
        Code::SignerWrongNetwork,
        Code::SignerWrongSession,
        Code::StoreCommitFailed,
        Code::StoreCorrupt,
        Code::StoreDamaged,
        Code::StoreFailing,
        Code::StoreLowMap,
        Code::StoreLowRoom,
        Code::StoreMapFull,
        Code::StoreMissing,
        Code::StoreNoRoom,
        Code::StoreProfileMismatch,
        Code::StoreReadFailed,
        Code::StoreUnreadable,
        Code::StoreVersion,
        Code::SyncCheckpointMissing,
        Code::SyncFinalityConflict,
        Code::SyncNoSource,
        Code::SyncNotAhead,
        Code::SyncOutdone,
        Code::TemplateNotReady,
        Code::TxAnchorBlockMismatch,
        Code::TxAnchorBlockMissing,
        Code::TxAnchorBlockUnexpected,
        Code::TxAnchorNotFinal,
        Code::TxAnchorTooOld,
        Code::TxBurnDisabled,
        Code::TxGasNotZero,
        Code::TxHasInputs,
        Code::TxHasOutputs,
        Code::TxInvalidProof,
        Code::TxLockTime,
        Code::TxMissingVerdict,
        Code::TxNegativeFee,
        Code::TxNoActions,
        Code::TxNotShielded,
        Code::TxNullifierSpent,
        Code::TxScriptTooLong,
        Code::TxStorageMassNotZero,
        Code::TxTooManyInputs,
        Code::TxTooManyOutputs,
        Code::TxUnsupportedSubnetwork,
        Code::TxUnsupportedVersion,
        Code::UriDuplicateKey,
        Code::UriMalformed,
        Code::UriTooLong,
        Code::UriUnsupported,
        Code::VerifyContradiction,
        Code::VerifyDifference,
        Code::VerifyNoStore,
        Code::VerifyPruned,
        Code::VerifyUnfinished,
        Code::VerifyUnreadable,
        Code::VirtualBadTransactions,
        Code::VirtualDisqualified,
        Code::VirtualFinalityViolation,
        Code::VirtualSupplyMismatch,
        Code::VirtualWrongAcceptedIds,
        Code::VirtualWrongCoinbase,
        Code::VirtualWrongSelectedParentOrder,
        Code::VirtualWrongStateRoot,
        Code::VirtualWrongUtxoCommitment,
        Code::WalletApprovalFull,
        Code::WalletApprovalNeeded,
        Code::WalletBadBackup,
        Code::WalletBadIdempotencyKey,
        Code::WalletBadPage,
        Code::WalletBadPayee,
        Code::WalletBadPayoutFile,
        Code::WalletBadScopedToken,
        Code::WalletBadSeed,
        Code::WalletBadSignature,
        Code::WalletBadToken,
        Code::WalletCancelled,
        Code::WalletCursorAhead,
        Code::WalletDayLimit,
        Code::WalletExists,
        Code::WalletFalseRecord,
        Code::WalletFeeTooHigh,
        Code::WalletFileDamaged,
        Code::WalletFileKey,
        Code::WalletFileNetwork,
        Code::WalletFileVersion,
        Code::WalletFundsMaturing,
        Code::WalletGraftRefused,
        Code::WalletInsufficientFunds,
        Code::WalletKeyReused,
        Code::WalletLocked,
        Code::WalletMemoTooLong,
        Code::WalletNoAnchor,
        Code::WalletNoDisclosure,
        Code::WalletNoJob,
        Code::WalletNoScopedToken,
        Code::WalletNoSecret,
        Code::WalletNoSession,
        Code::WalletNoWallet,
        Code::WalletNodeCompactOnly,
        Code::WalletNodeHistoryIncomplete,
        Code::WalletNodeUnreachable,
        Code::WalletNodeWrongNetwork,
        Code::WalletNotAwaiting,
        Code::WalletNotSynced,
        Code::WalletNothingToConsolidate,
        Code::WalletOpening,
        Code::WalletOtherViewingKey,
        Code::WalletPageChanged,
        Code::WalletPartlySent,
        Code::WalletPayeeNotAllowed,
        Code::WalletPaymentPending,
        Code::WalletPaymentRejected,
        Code::WalletPayoutTwice,
        Code::WalletPreparing,
        Code::WalletProveQueue,
        Code::WalletReorgTooDeep,
        Code::WalletRetryUnsafe,
        Code::WalletRowsLost,
        Code::WalletRowsSealed,
        Code::WalletScope,
        Code::WalletSecretUnfinished,
        Code::WalletStorage,
        Code::WalletStorageClosed,
        Code::WalletStorageFull,
        Code::WalletStorageRemoved,
        Code::WalletTooFewNotes,
        Code::WalletTooManyNotes,
        Code::WalletTooManyPayees,
        Code::WalletTreeMismatch,
        Code::WalletWatchOnly,
        Code::WalletWeakPassphrase,
        Code::WalletWorkerFailed,
        Code::WalletWrongPassphrase,
        Code::WalletWrongSecret,
        Code::WalletWrongSignatures,
        Code::WebhookBadTarget,
        Code::WebhookNoDelivery,
        Code::WebhookNotSetUp,
        Code::WebhookRefused,
        Code::WebhookUnreachable,
    ];

    /// Of class `engine`: the engine or its store failed, not what it judged: the step is abandoned.
    pub const ENGINE: &'static [Code] = &[
        Code::EngineAbiMismatch,
        Code::EngineBadCall,
        Code::EngineNotImported,
        Code::EngineOutOfMemory,
        Code::EngineOverflow,
        Code::EnginePanic,
        Code::EngineRestarted,
        Code::StoreCommitFailed,
        Code::StoreCorrupt,
        Code::StoreDamaged,
        Code::StoreFailing,
        Code::StoreLowMap,
        Code::StoreLowRoom,
        Code::StoreMapFull,
        Code::StoreMissing,
        Code::StoreNoRoom,
        Code::StoreProfileMismatch,
        Code::StoreReadFailed,
        Code::StoreUnreadable,
        Code::StoreVersion,
    ];

    /// Of class `place`: a header was refused by its place in the graph, long after its work was paid for (decision 16).
    pub const PLACE: &'static [Code] = &[
        Code::HeaderRelatedParents,
        Code::HeaderWrongBits,
        Code::HeaderWrongDaaScore,
    ];

    /// The text form, `area/what`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::AddressBadCharacter => "address/bad-character",
            Code::AddressBadChecksum => "address/bad-checksum",
            Code::AddressBadKey => "address/bad-key",
            Code::AddressBadLength => "address/bad-length",
            Code::AddressBadPadding => "address/bad-padding",
            Code::AddressBadVersion => "address/bad-version",
            Code::AddressMissingPrefix => "address/missing-prefix",
            Code::AddressWrongNetwork => "address/wrong-network",
            Code::AirgapBadAlphas => "airgap/bad-alphas",
            Code::AirgapBadBundle => "airgap/bad-bundle",
            Code::AirgapBadFrame => "airgap/bad-frame",
            Code::AirgapBadVersion => "airgap/bad-version",
            Code::AirgapCamera => "airgap/camera",
            Code::AirgapCborCount => "airgap/cbor-count",
            Code::AirgapCborEnd => "airgap/cbor-end",
            Code::AirgapCborForm => "airgap/cbor-form",
            Code::AirgapCborKey => "airgap/cbor-key",
            Code::AirgapCborLength => "airgap/cbor-length",
            Code::AirgapCborRange => "airgap/cbor-range",
            Code::AirgapCborTrailing => "airgap/cbor-trailing",
            Code::AirgapCborType => "airgap/cbor-type",
            Code::AirgapFrameChecksum => "airgap/frame-checksum",
            Code::AirgapMessageChecksum => "airgap/message-checksum",
            Code::AirgapMessageTooLong => "airgap/message-too-long",
            Code::AirgapNoCode => "airgap/no-code",
            Code::AirgapOtherMessage => "airgap/other-message",
            Code::AirgapTooManyFrames => "airgap/too-many-frames",
            Code::AirgapUnknownNetwork => "airgap/unknown-network",
            Code::AirgapWrongType => "airgap/wrong-type",
            Code::AmountMalformed => "amount/malformed",
            Code::AmountNegative => "amount/negative",
            Code::AmountTooLarge => "amount/too-large",
            Code::AmountTooManyDecimals => "amount/too-many-decimals",
            Code::AmountZero => "amount/zero",
            Code::ApiBadAnswer => "api/bad-answer",
            Code::ApiBadBearer => "api/bad-bearer",
            Code::ApiBadField => "api/bad-field",
            Code::ApiBadPairing => "api/bad-pairing",
            Code::ApiBadToken => "api/bad-token",
            Code::ApiMissingField => "api/missing-field",
            Code::ApiMissingToken => "api/missing-token",
            Code::ApiNoCustody => "api/no-custody",
            Code::ApiNotJson => "api/not-json",
            Code::ApiRefused => "api/refused",
            Code::ApiShortToken => "api/short-token",
            Code::ApiUnknownToken => "api/unknown-token",
            Code::ApiUnreachable => "api/unreachable",
            Code::ApiWrongMethod => "api/wrong-method",
            Code::ApiWrongType => "api/wrong-type",
            Code::BodyBadMerkleRoot => "body/bad-merkle-root",
            Code::BodyChainedTransaction => "body/chained-transaction",
            Code::BodyComputeMass => "body/compute-mass",
            Code::BodyDoubleSpend => "body/double-spend",
            Code::BodyDuplicateTransaction => "body/duplicate-transaction",
            Code::BodyFirstNotCoinbase => "body/first-not-coinbase",
            Code::BodyLaneGas => "body/lane-gas",
            Code::BodyMultipleCoinbases => "body/multiple-coinbases",
            Code::BodyNoTransactions => "body/no-transactions",
            Code::BodyPruned => "body/pruned",
            Code::BodyStorageMass => "body/storage-mass",
            Code::BodyTooManyLanes => "body/too-many-lanes",
            Code::BodyTransientMass => "body/transient-mass",
            Code::ChainNoCommonBlock => "chain/no-common-block",
            Code::ChainNotOnChain => "chain/not-on-chain",
            Code::ChainPruned => "chain/pruned",
            Code::ChainUnknownBlock => "chain/unknown-block",
            Code::ChainUnknownTransaction => "chain/unknown-transaction",
            Code::CodecBadCbor => "codec/bad-cbor",
            Code::CodecBadChecksum => "codec/bad-checksum",
            Code::CodecBadCsv => "codec/bad-csv",
            Code::CodecBadHex => "codec/bad-hex",
            Code::CodecBadJson => "codec/bad-json",
            Code::CodecBadMagic => "codec/bad-magic",
            Code::CodecBadUtf8 => "codec/bad-utf8",
            Code::CodecCountTooLarge => "codec/count-too-large",
            Code::CodecNotCanonical => "codec/not-canonical",
            Code::CodecNumberOutOfRange => "codec/number-out-of-range",
            Code::CodecTrailingBytes => "codec/trailing-bytes",
            Code::CodecUnexpectedEnd => "codec/unexpected-end",
            Code::CodecVersion => "codec/version",
            Code::CodecWrongLength => "codec/wrong-length",
            Code::CoinbaseBadRecipient => "coinbase/bad-recipient",
            Code::CoinbaseBadStorageMass => "coinbase/bad-storage-mass",
            Code::CoinbaseCarriesCommitment => "coinbase/carries-commitment",
            Code::CoinbaseExtraTooLong => "coinbase/extra-too-long",
            Code::CoinbaseHasInputs => "coinbase/has-inputs",
            Code::CoinbasePayloadTooLong => "coinbase/payload-too-long",
            Code::CoinbasePayloadTooShort => "coinbase/payload-too-short",
            Code::CoinbaseScriptTooLong => "coinbase/script-too-long",
            Code::CoinbaseTooManyOutputs => "coinbase/too-many-outputs",
            Code::CoinbaseWrongBlueScore => "coinbase/wrong-blue-score",
            Code::CoinbaseWrongSubsidy => "coinbase/wrong-subsidy",
            Code::EngineAbiMismatch => "engine/abi-mismatch",
            Code::EngineBadCall => "engine/bad-call",
            Code::EngineNotImported => "engine/not-imported",
            Code::EngineOutOfMemory => "engine/out-of-memory",
            Code::EngineOverflow => "engine/overflow",
            Code::EnginePanic => "engine/panic",
            Code::EngineRestarted => "engine/restarted",
            Code::EvidenceBehindOther => "evidence/behind-other",
            Code::EvidenceBelowLevel => "evidence/below-level",
            Code::EvidenceContradicted => "evidence/contradicted",
            Code::EvidenceForeignCoinbase => "evidence/foreign-coinbase",
            Code::EvidenceNoLog => "evidence/no-log",
            Code::EvidenceNoParent => "evidence/no-parent",
            Code::EvidenceNotInTree => "evidence/not-in-tree",
            Code::EvidenceNotLinked => "evidence/not-linked",
            Code::EvidenceNotMember => "evidence/not-member",
            Code::EvidenceNotShown => "evidence/not-shown",
            Code::EvidenceOtherChallenge => "evidence/other-challenge",
            Code::EvidenceOtherCoins => "evidence/other-coins",
            Code::EvidenceOtherHeader => "evidence/other-header",
            Code::EvidenceOtherNetwork => "evidence/other-network",
            Code::EvidenceOtherNotes => "evidence/other-notes",
            Code::EvidenceOtherNullifiers => "evidence/other-nullifiers",
            Code::EvidenceOtherPage => "evidence/other-page",
            Code::EvidenceOtherPayload => "evidence/other-payload",
            Code::EvidenceOtherScores => "evidence/other-scores",
            Code::EvidenceOtherState => "evidence/other-state",
            Code::EvidenceStaleTip => "evidence/stale-tip",
            Code::EvidenceTooEasy => "evidence/too-easy",
            Code::EvidenceTooFewHeaders => "evidence/too-few-headers",
            Code::EvidenceUnknownWork => "evidence/unknown-work",
            Code::ExportMoved => "export/moved",
            Code::GatewayBadAnswer => "gateway/bad-answer",
            Code::GatewayBadKey => "gateway/bad-key",
            Code::GatewayBadSignIn => "gateway/bad-sign-in",
            Code::GatewayClaimOver => "gateway/claim-over",
            Code::GatewayIdempotencyConflict => "gateway/idempotency-conflict",
            Code::GatewayInFlight => "gateway/in-flight",
            Code::GatewayKeyFile => "gateway/key-file",
            Code::GatewayMerchantExists => "gateway/merchant-exists",
            Code::GatewayNoAddress => "gateway/no-address",
            Code::GatewayNoClaim => "gateway/no-claim",
            Code::GatewayNoDelivery => "gateway/no-delivery",
            Code::GatewayNoInvoice => "gateway/no-invoice",
            Code::GatewayNoKey => "gateway/no-key",
            Code::GatewayNoMerchant => "gateway/no-merchant",
            Code::GatewayNoReceipt => "gateway/no-receipt",
            Code::GatewayNoRefund => "gateway/no-refund",
            Code::GatewayNoSession => "gateway/no-session",
            Code::GatewayNoWebhook => "gateway/no-webhook",
            Code::GatewayPayoutWallet => "gateway/payout-wallet",
            Code::GatewayPriceStale => "gateway/price-stale",
            Code::GatewayRefundAddress => "gateway/refund-address",
            Code::GatewayRefundState => "gateway/refund-state",
            Code::GatewayRefundTooLarge => "gateway/refund-too-large",
            Code::GatewayRefused => "gateway/refused",
            Code::GatewayScope => "gateway/scope",
            Code::GatewayStorage => "gateway/storage",
            Code::GatewayTooManyKeys => "gateway/too-many-keys",
            Code::GatewayTooManyMerchants => "gateway/too-many-merchants",
            Code::GatewayTooManyRefunds => "gateway/too-many-refunds",
            Code::GatewayTooManyWebhooks => "gateway/too-many-webhooks",
            Code::GatewayUnreachable => "gateway/unreachable",
            Code::GatewayWrongState => "gateway/wrong-state",
            Code::HeaderBadParents => "header/bad-parents",
            Code::HeaderBlueWorkTooLarge => "header/blue-work-too-large",
            Code::HeaderBoundedMerge => "header/bounded-merge",
            Code::HeaderInvalidParent => "header/invalid-parent",
            Code::HeaderInvalidPow => "header/invalid-pow",
            Code::HeaderKnownInvalid => "header/known-invalid",
            Code::HeaderLevelConflict => "header/level-conflict",
            Code::HeaderMergesetTooBig => "header/mergeset-too-big",
            Code::HeaderMissingParents => "header/missing-parents",
            Code::HeaderNoParents => "header/no-parents",
            Code::HeaderOriginParent => "header/origin-parent",
            Code::HeaderPruningViolation => "header/pruning-violation",
            Code::HeaderRelatedParents => "header/related-parents",
            Code::HeaderTimeTooFarAhead => "header/time-too-far-ahead",
            Code::HeaderTimeTooOld => "header/time-too-old",
            Code::HeaderTooManyParents => "header/too-many-parents",
            Code::HeaderWrongBits => "header/wrong-bits",
            Code::HeaderWrongBlueScore => "header/wrong-blue-score",
            Code::HeaderWrongBlueWork => "header/wrong-blue-work",
            Code::HeaderWrongDaaScore => "header/wrong-daa-score",
            Code::HeaderWrongIndirectParents => "header/wrong-indirect-parents",
            Code::HeaderWrongPruningPoint => "header/wrong-pruning-point",
            Code::HeaderWrongVersion => "header/wrong-version",
            Code::HistoryOutOfOrder => "history/out-of-order",
            Code::HistoryWrongRecord => "history/wrong-record",
            Code::HttpBadRequest => "http/bad-request",
            Code::HttpBodyTooLarge => "http/body-too-large",
            Code::HttpForbidden => "http/forbidden",
            Code::HttpForeignHost => "http/foreign-host",
            Code::HttpForeignOrigin => "http/foreign-origin",
            Code::HttpNotFound => "http/not-found",
            Code::HttpTimeout => "http/timeout",
            Code::HttpTlsOnly => "http/tls-only",
            Code::HttpTooManyConnections => "http/too-many-connections",
            Code::HttpTooManyRequests => "http/too-many-requests",
            Code::HttpUnavailable => "http/unavailable",
            Code::ImportIncomplete => "import/incomplete",
            Code::ImportNotBound => "import/not-bound",
            Code::ImportNotEmpty => "import/not-empty",
            Code::ImportOutOfOrder => "import/out-of-order",
            Code::ImportTooLittleWork => "import/too-little-work",
            Code::ImportTooManyHeaders => "import/too-many-headers",
            Code::ImportTooManyNullifiers => "import/too-many-nullifiers",
            Code::ImportUnbound => "import/unbound",
            Code::ImportUnexpectedBody => "import/unexpected-body",
            Code::ImportWrongBinding => "import/wrong-binding",
            Code::ImportWrongChild => "import/wrong-child",
            Code::ImportWrongEntry => "import/wrong-entry",
            Code::ImportWrongGhostdag => "import/wrong-ghostdag",
            Code::ImportWrongHeader => "import/wrong-header",
            Code::ImportWrongLanes => "import/wrong-lanes",
            Code::ImportWrongNullifiers => "import/wrong-nullifiers",
            Code::ImportWrongPoints => "import/wrong-points",
            Code::ImportWrongState => "import/wrong-state",
            Code::InternalErasedSecret => "internal/erased-secret",
            Code::InternalUnexpected => "internal/unexpected",
            Code::KeysAddressMismatch => "keys/address-mismatch",
            Code::KeysBadSeed => "keys/bad-seed",
            Code::KeysBadSignature => "keys/bad-signature",
            Code::KeysBadSpendKey => "keys/bad-spend-key",
            Code::KeysBadViewingKey => "keys/bad-viewing-key",
            Code::KeysRandomUnavailable => "keys/random-unavailable",
            Code::LiveBadFrame => "live/bad-frame",
            Code::LiveClosed => "live/closed",
            Code::LiveTooSlow => "live/too-slow",
            Code::MempoolAlreadyApplied => "mempool/already-applied",
            Code::MempoolDuplicate => "mempool/duplicate",
            Code::MempoolFeeTooLow => "mempool/fee-too-low",
            Code::MempoolFull => "mempool/full",
            Code::MempoolMassTooHigh => "mempool/mass-too-high",
            Code::MempoolNullifierConflict => "mempool/nullifier-conflict",
            Code::MempoolVerificationQueueFull => "mempool/verification-queue-full",
            Code::NodeAlreadyRunning => "node/already-running",
            Code::NodeBadFolder => "node/bad-folder",
            Code::NodeBadOption => "node/bad-option",
            Code::NodePortInUse => "node/port-in-use",
            Code::NodeStopping => "node/stopping",
            Code::NodeWasArchival => "node/was-archival",
            Code::P2pBadMessage => "p2p/bad-message",
            Code::P2pClosed => "p2p/closed",
            Code::P2pDuplicateConnection => "p2p/duplicate-connection",
            Code::P2pEvicted => "p2p/evicted",
            Code::P2pFlooded => "p2p/flooded",
            Code::P2pMessageTooLarge => "p2p/message-too-large",
            Code::P2pOwnConnection => "p2p/own-connection",
            Code::P2pRefusedAgent => "p2p/refused-agent",
            Code::P2pRejected => "p2p/rejected",
            Code::P2pSlowReader => "p2p/slow-reader",
            Code::P2pStalled => "p2p/stalled",
            Code::P2pUnexpectedMessage => "p2p/unexpected-message",
            Code::P2pUnknownMessage => "p2p/unknown-message",
            Code::P2pUnreachable => "p2p/unreachable",
            Code::P2pWrongNetwork => "p2p/wrong-network",
            Code::P2pWrongProfile => "p2p/wrong-profile",
            Code::P2pWrongVersion => "p2p/wrong-version",
            Code::ProfileBadValue => "profile/bad-value",
            Code::ProfileGenesisMismatch => "profile/genesis-mismatch",
            Code::ProfileInvalid => "profile/invalid",
            Code::ProfileTooLarge => "profile/too-large",
            Code::ProfileUnknown => "profile/unknown",
            Code::ProofBlueWorkNotGrowing => "proof/blue-work-not-growing",
            Code::ProofClaimedWork => "proof/claimed-work",
            Code::ProofDuplicate => "proof/duplicate",
            Code::ProofEmptyLevel => "proof/empty-level",
            Code::ProofHeaderBelowLevel => "proof/header-below-level",
            Code::ProofLastNotTip => "proof/last-not-tip",
            Code::ProofMissingDepthBlock => "proof/missing-depth-block",
            Code::ProofTooManyHeaders => "proof/too-many-headers",
            Code::ProofTooShort => "proof/too-short",
            Code::ProofUnknownParents => "proof/unknown-parents",
            Code::ProofWrongLevelCount => "proof/wrong-level-count",
            Code::ProofWrongTip => "proof/wrong-tip",
            Code::ProveAssetsDamaged => "prove/assets-damaged",
            Code::ProveBadPlan => "prove/bad-plan",
            Code::ProveCheckFailed => "prove/check-failed",
            Code::ProveFailed => "prove/failed",
            Code::ProveMissingSignature => "prove/missing-signature",
            Code::ProveUnbalanced => "prove/unbalanced",
            Code::QueueClosed => "queue/closed",
            Code::QueueFull => "queue/full",
            Code::QueueTooFast => "queue/too-fast",
            Code::RpcBadArgument => "rpc/bad-argument",
            Code::RpcNotReady => "rpc/not-ready",
            Code::RunAborted => "run/aborted",
            Code::RunTimeout => "run/timeout",
            Code::ShieldedBadAnchorLog => "shielded/bad-anchor-log",
            Code::ShieldedBadBindingLength => "shielded/bad-binding-length",
            Code::ShieldedBadField => "shielded/bad-field",
            Code::ShieldedBadFlags => "shielded/bad-flags",
            Code::ShieldedBadFrontier => "shielded/bad-frontier",
            Code::ShieldedBadNote => "shielded/bad-note",
            Code::ShieldedBadPoint => "shielded/bad-point",
            Code::ShieldedBadPosition => "shielded/bad-position",
            Code::ShieldedBadProofLength => "shielded/bad-proof-length",
            Code::ShieldedBadRecipient => "shielded/bad-recipient",
            Code::ShieldedBadWitness => "shielded/bad-witness",
            Code::ShieldedBindingSignatureInvalid => "shielded/binding-signature-invalid",
            Code::ShieldedIdentityPoint => "shielded/identity-point",
            Code::ShieldedNoActions => "shielded/no-actions",
            Code::ShieldedProofInvalid => "shielded/proof-invalid",
            Code::ShieldedSpendSignatureInvalid => "shielded/spend-signature-invalid",
            Code::ShieldedTooManyActions => "shielded/too-many-actions",
            Code::ShieldedTreeFull => "shielded/tree-full",
            Code::SignerActionCount => "signer/action-count",
            Code::SignerAmountDiffers => "signer/amount-differs",
            Code::SignerBadChecksum => "signer/bad-checksum",
            Code::SignerBadDisclosure => "signer/bad-disclosure",
            Code::SignerBadPrepared => "signer/bad-prepared",
            Code::SignerBadRandomizedKey => "signer/bad-randomized-key",
            Code::SignerBadRandomizer => "signer/bad-randomizer",
            Code::SignerBalanceDiffers => "signer/balance-differs",
            Code::SignerChangeUnreadable => "signer/change-unreadable",
            Code::SignerClaimDiffers => "signer/claim-differs",
            Code::SignerDuplicateAction => "signer/duplicate-action",
            Code::SignerExtraPayment => "signer/extra-payment",
            Code::SignerFeeAboveMaximum => "signer/fee-above-maximum",
            Code::SignerFeeDiffers => "signer/fee-differs",
            Code::SignerFeeNotPositive => "signer/fee-not-positive",
            Code::SignerMemoDiffers => "signer/memo-differs",
            Code::SignerMissingRandomizer => "signer/missing-randomizer",
            Code::SignerNotReady => "signer/not-ready",
            Code::SignerNotUnsigned => "signer/not-unsigned",
            Code::SignerNoteDiffers => "signer/note-differs",
            Code::SignerOtherTransaction => "signer/other-transaction",
            Code::SignerOutcomeUnknown => "signer/outcome-unknown",
            Code::SignerOutputRecoverable => "signer/output-recoverable",
            Code::SignerOutputUnreadable => "signer/output-unreadable",
            Code::SignerOutputUnrecoverable => "signer/output-unrecoverable",
            Code::SignerPartlyPaid => "signer/partly-paid",
            Code::SignerPayeeMissing => "signer/payee-missing",
            Code::SignerRandomizerMismatch => "signer/randomizer-mismatch",
            Code::SignerRemaining => "signer/remaining",
            Code::SignerSighashDiffers => "signer/sighash-differs",
            Code::SignerTooManyParts => "signer/too-many-parts",
            Code::SignerUnknownAction => "signer/unknown-action",
            Code::SignerUnnamedPayee => "signer/unnamed-payee",
            Code::SignerUnsupportedVersion => "signer/unsupported-version",
            Code::SignerValueDiffers => "signer/value-differs",
            Code::SignerWrongNetwork => "signer/wrong-network",
            Code::SignerWrongSession => "signer/wrong-session",
            Code::StoreCommitFailed => "store/commit-failed",
            Code::StoreCorrupt => "store/corrupt",
            Code::StoreDamaged => "store/damaged",
            Code::StoreFailing => "store/failing",
            Code::StoreLowMap => "store/low-map",
            Code::StoreLowRoom => "store/low-room",
            Code::StoreMapFull => "store/map-full",
            Code::StoreMissing => "store/missing",
            Code::StoreNoRoom => "store/no-room",
            Code::StoreProfileMismatch => "store/profile-mismatch",
            Code::StoreReadFailed => "store/read-failed",
            Code::StoreUnreadable => "store/unreadable",
            Code::StoreVersion => "store/version",
            Code::SyncCheckpointMissing => "sync/checkpoint-missing",
            Code::SyncFinalityConflict => "sync/finality-conflict",
            Code::SyncNoSource => "sync/no-source",
            Code::SyncNotAhead => "sync/not-ahead",
            Code::SyncOutdone => "sync/outdone",
            Code::TemplateNotReady => "template/not-ready",
            Code::TxAnchorBlockMismatch => "tx/anchor-block-mismatch",
            Code::TxAnchorBlockMissing => "tx/anchor-block-missing",
            Code::TxAnchorBlockUnexpected => "tx/anchor-block-unexpected",
            Code::TxAnchorNotFinal => "tx/anchor-not-final",
            Code::TxAnchorTooOld => "tx/anchor-too-old",
            Code::TxBurnDisabled => "tx/burn-disabled",
            Code::TxGasNotZero => "tx/gas-not-zero",
            Code::TxHasInputs => "tx/has-inputs",
            Code::TxHasOutputs => "tx/has-outputs",
            Code::TxInvalidProof => "tx/invalid-proof",
            Code::TxLockTime => "tx/lock-time",
            Code::TxMissingVerdict => "tx/missing-verdict",
            Code::TxNegativeFee => "tx/negative-fee",
            Code::TxNoActions => "tx/no-actions",
            Code::TxNotShielded => "tx/not-shielded",
            Code::TxNullifierSpent => "tx/nullifier-spent",
            Code::TxScriptTooLong => "tx/script-too-long",
            Code::TxStorageMassNotZero => "tx/storage-mass-not-zero",
            Code::TxTooManyInputs => "tx/too-many-inputs",
            Code::TxTooManyOutputs => "tx/too-many-outputs",
            Code::TxUnsupportedSubnetwork => "tx/unsupported-subnetwork",
            Code::TxUnsupportedVersion => "tx/unsupported-version",
            Code::UriDuplicateKey => "uri/duplicate-key",
            Code::UriMalformed => "uri/malformed",
            Code::UriTooLong => "uri/too-long",
            Code::UriUnsupported => "uri/unsupported",
            Code::VerifyContradiction => "verify/contradiction",
            Code::VerifyDifference => "verify/difference",
            Code::VerifyNoStore => "verify/no-store",
            Code::VerifyPruned => "verify/pruned",
            Code::VerifyUnfinished => "verify/unfinished",
            Code::VerifyUnreadable => "verify/unreadable",
            Code::VirtualBadTransactions => "virtual/bad-transactions",
            Code::VirtualDisqualified => "virtual/disqualified",
            Code::VirtualFinalityViolation => "virtual/finality-violation",
            Code::VirtualSupplyMismatch => "virtual/supply-mismatch",
            Code::VirtualWrongAcceptedIds => "virtual/wrong-accepted-ids",
            Code::VirtualWrongCoinbase => "virtual/wrong-coinbase",
            Code::VirtualWrongSelectedParentOrder => "virtual/wrong-selected-parent-order",
            Code::VirtualWrongStateRoot => "virtual/wrong-state-root",
            Code::VirtualWrongUtxoCommitment => "virtual/wrong-utxo-commitment",
            Code::WalletApprovalFull => "wallet/approval-full",
            Code::WalletApprovalNeeded => "wallet/approval-needed",
            Code::WalletBadBackup => "wallet/bad-backup",
            Code::WalletBadIdempotencyKey => "wallet/bad-idempotency-key",
            Code::WalletBadPage => "wallet/bad-page",
            Code::WalletBadPayee => "wallet/bad-payee",
            Code::WalletBadPayoutFile => "wallet/bad-payout-file",
            Code::WalletBadScopedToken => "wallet/bad-scoped-token",
            Code::WalletBadSeed => "wallet/bad-seed",
            Code::WalletBadSignature => "wallet/bad-signature",
            Code::WalletBadToken => "wallet/bad-token",
            Code::WalletCancelled => "wallet/cancelled",
            Code::WalletCursorAhead => "wallet/cursor-ahead",
            Code::WalletDayLimit => "wallet/day-limit",
            Code::WalletExists => "wallet/exists",
            Code::WalletFalseRecord => "wallet/false-record",
            Code::WalletFeeTooHigh => "wallet/fee-too-high",
            Code::WalletFileDamaged => "wallet/file-damaged",
            Code::WalletFileKey => "wallet/file-key",
            Code::WalletFileNetwork => "wallet/file-network",
            Code::WalletFileVersion => "wallet/file-version",
            Code::WalletFundsMaturing => "wallet/funds-maturing",
            Code::WalletGraftRefused => "wallet/graft-refused",
            Code::WalletInsufficientFunds => "wallet/insufficient-funds",
            Code::WalletKeyReused => "wallet/key-reused",
            Code::WalletLocked => "wallet/locked",
            Code::WalletMemoTooLong => "wallet/memo-too-long",
            Code::WalletNoAnchor => "wallet/no-anchor",
            Code::WalletNoDisclosure => "wallet/no-disclosure",
            Code::WalletNoJob => "wallet/no-job",
            Code::WalletNoScopedToken => "wallet/no-scoped-token",
            Code::WalletNoSecret => "wallet/no-secret",
            Code::WalletNoSession => "wallet/no-session",
            Code::WalletNoWallet => "wallet/no-wallet",
            Code::WalletNodeCompactOnly => "wallet/node-compact-only",
            Code::WalletNodeHistoryIncomplete => "wallet/node-history-incomplete",
            Code::WalletNodeUnreachable => "wallet/node-unreachable",
            Code::WalletNodeWrongNetwork => "wallet/node-wrong-network",
            Code::WalletNotAwaiting => "wallet/not-awaiting",
            Code::WalletNotSynced => "wallet/not-synced",
            Code::WalletNothingToConsolidate => "wallet/nothing-to-consolidate",
            Code::WalletOpening => "wallet/opening",
            Code::WalletOtherViewingKey => "wallet/other-viewing-key",
            Code::WalletPageChanged => "wallet/page-changed",
            Code::WalletPartlySent => "wallet/partly-sent",
            Code::WalletPayeeNotAllowed => "wallet/payee-not-allowed",
            Code::WalletPaymentPending => "wallet/payment-pending",
            Code::WalletPaymentRejected => "wallet/payment-rejected",
            Code::WalletPayoutTwice => "wallet/payout-twice",
            Code::WalletPreparing => "wallet/preparing",
            Code::WalletProveQueue => "wallet/prove-queue",
            Code::WalletReorgTooDeep => "wallet/reorg-too-deep",
            Code::WalletRetryUnsafe => "wallet/retry-unsafe",
            Code::WalletRowsLost => "wallet/rows-lost",
            Code::WalletRowsSealed => "wallet/rows-sealed",
            Code::WalletScope => "wallet/scope",
            Code::WalletSecretUnfinished => "wallet/secret-unfinished",
            Code::WalletStorage => "wallet/storage",
            Code::WalletStorageClosed => "wallet/storage-closed",
            Code::WalletStorageFull => "wallet/storage-full",
            Code::WalletStorageRemoved => "wallet/storage-removed",
            Code::WalletTooFewNotes => "wallet/too-few-notes",
            Code::WalletTooManyNotes => "wallet/too-many-notes",
            Code::WalletTooManyPayees => "wallet/too-many-payees",
            Code::WalletTreeMismatch => "wallet/tree-mismatch",
            Code::WalletWatchOnly => "wallet/watch-only",
            Code::WalletWeakPassphrase => "wallet/weak-passphrase",
            Code::WalletWorkerFailed => "wallet/worker-failed",
            Code::WalletWrongPassphrase => "wallet/wrong-passphrase",
            Code::WalletWrongSecret => "wallet/wrong-secret",
            Code::WalletWrongSignatures => "wallet/wrong-signatures",
            Code::WebhookBadTarget => "webhook/bad-target",
            Code::WebhookNoDelivery => "webhook/no-delivery",
            Code::WebhookNotSetUp => "webhook/not-set-up",
            Code::WebhookRefused => "webhook/refused",
            Code::WebhookUnreachable => "webhook/unreachable",
        }
    }

    /// The code with this text form.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Code> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }
}

impl core::fmt::Display for Code {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn every_code_reads_back_from_its_text() {
        for code in Code::ALL {
            assert_eq!(Code::from_text(code.as_str()), Some(*code));
        }
        assert_eq!(Code::from_text("no/such-code"), None);
    }
}
