//! JavaScript binding of our own prover and verifier, in the `prover` build.
//!
//! Several instances share a proof: each has a shard that serves tasks, one of them also the proof that hands
//! them out. The instances share nothing; tasks and results are bytes.

use std::sync::Arc;

use js_sys::Uint8Array;
use svc_chain::profile::Profile;
use svc_circuit::assets::Assets;
use svc_circuit::commitment_tables::{build_coefficient_table, read_coefficient_table};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::MAX_VERIFY_BATCH;
use svc_prove::halo2::arguments::proving_tables::ProvingTables;
use svc_prove::halo2::coordinator::payment_prover::PaymentProof as Proof;
use svc_prove::halo2::coordinator::proving_keys::ProvingKeys as Keys;
use svc_prove::halo2::shard::Shard;
use svc_prove::halo2::wire::wiped::Wiped;
use svc_prove::plan::read_plan;
use svc_shielded::random::system_bytes;
use svc_verify::transactions::{RawTransaction, verify_transactions};
use svc_verify::verifier::Verifier;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::prover::{Payment, bundle_format};
use crate::thrown::{bad_call, thrown};

/// A text that changes with the stored tables, that is with their bases and their form; part of the name they are
/// stored under.
#[wasm_bindgen(js_name = cacheTag)]
pub fn cache_tag() -> String {
    ProvingTables::tag()
}

/// The circuit, read from its description; shards, proofs and verifiers are made of it.
#[wasm_bindgen]
pub struct ProvingKeys(Arc<Keys>);

#[wasm_bindgen]
impl ProvingKeys {
    /// Reads the circuit from `wasm-core/assets/action-circuit.bin`, the one that this build is for. Throws
    /// `prove/assets-damaged` for any other bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(assets: &[u8]) -> Result<Self, JsError> {
        let keys = Assets::decode(assets).and_then(Keys::new).map_err(thrown)?;
        Ok(Self(Arc::new(keys)))
    }

    /// Makes a shard; each thread that proves has one. `cache` is what `cache` of a shard gave in an earlier start.
    /// Without it, or where it is damaged, old or of another build, the first shard of these keys builds the tables
    /// anew, which takes a fraction of a second. Throws `prove/assets-damaged`.
    pub fn shard(&self, cache: Option<Vec<u8>>) -> Result<ProvingShard, JsError> {
        let used_cache = cache.is_some_and(|stored| self.0.take_tables(&stored));
        Ok(ProvingShard {
            shard: self.0.shard().map_err(thrown)?,
            keys: Arc::clone(&self.0),
            used_cache,
        })
    }

    /// Builds the actions of a plan (formats 3.2) and begins their proof over so many shards, 1 to 64. The thread of
    /// the proof draws all its randomness, once. Throws `prove/*`, `shielded/*`, `keys/*`, `profile/*`.
    pub fn proof(&self, plan_json: &str, shards: u32) -> Result<PaymentProof, JsError> {
        let request = read_plan(plan_json).map_err(thrown)?;
        PaymentProof::begun(Proof::begin(&self.0, &request, shards as usize))
    }

    /// Begins a proof of one action that nobody wants, so that the first one wanted finds everything ready; it gives no
    /// payment. Throws `prove/*`, `keys/random-unavailable`.
    pub fn rehearsal(&self, shards: u32) -> Result<PaymentProof, JsError> {
        PaymentProof::begun(Proof::rehearse(&self.0, shards as usize))
    }

    /// Makes a batch verifier. `cache` is what `cache` of one gave in an earlier start. Without it, or where it is
    /// damaged, old or of another build, the table is built anew, which takes a fraction of a second. Throws
    /// `prove/assets-damaged`.
    pub fn verifier(&self, cache: Option<Vec<u8>>) -> Result<BatchVerifier, JsError> {
        let stored = cache.and_then(|bytes| read_coefficient_table(&bytes));
        let used_cache = stored.is_some();
        let (table, cache) = match stored {
            Some(table) => (table, Vec::new()),
            None => {
                let table = build_coefficient_table(self.0.assets());
                let cache = table.to_bytes();
                (table, cache)
            }
        };
        let verifier = Verifier::with_table(self.0.assets(), &table).map_err(thrown)?;
        Ok(BatchVerifier {
            verifier,
            cache,
            used_cache,
        })
    }
}

/// One worker's share of a proof.
#[wasm_bindgen]
pub struct ProvingShard {
    shard: Shard,
    keys: Arc<Keys>,
    used_cache: bool,
}

#[wasm_bindgen]
impl ProvingShard {
    /// Serves the tasks of one message and gives its result as bytes. Throws `codec/*`, `prove/*`, `shielded/*`, and
    /// `internal/unexpected` for tasks out of order; the proof is forgotten then.
    pub fn run(&mut self, task: Vec<u8>) -> Result<Uint8Array, JsError> {
        // The copies that the binding makes are ours to overwrite: they hold the seed, private inputs, columns.
        let answer = self.shard.run(&Wiped::new(task)).map_err(thrown)?;
        Ok(Uint8Array::from(&*answer))
    }

    /// Overwrites what this shard holds of a proof that is given up.
    pub fn forget(&mut self) {
        self.shard.forget();
    }

    /// Whether the stored tables given to `shard` were used; not where the keys had tables already.
    #[wasm_bindgen(js_name = usedCache)]
    pub fn used_cache(&self) -> bool {
        self.used_cache
    }

