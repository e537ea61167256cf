//! JavaScript binding of the reader: a read-only view of an engine's store, for threads that answer queries.

use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_consensus::records::chain::Chain;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::questions::answer;
use crate::store::HostStore;
use crate::sync_questions::answer_network;
use crate::thrown::thrown;

/// Answers the engine's questions from its last commit.
#[wasm_bindgen]
pub struct Reader {
    chain: Chain<HostStore>,
}

#[wasm_bindgen]
impl Reader {
    /// Opens a store (formats 3.4) that an engine has written, to answer questions from its last commit; writes
    /// nothing. Throws `profile/*`, `store/profile-mismatch`, `store/missing`.
    #[wasm_bindgen(constructor)]
    pub fn new(store: HostStore, profile_json: &str) -> Result<Reader, JsError> {
        let profile = Profile::from_json(profile_json).map_err(thrown)?;
        let chain = Chain::new(store, profile);
        let stored = chain
            .records
            .find_meta(svc_consensus::records::meta::PROFILE_DIGEST)
            .map_err(thrown)?;
        let expected = chain.rules.profile.digest();
        match stored {
            Some(digest) if digest == expected.as_bytes() => Ok(Self { chain }),
            Some(digest) => Err(thrown(
                SvcError::new(Code::StoreProfileMismatch)
                    .with("expected", expected)
                    .with("found", svc_codec::hex::encode(&digest)),
            )),
            None => Err(thrown(
                SvcError::new(Code::StoreMissing).with("table", "profile"),
            )),
        }
    }
}

impl Reader {
    /// Records may have changed since the last question, so nothing decoded is kept between two.
    pub(crate) fn chain(&self) -> &Chain<HostStore> {
        self.chain.records.clear_caches();
        &self.chain
    }
}

answer!(Reader);
answer_network!(Reader);
