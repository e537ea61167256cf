//! JavaScript binding of the sync queries by which nodes find their last common block and fetch blocks from each
//! other, the same for the engine and for a read-only view of its store.

/// Implements the sync queries of docs/formats.md 3, for a type with `rules()` and `state()`.
macro_rules! answer_network {
    ($subject:ty) => {
        #[wasm_bindgen]
        impl $subject {
            /// How far a block has come; `undefined` when it is not known.
            #[wasm_bindgen(js_name = blockStage)]
            pub fn block_stage(&self, hash: &str) -> Result<Option<String>, JsError> {
                let hash = crate::questions::hash_arg(hash)?;
                let stage =
                    svc_consensus::questions::sync_questions::block_stage(self.state(), &hash);
                Ok(stage.map_err(thrown)?.map(str::to_owned))
            }

            /// Block locator of the selected chain: its hashes downwards at doubling distances. Empty text is the
            /// pruning point, or the sink.
            #[wasm_bindgen(js_name = chainLocator)]
            pub fn chain_locator(&self, low: &str, high: &str) -> Result<Vec<u8>, JsError> {
                let low = crate::questions::optional_hash_arg(low)?;
                let high = crate::questions::optional_hash_arg(high)?;
                let hashes = svc_consensus::questions::sync_questions::chain_locator(
                    self.state(),
                    low.as_ref(),
                    high.as_ref(),
                );
                Ok(svc_consensus::records::meta::encode_hashes(
                    &hashes.map_err(thrown)?,
                ))
            }

            /// Block locator of the selected chain of a block: its hashes downwards at doubling distances.
            #[wasm_bindgen(js_name = blockLocator)]
            pub fn block_locator(&self, high: &str, limit: u32) -> Result<Vec<u8>, JsError> {
                let high = crate::questions::hash_arg(high)?;
                let hashes = svc_consensus::questions::sync_questions::block_locator(
                    self.state(),
                    &high,
                    limit as usize,
                );
                Ok(svc_consensus::records::meta::encode_hashes(
                    &hashes.map_err(thrown)?,
                ))
            }

            /// A page of the blocks that are in the past of one block and not in the past of another.
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
                    self.rules(),
                    self.state(),
                    (&low, &high),
                    limit as usize,
                );
                Ok(svc_consensus::records::meta::encode_hashes(
                    &hashes.map_err(thrown)?,
                ))
            }

            /// RawHeaders of such a page.
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
                    self.rules(),
                    self.state(),
                    (&low, &high),
                    limit as usize,
                )
                .map_err(thrown)
            }

            /// A cursor, then blocks without a body in the past of a block. Empty text begins.
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
                    self.rules(),
                    self.state(),
                    (after.as_ref(), &high),
                    limit as usize,
                );
                Ok(page.map_err(thrown)?.to_bytes())
            }

            /// RawHeaders of named blocks.
            #[wasm_bindgen(js_name = headersOf)]
            pub fn headers_of(&self, hashes: &[u8]) -> Result<Vec<u8>, JsError> {
                let hashes = crate::questions::hashes_arg(hashes)?;
                svc_consensus::questions::sync_questions::headers_of(self.state(), &hashes)
                    .map_err(thrown)
            }

            /// RawBlock of named blocks, each behind its length.
            #[wasm_bindgen(js_name = blocksOf)]
            pub fn blocks_of(&self, hashes: &[u8]) -> Result<Vec<u8>, JsError> {
                let hashes = crate::questions::hashes_arg(hashes)?;
                svc_consensus::questions::sync_questions::blocks_of(self.state(), &hashes)
                    .map_err(thrown)
            }

            /// Hashes of the last pruning points, newest first.
            #[wasm_bindgen(js_name = pruningPoints)]
            pub fn pruning_points(&self, count: u32) -> Result<Vec<u8>, JsError> {
                let points = svc_consensus::questions::sync_questions::pruning_points(
                    self.state(),
                    count as usize,
                );
                Ok(svc_consensus::records::meta::encode_hashes(
                    &points.map_err(thrown)?,
                ))
            }

            /// The pruning point that the store began at, and what speaks against it, as BeginningFacts.
            pub fn beginning(&self) -> Result<String, JsError> {
                let facts =
                    svc_consensus::pipeline::beginning::beginning(self.rules(), self.state());
                Ok(facts.map_err(thrown)?.to_string())
            }

            /// How one block is related to another: "same", "chain", "past" or "none".
            pub fn ancestry(&self, ancestor: &str, descendant: &str) -> Result<String, JsError> {
                let ancestor = crate::questions::hash_arg(ancestor)?;
                let descendant = crate::questions::hash_arg(descendant)?;
                let found = svc_consensus::questions::sync_questions::ancestry(
                    self.state(),
                    &ancestor,
                    &descendant,
                );
                Ok(found.map_err(thrown)?.to_owned())
            }
        }
    };
}

pub(crate) use answer_network;
