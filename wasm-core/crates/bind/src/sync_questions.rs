//! JavaScript binding of the sync queries by which nodes find their last common block and fetch blocks from each
//! other, the same for the engine and for a read-only view of its store.

/// Implements the sync queries of docs/formats.md 3, for a type with `chain()`.
macro_rules! answer_network {
    ($subject:ty) => {
        #[wasm_bindgen]
        impl $subject {
            /// How far a block has come: a status of BlockFacts (formats 3.10), `pruned`, or undefined when it is not
            /// known. It is cheap.
            #[wasm_bindgen(js_name = blockStage)]
            pub fn block_stage(&self, hash: &str) -> Result<Option<String>, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                let stage = svc_consensus::questions::sync_questions::block_stage(
                    &self.chain().records,
                    &hash,
                );
                Ok(stage.map_err(thrown)?.map(str::to_owned))
            }

            /// Block locator of the selected chain: its hashes from `high` (empty text: the sink) down to `low` (empty
            /// text: the pruning point), the distance by chain index doubling, at most 64. Empty when one of them is
            /// not on the selected chain, or `low` is above `high`.
            #[wasm_bindgen(js_name = chainLocator)]
            pub fn chain_locator(&self, low: &str, high: &str) -> Result<Vec<u8>, JsError> {
                let low = crate::questions::optional_hash_arg(low)?;
                let high = crate::questions::optional_hash_arg(high)?;
                let hashes = svc_consensus::questions::sync_questions::chain_locator(
                    &self.chain().records,
                    low.as_ref(),
                    high.as_ref(),
                );
                Ok(svc_consensus::records::meta::encode_hashes(
                    &hashes.map_err(thrown)?,
                ))
            }

            /// Block locator of any block in the graph: hashes of its own selected chain down to the pruning point, the
            /// distance by blue score doubling, at most `limit` and 64. Throws `chain/unknown-block`, and
            /// `chain/pruned` also for a chain without the pruning point.
            #[wasm_bindgen(js_name = blockLocator)]
            pub fn block_locator(&self, high: &str, limit: u32) -> Result<Vec<u8>, JsError> {
                let high = crate::questions::hash_arg(high)?;
                let hashes = svc_consensus::questions::sync_questions::block_locator(
                    &self.chain().records,
                    &high,
                    limit as usize,
                );
                Ok(svc_consensus::records::meta::encode_hashes(
                    &hashes.map_err(thrown)?,
                ))
            }

            /// A page of the hashes of what `high`, with it, has in its past and `low` has not, parents first. The last
            /// one is the `low` of the next page, and an empty page means no more. A page looks at `limit` blocks: one
            /// mergeset at least, 2,048 at most. For a `low` off the chain of `high`, pages behind the first may hold
            /// blocks of its past. Throws `chain/unknown-block`, `chain/pruned`.
            #[wasm_bindgen(js_name = hashesBetween)]
            pub fn hashes_between(
                &self,
                low: &str,
                high: &str,
                limit: u32,
            ) -> Result<Vec<u8>, JsError> {
                let low = crate::questions::hash_arg(low)?;
                let high = crate::questions::hash_arg(high)?;
                let hashes = svc_consensus::questions::past_pages::hashes_between(
                    self.chain(),
                    &low,
                    &high,
                    limit as usize,
                );
                Ok(svc_consensus::records::meta::encode_hashes(
                    &hashes.map_err(thrown)?,
                ))
            }

            /// The RawHeaders of a page of `hashesBetween`, which ends earlier at 8 MiB. The last one is the `low` of
            /// the next page. A page has up to 2,048 headers, of which `insertHeaders` takes 128 at a time. Throws
            /// `chain/unknown-block`, `chain/pruned`.
            #[wasm_bindgen(js_name = headersBetween)]
            pub fn headers_between(
                &self,
                low: &str,
                high: &str,
                limit: u32,
            ) -> Result<Vec<u8>, JsError> {
                let low = crate::questions::hash_arg(low)?;
                let high = crate::questions::hash_arg(high)?;
                svc_consensus::questions::past_pages::headers_between(
                    self.chain(),
                    &low,
                    &high,
                    limit as usize,
                )
                .map_err(thrown)
            }

            /// A page of the blocks in the past of `high`, with it, that have no body: a cursor of 32 bytes, then
            /// hashes, parents first. Begins with an empty `after` and goes on with the cursor until that is `high`.
            /// Looks at as many blocks as `hashesBetween` and may hold no hashes. Throws `chain/unknown-block`, and
            /// `chain/pruned` also for a chain without the pruning point.
            #[wasm_bindgen(js_name = bodiesMissing)]
            pub fn bodies_missing(
                &self,
                after: &str,
                high: &str,
                limit: u32,
            ) -> Result<Vec<u8>, JsError> {
                let after = crate::questions::optional_hash_arg(after)?;
                let high = crate::questions::hash_arg(high)?;
                let page = svc_consensus::questions::past_pages::bodies_missing(
                    self.chain(),
                    after.as_ref(),
                    &high,
                    limit as usize,
                );
                Ok(page.map_err(thrown)?.to_bytes())
            }

            /// The RawHeaders of stored headers, by their hashes and in their order: at most 2,048, fewer when 8 MiB
            /// are reached. Throws `codec/count-too-large` for more, `chain/unknown-block`, `chain/pruned`.
            #[wasm_bindgen(js_name = headersOf)]
            pub fn headers_of(&self, hashes: &[u8]) -> Result<Vec<u8>, JsError> {
                let hashes = crate::questions::hashes_arg(hashes)?;
                svc_consensus::questions::sync_questions::headers_of(&self.chain().records, &hashes)
                    .map_err(thrown)
            }

            /// The blocks of the given hashes, in their order: `{ len u32, RawBlock }` repeated, at most 128, fewer
            /// when 8 MiB are reached. Throws `codec/count-too-large` for more, `chain/unknown-block` also for a block
            /// without a body, `chain/pruned`.
            #[wasm_bindgen(js_name = blocksOf)]
            pub fn blocks_of(&self, hashes: &[u8]) -> Result<Vec<u8>, JsError> {
                let hashes = crate::questions::hashes_arg(hashes)?;
                svc_consensus::questions::sync_questions::blocks_of(&self.chain().records, &hashes)
                    .map_err(thrown)
            }

            /// The hashes of the last pruning points, the present one first, at most `count` and 16.
            #[wasm_bindgen(js_name = pruningPoints)]
            pub fn pruning_points(&self, count: u32) -> Result<Vec<u8>, JsError> {
                let points = svc_consensus::questions::sync_questions::pruning_points(
                    &self.chain().records,
                    count as usize,
                );
                Ok(svc_consensus::records::meta::encode_hashes(
                    &points.map_err(thrown)?,
                ))
            }

            /// The pruning point that the store began at, and what speaks against it, as BeginningFacts (formats 3.10).
            /// Throws `engine/not-imported`.
            pub fn beginning(&self) -> Result<String, JsError> {
                let facts = svc_consensus::pipeline::beginning::beginning(self.chain());
                Ok(facts.map_err(thrown)?.to_string())
            }

            /// How one block is related to another: `same`, `chain` when it is on the selected chain of the other,
            /// `past` when it is elsewhere in its past, or `none`. Throws `chain/unknown-block`, `chain/pruned`.
            pub fn ancestry(&self, ancestor: &str, descendant: &str) -> Result<String, JsError> {
                let ancestor = crate::questions::hash_arg(ancestor)?;
                let descendant = crate::questions::hash_arg(descendant)?;
                let found = svc_consensus::questions::sync_questions::ancestry(
                    &self.chain().records,
                    &ancestor,
                    &descendant,
                );
                Ok(found.map_err(thrown)?.to_owned())
            }
        }
    };
}

pub(crate) use answer_network;