    /// The tables, to be stored for the next start.
    pub fn cache(&self) -> Vec<u8> {
        self.keys.tables().to_bytes()
    }
}

/// A payment being proved.
#[wasm_bindgen]
pub struct PaymentProof {
    proof: Option<Proof>,
    is_done: bool,
}

impl PaymentProof {
    fn begun(proof: Result<Proof, SvcError>) -> Result<Self, JsError> {
        Ok(Self {
            proof: Some(proof.map_err(thrown)?),
            is_done: false,
        })
    }
}

#[wasm_bindgen]
impl PaymentProof {
    /// Takes the results of the last tasks, in order and none at first, and gives as many tasks for each shard: one for
    /// each, then the next for each, and so on. A shard serves its own in order. Undefined when the proof is made and
    /// was verified. Throws `codec/*`, `prove/*`, `internal/unexpected`, and `engine/bad-call` when the payment was
    /// taken.
    pub fn next(&mut self, results: Vec<Uint8Array>) -> Result<Option<Vec<Uint8Array>>, JsError> {
        let proof = self.proof.as_mut().ok_or_else(|| thrown(gone()))?;
        let results = results.iter().map(|result| Wiped::new(result.to_vec()));
        let tasks = proof.next(&results.collect::<Vec<_>>());
        let tasks = tasks.map_err(thrown)?;
        self.is_done = tasks.is_none();
        Ok(tasks.map(|tasks| {
            let copies = tasks.iter().map(|task| Uint8Array::from(&**task));
            copies.collect()
        }))
    }

    /// Tells the proof that one more of the last tasks was served.
    pub fn served(&mut self) {
        if let Some(proof) = &mut self.proof {
            proof.answered();
        }
    }

    /// Whether any shard may serve those of the last tasks that are not a shard's first.
    pub fn movable(&self) -> bool {
        self.proof.as_ref().is_some_and(Proof::is_movable)
    }

    /// The name of the phase that the last tasks belong to; empty when the payment was taken.
    pub fn phase(&self) -> String {
        let phase = self.proof.as_ref().map_or("", Proof::phase);
        phase.to_owned()
    }

    /// How much of the proof is done, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.proof.as_ref().map_or(1.0, Proof::fraction)
    }

    /// The proved payment, once. Throws `prove/failed` before it is made and for a rehearsal, `engine/bad-call` when it
    /// was taken.
    pub fn payment(&mut self) -> Result<Payment, JsError> {
        if !self.is_done {
            let reason = "the proof is not made yet";
            return Err(thrown(
                SvcError::new(Code::ProveFailed).with("reason", reason),
            ));
        }
        let proof = self.proof.take().ok_or_else(|| thrown(gone()))?;
        Ok(Payment::from(proof.finish().map_err(thrown)?))
    }
}

fn gone() -> SvcError {
    bad_call("the payment was taken")
}

/// Verifies many payments together.
#[wasm_bindgen]
pub struct BatchVerifier {
    verifier: Verifier,
    cache: Vec<u8>,
    used_cache: bool,
}

#[wasm_bindgen]
impl BatchVerifier {
    /// Verifies RawTransactions together as far as their bytes decide, at most 256, each read in the bundle form of its
    /// byte in `formats`: 0 plain, 1 with a named anchor block. Returns a JSON array of one text for each: empty for a
    /// valid payment, else the JSON of its error. Throws `engine/bad-call` for more, another form or another number of
    /// forms, `profile/*`, `keys/random-unavailable`.
    #[wasm_bindgen(js_name = verifyTransactions)]
    pub fn verify_transactions(
        &self,
        profile_json: &str,
        raw_txs: Vec<Uint8Array>,
        formats: &[u8],
    ) -> Result<String, JsError> {
        let profile = Profile::from_json(profile_json).map_err(thrown)?;
        if raw_txs.len() != formats.len() || raw_txs.len() > MAX_VERIFY_BATCH {
            return Err(thrown(bad_call(
                "one form per payment, and no more than a batch",
            )));
        }
        let raws: Vec<Vec<u8>> = raw_txs.iter().map(Uint8Array::to_vec).collect();
        let transactions = raws
            .iter()
            .zip(formats)
            .map(|(raw, format)| {
                Ok(RawTransaction {
                    raw,
                    format: bundle_format(u32::from(*format))?,
                })
            })
            .collect::<Result<Vec<_>, SvcError>>()
            .map_err(thrown)?;
        // The weights of the sum that all proofs are checked in: whoever knew them could make wrong proofs cancel.
        let seed = system_bytes().map_err(thrown)?;
        let verdicts = verify_transactions(&self.verifier, &profile, &transactions, seed.expose());
        let texts: Vec<String> = verdicts
            .into_iter()
            .map(|verdict| {
                verdict
                    .err()
                    .map_or_else(String::new, |error| error.to_json())
            })
            .collect();
        serde_json::to_string(&texts).map_err(|error| thrown(bad_call(error)))
    }

    /// Whether the stored table given to `verifier` was used.
    #[wasm_bindgen(js_name = usedCache)]
    pub fn used_cache(&self) -> bool {
        self.used_cache
    }

    /// The table, to be stored for the next start, once: then it is let go. Empty when a stored one was used.
    pub fn cache(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.cache)
    }
}
