//! Trusted import: starts a store from a pruning point instead of genesis (specification consensus 7.10, 12, 13.3;
//! shielded 15; decision record 17).
//!
//! All of it happens in a staging store that held nothing but genesis. Headers come first and are bound to each other
//! by their hashes; the state at the pruning point is believed when the body of the pruning point's selected child
//! commits to it. An import lives in memory between its calls: after a kill the staging store is thrown away.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::records::{GhostdagData, HeaderRecord};

use crate::proof::Proof;
use crate::proof::validate::{ProofCheck, ProofView};

mod binding;
mod bodies;
mod chain;
pub mod contest;
mod finish;
pub mod importing;
mod judge;
pub mod lanes;
mod link;
mod older;
mod points;
mod state;
pub mod state_claim;
pub mod trusted;
mod work;

/// A header at or below the pruning point, or beside it.
struct Entry {
    record: Rc<HeaderRecord>,
    /// Only when it was needed.
    witness: Option<Vec<u8>>,
    ghostdag: Option<GhostdagData>,
}

/// How far an import has come.
enum Phase {
    /// The proof is being judged; the rest of it is kept to take its headers over.
    Proof(Proof, Box<ProofCheck>),
    /// The list of pruning points is next.
    Points,
    /// Headers of the window and of the chain below are being collected.
    Collect,
    /// They become a graph; the order and the number of those done.
    Link(Vec<Hash32>, usize),
    /// Those with GHOSTDAG data that matter above are judged; so many are done.
    Judge(Vec<Hash32>, usize),
    /// Bodies of these blocks are missing.
    Bodies(BTreeSet<Hash32>),
    /// Blocks above the pruning point are taken in; state is claimed and bound.
    Open,
}

/// An import under way.
pub struct Import {
    phase: Phase,
    /// What the proof shows, once it is judged.
    view: Option<Rc<ProofView>>,
    /// Its comparison with that of the chain in use.
    contest: Option<contest::Contest>,
    point: Hash32,
    entries: HashMap<Hash32, Entry>,
    /// The first header of every level of the proof.
    roots: Vec<Hash32>,
    /// Pruning points without the present one with their blue scores, which grow: genesis first.
    past_points: Vec<(u64, Hash32)>,
    /// Bytes that pages of trusted headers took, about.
    weight: usize,
    /// The pruning point and the blocks beside it, ascending.
    bodied: Vec<Hash32>,
    /// The block the sequencing commitment of the pruning point went back to.
    shortcut: Hash32,
    /// The selected child and the state root that it commits to.
    bound: Option<(Hash32, Hash32)>,
    lanes: Option<lanes::LaneImport>,
    state: Option<state::StateImport>,
    /// How much of the chain above the pruning point has been looked at.
    walk: Option<chain::Walk>,
}

/// An error about a block.
fn about(code: Code, hash: &Hash32) -> SvcError {
    SvcError::new(code).with("hash", hash)
}

/// `import/wrong-header`.
fn wrong_header(hash: &Hash32, reason: &'static str) -> SvcError {
    SvcError::new(Code::ImportWrongHeader)
        .with("hash", hash)
        .with("reason", reason)
}

/// `import/out-of-order` naming the call.
fn out_of_order(call: &'static str) -> SvcError {
    SvcError::new(Code::ImportOutOfOrder).with("call", call)
}

/// Turns what the trusted data lacks into a refusal of them: it is no failure of ours.
fn incomplete(hash: &Hash32, error: SvcError) -> SvcError {
    if error.code != Code::StoreMissing {
        return error;
    }
    let field = |name: &str| {
        let mut named = error.data.iter().filter(|(key, _)| *key == name);
        named
            .next()
            .map_or_else(String::new, |(_, value)| value.clone())
    };
    SvcError::new(Code::ImportIncomplete)
        .with("hash", hash)
        .with("table", field("table"))
        .with("key", field("key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_trusted_data_lacks_is_named() {
        let missing = SvcError::new(Code::StoreMissing);
        let missing = missing.with("table", "headers").with("key", "ab");
        let refused = incomplete(&Hash32::ZERO, missing);
        let hash = Hash32::ZERO;
        assert_eq!(
            refused.to_string(),
            format!("import/incomplete hash={hash} table=headers key=ab")
        );
        let other = incomplete(&hash, about(Code::ImportWrongChild, &hash));
        assert_eq!(other.code, Code::ImportWrongChild);
    }
}
