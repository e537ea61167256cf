//! JavaScript binding of the checks of evidence (docs/light-client.md): what one untrusted node can show.

pub mod receipt;

use serde_json::json;
use svc_chain::muhash::MuHash;
use svc_chain::profile::Profile;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_consensus::parameters::Parameters;
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::membership::Membership;
use svc_evidence::note::{NoteOpening, prove_note};
use svc_evidence::opening::{Nullifiers, ProvedState as State};
use svc_evidence::payload::{PayloadOpening, prove_payload};
use svc_evidence::tip::ProvedTip as Tip;
use svc_pow::judge_work::WorkNetwork;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::profile;
use crate::questions::hash_arg;
use crate::scanner::wrong_length;
use crate::thrown::{json_text, thrown};

/// Bytes of a product of nullifiers.
const PRODUCT_LEN: usize = 384;

/// Judges evidence of one network, by the floor that the caller knows. What it gives was proved; what was not is thrown, as
/// one error code a fault.
#[wasm_bindgen]
pub struct EvidenceJudge {
    rules: Parameters,
    floor: WorkFloor,
}

/// A state with work above it.
#[wasm_bindgen]
pub struct ProvedTip(pub(crate) Tip);

/// The state after a block of the chain.
#[wasm_bindgen]
pub struct ProvedState(State);

#[wasm_bindgen]
impl EvidenceJudge {
    /// A judge. `floor_bits` are those of a header that was proved before, from which work may fall by a factor of two
    /// `halvings` times; without them the network's own rules are the floor. Throws `profile/*`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        profile_json: &str,
        floor_bits: Option<u32>,
        halvings: u32,
    ) -> Result<EvidenceJudge, JsError> {
        let profile: Profile = profile::read(profile_json)?;
        let floor = match floor_bits {
            Some(bits) => WorkFloor::below(&profile, bits, halvings),
            None => WorkFloor::of_network(&profile),
        };
        let rules = Parameters::new(profile);
        Ok(Self { rules, floor })
    }

    /// The tip that an opening and a run show. Throws `evidence/*`, `header/*`, `coinbase/*`, `shielded/bad-anchor-log`,
    /// `codec/*`.
    pub fn tip(&self, opening: &[u8], run: &[u8]) -> Result<ProvedTip, JsError> {
        let tip = self.judge().tip(opening, run);
        tip.map(ProvedTip).map_err(thrown)
    }

    /// The state after an older block, by the membership of the block above it. Throws as `tip` does.
    pub fn older(
        &self,
        tip: &ProvedTip,
        membership: &[u8],
        opening: &[u8],
    ) -> Result<ProvedState, JsError> {
        let state = self.judge().older(&tip.0, membership, opening);
        state.map(ProvedState).map_err(thrown)
    }

    /// A block in the chain of a tip, as MemberFacts: JSON `{index, block, parent, treeRoot, blueScore}`. Throws
    /// `evidence/*`, `codec/*`.
    pub fn member(&self, tip: &ProvedTip, membership: &[u8]) -> Result<String, JsError> {
        let told = Membership::decode(membership).map_err(thrown)?;
        let proved = self.judge().membership(tip.0.state(), told);
        let proved = proved.map_err(thrown)?;
        let entry = proved.entry();
        json_text(&json!({
            "index": proved.index().to_string(),
            "block": entry.block,
            "parent": entry.parent,
            "treeRoot": entry.tree_root,
            "blueScore": entry.blue_score.to_string(),
        }))
    }
}

impl EvidenceJudge {
    pub(crate) fn judge(&self) -> Judge<'_> {
        Judge {
            network: WorkNetwork {
                profile: &self.rules.profile,
                genesis: &self.rules.genesis_hash,
            },
            floor: self.floor,
        }
    }

    /// Hash of the network's genesis.
    pub(crate) fn genesis(&self) -> &Hash32 {
        &self.rules.genesis_hash
    }
}

#[wasm_bindgen]
impl ProvedTip {
    /// The state.
    pub fn state(&self) -> ProvedState {
        ProvedState(self.0.state().clone())
    }

    /// The work above the state, as WorkFacts: JSON `{base, tip, blocks, work, blocksOfTip, bits, timestamp, daaScore,
    /// blueScore}`. `work` is hexadecimal, `blocksOfTip` the work in blocks of the tip's difficulty, and the last four are
    /// the tip's.
    pub fn work(&self) -> Result<String, JsError> {
        let run = self.0.run();
        let header = run.tip().header();
        json_text(&json!({
            "base": run.base().hash(),
            "tip": run.tip().hash(),
            "blocks": run.blocks().to_string(),
            "work": format!("{:x}", run.work()),
            "blocksOfTip": run.in_blocks_of_tip().to_string(),
            "bits": header.bits,
            "timestamp": header.timestamp_ms.to_string(),
            "daaScore": header.daa_score.to_string(),
            "blueScore": header.blue_score.to_string(),
        }))
    }
}

