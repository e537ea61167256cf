//! Pruning proofs (specification consensus 7.10): headers that show how much work lies below a pruning point, without
//! the chain itself. A proof is a value here; nothing of it is stored.

use std::cell::OnceCell;
use std::rc::Rc;

use svc_chain::header::Header;
use svc_codec::hash32::Hash32;

pub mod build;
pub mod codec;
pub mod compare;
pub mod repeated_work;
pub mod stored_proof;
pub mod validate;

/// A header of a proof with the merge-mining witness that proves its work, if it needs one.
#[derive(Clone, Debug)]
pub struct ProofHeader {
    header: Header,
    witness: Option<Vec<u8>>,
    /// The id is a hash over all levels of parents and asked for once per level of the proof.
    hash: OnceCell<Hash32>,
}

impl ProofHeader {
    /// Joins a header and its witness (borsh, as it came).
    pub fn new(header: Header, witness: Option<Vec<u8>>) -> Self {
        Self {
            header,
            witness,
            hash: OnceCell::new(),
        }
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The witness.
    pub fn witness(&self) -> Option<&[u8]> {
        self.witness.as_deref()
    }

    /// The block id.
    pub fn hash(&self) -> Hash32 {
        *self.hash.get_or_init(|| self.header.hash())
    }
}

impl PartialEq for ProofHeader {
    fn eq(&self, other: &Self) -> bool {
        self.header == other.header && self.witness == other.witness
    }
}

impl Eq for ProofHeader {}

/// The headers of every level, level 0 first. Each level is ascending by claimed blue work, then hash; the last header
/// of level 0 is the pruning point. Levels share what they have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Headers of blocks that reach the level.
    pub levels: Vec<Vec<Rc<ProofHeader>>>,
}

impl Proof {
    /// Headers over all levels, a header of several levels counted at each.
    pub fn header_count(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }
}
