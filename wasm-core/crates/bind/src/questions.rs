//! JavaScript binding of the read queries about the chain, the same for the engine and for a read-only view of its
//! store.

use svc_codec::hash32::Hash32;
use wasm_bindgen::JsError;

use crate::thrown::{bad_call, thrown};

/// Reads a hash given as hex. Throws `engine/bad-call`.
pub(crate) fn hash_arg(text: &str) -> Result<Hash32, JsError> {
    text.parse()
        .map_err(|_| thrown(bad_call("a hash of 64 hex characters was expected")))
}

/// Reads a hash given as hex, or the lack of one given as empty text. Throws `engine/bad-call`.
pub(crate) fn optional_hash_arg(text: &str) -> Result<Option<Hash32>, JsError> {
    if text.is_empty() {
        return Ok(None);
    }
    hash_arg(text).map(Some)
}

/// Reads hashes given one after the other. Throws `codec/unexpected-end`.
pub(crate) fn hashes_arg(bytes: &[u8]) -> Result<Vec<Hash32>, JsError> {
    svc_consensus::records::meta::decode_hashes(bytes).map_err(thrown)
}

/// Implements the read queries of docs/formats.md 3 for a type with `chain()`. An unknown hash is
/// `undefined` where the contract says so and `chain/unknown-block` elsewhere.
macro_rules! answer {
    ($subject:ty) => {
        #[wasm_bindgen]
        impl $subject {
            /// The tip and the state of virtual, as TipFacts (formats 3.10). Throws `engine/not-imported`.
            pub fn tip(&self) -> Result<String, JsError> {
                let facts = svc_consensus::questions::tip(self.chain()).map_err(thrown)?;
                Ok(facts.to_string())
            }

            /// The bytes of a block, as RawBlock; undefined where its body is not held. Form 0x02, with a witness, for
            /// blocks that lack native work.
            #[wasm_bindgen(js_name = blockBytes)]
            pub fn block_bytes(&self, hash: &str) -> Result<Option<Vec<u8>>, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                Ok(self
                    .chain()
                    .records
                    .witnessed_block(&hash)
                    .map_err(thrown)?
                    .map(|found| found.to_bytes()))
            }

            /// The bytes of the transaction at an index of a block, as RawTransaction; the coinbase has index 0.
            /// Undefined where the body is not held or has no such index.
            #[wasm_bindgen(js_name = transactionBytes)]
            pub fn transaction_bytes(
                &self,
                block: &str,
                index: u32,
            ) -> Result<Option<Vec<u8>>, JsError> {
                let hash = crate::questions::hash_arg(block)?;
                let found = self.chain().records.transaction(&hash, index as usize);
                Ok(found
                    .map_err(thrown)?
                    .map(|transaction| transaction.to_bytes()))
            }

            /// What is known of a block, as BlockFacts (formats 3.10); undefined for one that was never accepted as a
            /// header. Throws `chain/pruned`.
            #[wasm_bindgen(js_name = blockFacts)]
            pub fn block_facts(&self, hash: &str) -> Result<Option<String>, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                let facts = svc_consensus::questions::block_facts(&self.chain().records, &hash)
                    .map_err(thrown)?;
                Ok(facts.map(|facts| facts.to_string()))
            }

            /// The hash of the block at an index of the selected chain; undefined where there is none.
            #[wasm_bindgen(js_name = chainHashAt)]
            pub fn chain_hash_at(&self, index: u64) -> Result<Option<String>, JsError> {
                Ok(self
                    .chain()
                    .records
                    .chain_at(index)
                    .map_err(thrown)?
                    .map(|hash| hash.to_string()))
            }

            /// The index of a block on the selected chain; undefined for a block that is not on it.
            #[wasm_bindgen(js_name = chainIndexOf)]
            pub fn chain_index_of(&self, hash: &str) -> Result<Option<u64>, JsError> {
                self.chain()
                    .records
                    .chain_index(&crate::questions::hash_arg(hash)?)
                    .map_err(thrown)
            }

            /// The effects of a chain block, as ChainFacts (formats 3.10): merged blocks, applied and dropped payments.
            /// Undefined for a block that was not judged valid. Throws `chain/pruned`.
            #[wasm_bindgen(js_name = chainFacts)]
            pub fn chain_facts(&self, hash: &str) -> Result<Option<String>, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                let facts = svc_consensus::questions::chain_facts(&self.chain().records, &hash)
                    .map_err(thrown)?;
                Ok(facts.map(|facts| facts.to_string()))
            }

            /// A page of scan records after a chain block, as a container (formats 2): at most `limit`, 2,000 and 4
            /// MiB, but one at least if there is one. Throws `chain/not-on-chain` with `commonHash` and `chainIndex` of
            /// the last block in common, `chain/unknown-block`, `chain/pruned`.
            pub fn records(&self, after: &str, limit: u32) -> Result<Vec<u8>, JsError> {
                let after = crate::questions::hash_arg(after)?;
                svc_consensus::questions::pages::records(
                    &self.chain().records,
                    &after,
                    limit as usize,
                )
                .map_err(thrown)
            }

            /// The scan record of one block of the selected chain, as a container (formats 2). Throws
            /// `chain/unknown-block`, `chain/pruned`.
            #[wasm_bindgen(js_name = recordOf)]
            pub fn record_of(&self, hash: &str) -> Result<Vec<u8>, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                svc_consensus::questions::pages::record_of(&self.chain().records, &hash)
                    .map_err(thrown)
            }

            /// The highest of the given blocks, 32 bytes for each hash, that is on the selected chain, as JSON
            /// `{hash, chainIndex}`. Throws `chain/no-common-block` when none is.
            pub fn locate(&self, hashes: &[u8]) -> Result<String, JsError> {
                let hashes = crate::questions::hashes_arg(hashes)?;
                Ok(
                    svc_consensus::questions::locate(&self.chain().records, &hashes)
                        .map_err(thrown)?
                        .to_string(),
                )
            }

            /// The note tree after a block that was judged valid, as TreeState (formats 1.4). Throws
            /// `chain/unknown-block`, `chain/pruned`.
            #[wasm_bindgen(js_name = treeState)]
            pub fn tree_state(&self, at: &str) -> Result<Vec<u8>, JsError> {
                let at = crate::questions::hash_arg(at)?;
                svc_consensus::questions::pages::tree_state(&self.chain().records, &at)
                    .map_err(thrown)
            }

            /// The shielded state after a block that was judged valid, as ShieldedFacts (formats 3.10): supply, tree,
            /// nullifiers. Throws `chain/unknown-block`, `chain/pruned`.
            #[wasm_bindgen(js_name = shieldedFacts)]
            pub fn shielded_facts(&self, hash: &str) -> Result<String, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                let facts = svc_consensus::questions::shielded_facts(self.chain(), &hash);
                Ok(facts.map_err(thrown)?.to_string())
            }

            /// The effects of a block of the selected chain with what ties them to headers, as AcceptanceProof (formats
            /// 3.11). Throws `chain/unknown-block`, for genesis too, and `chain/pruned`.
            #[wasm_bindgen(js_name = acceptanceProof)]
            pub fn acceptance_proof(&self, hash: &str) -> Result<String, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                let proof =
                    svc_consensus::questions::told_proofs::acceptance_proof(self.chain(), &hash);
                crate::thrown::json_text(&proof.map_err(thrown)?)
            }

            /// The state after a block of the selected chain in the parts that the next block commits to, as SupplyProof
            /// (formats 3.11). Throws `chain/unknown-block`, `chain/pruned`.
            #[wasm_bindgen(js_name = supplyProof)]
            pub fn supply_proof(&self, hash: &str) -> Result<String, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                let proof =
                    svc_consensus::questions::told_proofs::supply_proof(self.chain(), &hash);
                crate::thrown::json_text(&proof.map_err(thrown)?)
            }

            /// Which blocks to ask evidence of, for a state that lies so many blue scores below the sink, as EvidenceTipFacts
            /// (formats 3.10). Throws `codec/count-too-large` for more than a run spans, `chain/unknown-block` where the
            /// chain has genesis alone, `engine/not-imported`.
            #[wasm_bindgen(js_name = evidenceTip)]
            pub fn evidence_tip(&self, depth: u64) -> Result<String, JsError> {
                let facts = svc_consensus::questions::evidence::tip(self.chain(), depth);
                Ok(facts.map_err(thrown)?.to_string())
            }

            /// The state after a block of the selected chain, opened from the block above it (docs/light-client.md); with
            /// the product of all nullifiers in the place of its digest where that is asked for. Throws
            /// `chain/unknown-block`, also at the tip, and `chain/pruned`.
            #[wasm_bindgen(js_name = evidenceOpening)]
            pub fn evidence_opening(
                &self,
                hash: &str,
                with_product: bool,
            ) -> Result<Vec<u8>, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                svc_consensus::questions::evidence::opening(self.chain(), &hash, with_product)
                    .map_err(thrown)
            }

            /// The path of a block of the selected chain in the anchor log after another one (docs/light-client.md).
            /// Throws `chain/unknown-block`, `chain/pruned`, `evidence/not-member`.
            #[wasm_bindgen(js_name = evidenceMembership)]
            pub fn evidence_membership(&self, hash: &str, at: &str) -> Result<Vec<u8>, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                let at = crate::questions::hash_arg(at)?;
                svc_consensus::questions::evidence::membership(self.chain(), &hash, &at)
                    .map_err(thrown)
            }

            /// The run of headers from one block of the selected chain up to another (docs/light-client.md). Throws
            /// `chain/unknown-block`, `chain/pruned`, `codec/count-too-large` for blocks too far apart or in the wrong
            /// order.
            #[wasm_bindgen(js_name = evidenceRun)]
            pub fn evidence_run(&self, from: &str, to: &str) -> Result<Vec<u8>, JsError> {
                let from = crate::questions::hash_arg(from)?;
                let to = crate::questions::hash_arg(to)?;
                svc_consensus::questions::evidence::run(self.chain(), &from, &to).map_err(thrown)
            }

            /// A LogPage (formats 1.4) for a peer that began at `base`, after which the log has `count` entries: the page that
            /// begins at the entry `first`. Undefined where there is no such entry, or this chain has another log or too little
            /// of it. Throws `engine/not-imported`.
            #[wasm_bindgen(js_name = logPage)]
            pub fn log_page(
                &self,
                base: &str,
                count: u64,
                first: u64,
            ) -> Result<Option<Vec<u8>>, JsError> {
                let base = crate::questions::hash_arg(base)?;
                svc_consensus::questions::log_page::log_page(self.chain(), &base, count, first)
                    .map_err(thrown)
            }

            /// The payment at a place among those that a block of the selected chain applied, and what binds it to the block's
            /// header (docs/light-client.md). Throws `chain/unknown-block`, also for a place without a payment, and
            /// `chain/pruned`.
            #[wasm_bindgen(js_name = evidencePayload)]
            pub fn evidence_payload(&self, hash: &str, place: u32) -> Result<Vec<u8>, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                let told = svc_consensus::questions::payload_evidence::payload(
                    self.chain(),
                    &hash,
                    place as usize,
                );
                told.map_err(thrown)
            }

            /// The anchors of the selected chain from a blue score on: `{ blueScore u64, hash 32, root 32 }` repeated,
            /// ascending, at most `limit` and 2,000. Throws `chain/pruned` where the first is too far below the pruning
            /// point, `engine/not-imported`.
            pub fn anchors(&self, from_blue_score: u64, limit: u32) -> Result<Vec<u8>, JsError> {
                svc_consensus::questions::pages::anchors(
                    &self.chain().records,
                    from_blue_score,
                    limit as usize,
                )
                .map_err(thrown)
            }

            /// The hashes of blocks from a block upwards, as a JSON array: that block, then the selected chain with
            /// what each block of it merged before it, then the other tips; parents before children, at most `limit`.
            /// Throws `chain/unknown-block`, `chain/pruned`.
            #[wasm_bindgen(js_name = blocksFrom)]
            pub fn blocks_from(&self, low: &str, limit: u32) -> Result<String, JsError> {
                let low = crate::questions::hash_arg(low)?;
                let hashes = svc_consensus::questions::blocks_from(
                    &self.chain().records,
                    &low,
                    limit as usize,
                );
                Ok(hashes.map_err(thrown)?.to_string())
            }

            /// The chain blocks removed and added between a block and the sink, as JSON
            /// `{removed, added: [{hash, acceptedTxids}]}`; at most `limit` added ones. Throws `chain/unknown-block`,
            /// `chain/pruned`.
            #[wasm_bindgen(js_name = virtualChainFrom)]
            pub fn virtual_chain_from(&self, start: &str, limit: u32) -> Result<String, JsError> {
                let start = crate::questions::hash_arg(start)?;
                let chain = svc_consensus::questions::virtual_chain_from(
                    &self.chain().records,
                    &start,
                    limit as usize,
                );
                Ok(chain.map_err(thrown)?.to_string())
            }

            /// A record in the form that two stores are compared by: in the present layout, lists by arrival sorted,
            /// reachability without its numbers. Undefined where there is none or an empty list. Throws
            /// `engine/bad-call` for a key that is none, `store/corrupt`.
            #[wasm_bindgen(js_name = storedRecord)]
            pub fn stored_record(&self, table: u8, key: &[u8]) -> Result<Option<Vec<u8>>, JsError> {
                svc_consensus::questions::comparable_record::stored_record(
                    &self.chain().records,
                    table,
                    key,
                )
                .map_err(thrown)
            }

            /// Checks one page of a part (formats 3.8) of the store: whether its records agree with each other. An
            /// empty cursor begins. Returns the cursor of the next page, undefined at the end. Throws
            /// `verify/contradiction` naming the record, `store/*` for one that does not decode, `engine/bad-call` for
            /// another part.
            #[wasm_bindgen(js_name = selfCheck)]
            pub fn self_check(
                &self,
                part: u8,
                cursor: &[u8],
                limit: u32,
            ) -> Result<Option<Vec<u8>>, JsError> {
                svc_consensus::questions::self_check::self_check(
                    self.chain(),
                    part,
                    cursor,
                    limit as usize,
                )
                .map_err(thrown)
            }

            /// The keys of a table above `after`, ascending: `{ length u8, key }` repeated, at most `limit` and 1,000.
            /// An empty `after` begins. Throws `engine/bad-call` for bodies, witnesses and scan records.
            #[wasm_bindgen(js_name = storedKeys)]
            pub fn stored_keys(
                &self,
                table: u8,
                after: &[u8],
                limit: u32,
            ) -> Result<Vec<u8>, JsError> {
                svc_consensus::questions::comparable_record::stored_keys(
                    &self.chain().records,
                    table,
                    after,
                    limit as usize,
                )
                .map_err(thrown)
            }
        }
    };
}

pub(crate) use answer;