#[wasm_bindgen]
impl ProvedState {
    /// The parts as StateFacts: JSON `{block, child, treeRoot, nullifierRoot, cumulativeCoinbase, cumulativeFees, logCount, blueScore}`;
    /// `logCount` and `blueScore`, the block's own, are null before the security fork.
    pub fn facts(&self) -> Result<String, JsError> {
        let parts = self.0.parts();
        json_text(&json!({
            "block": self.0.block(),
            "child": self.0.child(),
            "treeRoot": parts.tree_root,
            "nullifierRoot": nullifier_root(&parts.nullifiers),
            "cumulativeCoinbase": parts.cumulative_coinbase.to_string(),
            "cumulativeFees": parts.cumulative_fees.to_string(),
            "logCount": self.0.log().map(|log| log.count().to_string()),
            "blueScore": parts.log.as_ref().map(|log| log.blue_score.to_string()),
        }))
    }

    /// The product of all nullifiers, where the opening had it: 384 bytes.
    #[wasm_bindgen(js_name = nullifierProduct)]
    pub fn nullifier_product(&self) -> Option<Vec<u8>> {
        match &self.0.parts().nullifiers {
            Nullifiers::Product(product) => Some(product.to_bytes().to_vec()),
            Nullifiers::Digest(_) => None,
        }
    }
}

/// A note under a tree root that was proved, as NoteFacts: JSON `{recipient, value, position}`. Throws `evidence/not-in-tree`,
/// `shielded/bad-note`, `shielded/bad-recipient`, `codec/*`, `engine/bad-call`.
#[wasm_bindgen(js_name = checkNoteOpening)]
pub fn check_note_opening(tree_root: &str, note: &[u8]) -> Result<String, JsError> {
    let root: Hash32 = hash_arg(tree_root)?;
    let told = NoteOpening::decode(note).map_err(thrown)?;
    let proved = prove_note(&root, told).map_err(thrown)?;
    json_text(&json!({
        "recipient": hex::encode(&proved.parts().recipient),
        "value": proved.parts().value.to_string(),
        "position": proved.position(),
    }))
}

/// A payment that a chain block accepted, as the scan record of the block has to carry it: id 32, count of actions u16, 788 bytes an
/// action. Throws `evidence/other-header`, `evidence/other-payload`, `header/*`, `shielded/*`, `tx/*`, `codec/*`, `engine/bad-call`.
#[wasm_bindgen(js_name = checkPayload)]
pub fn check_payload(block: &str, evidence: &[u8]) -> Result<Vec<u8>, JsError> {
    let block: Hash32 = hash_arg(block)?;
    let told = PayloadOpening::decode(evidence).map_err(thrown)?;
    let proved = prove_payload(&block, &told).map_err(thrown)?;
    Ok(proved.as_recorded())
}

fn nullifier_root(nullifiers: &Nullifiers) -> Hash32 {
    match nullifiers {
        Nullifiers::Digest(digest) => *digest,
        Nullifiers::Product(product) => product.finalize(),
    }
}

/// Multiplies products of nullifiers (specification shielded 1.4), 384 bytes each, one behind the other; without any it gives
/// that of the empty set. Throws
/// `codec/wrong-length`, `codec/not-canonical`.
#[wasm_bindgen(js_name = multiplyNullifiers)]
pub fn multiply_nullifiers(factors: &[u8]) -> Result<Vec<u8>, JsError> {
    let product = product_of(factors).map_err(thrown)?;
    Ok(product.to_bytes().to_vec())
}

/// The digest of the product of all factors, as a state root covers it: hex. Throws as `multiplyNullifiers` does.
#[wasm_bindgen(js_name = nullifierDigest)]
pub fn nullifier_digest(factors: &[u8]) -> Result<String, JsError> {
    let product = product_of(factors).map_err(thrown)?;
    Ok(product.finalize().to_string())
}

fn product_of(factors: &[u8]) -> Result<MuHash, SvcError> {
    let (factors, rest) = factors.as_chunks::<PRODUCT_LEN>();
    if !rest.is_empty() {
        return Err(wrong_length(
            PRODUCT_LEN * (factors.len() + 1),
            PRODUCT_LEN * factors.len() + rest.len(),
        ));
    }
    let mut product = MuHash::new();
    for factor in factors {
        product.combine(&MuHash::from_bytes(factor)?);
    }
    Ok(product)
}
