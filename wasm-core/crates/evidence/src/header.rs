//! One header whose work was recomputed (specification consensus 3 to 6).

use svc_chain::bits::{target_from_bits, work_from_bits};
use svc_chain::header::Header;
use svc_chain::header::raw::ReadHeader;
use svc_chain::profile::Profile;
use svc_chain::uint256::U256;
use svc_chain::witness::Witness;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_pow::judge_work::{WorkNetwork, judge_work};

use crate::wire::not_canonical;

/// The easiest target that a header may have. It comes from a checkpoint of the release and from what was proved before,
/// never from the node that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkFloor {
    easiest: U256,
}

impl WorkFloor {
    /// The easiest target of the network: no floor beyond its own rules.
    pub fn of_network(profile: &Profile) -> Self {
        Self {
            easiest: target_from_bits(profile.max_difficulty_target_bits),
        }
    }

    /// A floor below a header that was proved: work may fall by a factor of `2^halvings` from there, and never below what
    /// the network allows.
    pub fn below(profile: &Profile, bits: u32, halvings: u32) -> Self {
        let network = Self::of_network(profile).easiest;
        let proved = target_from_bits(bits);
        let has_room = proved.leading_zeros() >= halvings;
        let eased = if has_room {
            proved << halvings
        } else {
            network
        };
        Self {
            easiest: eased.min(network),
        }
    }

    /// Refuses bits that are easier. Error: `evidence/too-easy`.
    pub fn check(&self, bits: u32) -> Result<(), SvcError> {
        if target_from_bits(bits) <= self.easiest {
            return Ok(());
        }
        Err(SvcError::new(Code::EvidenceTooEasy)
            .with("bits", format!("{bits:08x}"))
            .with("floor", format!("{:064x}", self.easiest)))
    }
}

/// Judge of evidence: every check of this crate is a method of it.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    /// The network.
    pub network: WorkNetwork<'a>,
    /// The easiest work that counts.
    pub floor: WorkFloor,
}

/// A header that stands for its chain: its work holds, or it was shown to be a member. Only checks make one.
#[derive(Clone, Debug)]
pub struct ProvedHeader {
    hash: Hash32,
    header: Header,
    level: u8,
    solution: Hash32,
}

impl ProvedHeader {
    /// A header that a proved log names. Its level is not asked for.
    pub(crate) fn of_member(header: Header) -> Self {
        let hash = header.hash();
        Self {
            hash,
            header,
            level: 0,
            solution: hash,
        }
    }

    /// The block id.
    pub fn hash(&self) -> Hash32 {
        self.hash
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The selected parent, if the block stands on a chain: chain blocks name it first (specification consensus 8.2).
    ///
    /// # Errors
    /// `evidence/no-parent` for genesis.
    pub fn selected_parent(&self) -> Result<Hash32, SvcError> {
        let first = self.header.direct_parents().first().copied();
        first.ok_or_else(|| SvcError::new(Code::EvidenceNoParent).with("hash", self.hash))
    }

    /// The block level that its work reaches.
    pub fn level(&self) -> u8 {
        self.level
    }

    /// Hash of the header that the work was done on: its own, or that of the parent network's in its witness. Headers with one solution
    /// were mined once.
    pub fn solution(&self) -> Hash32 {
        self.solution
    }

    /// Hashes that a block of its bits takes on average.
    pub fn work(&self) -> U256 {
        work_from_bits(self.header.bits)
    }
}

impl Judge<'_> {
    /// Judges the work behind a header; genesis is known and needs none. One header has one form: a witness stands there only where it is needed, and
    /// without the fields that no reader believes, so that nobody can change a byte and keep the meaning.
    ///
    /// # Errors
    /// `evidence/too-easy`, `header/invalid-pow`, `codec/not-canonical`.
    pub fn header(&self, (header, witness): ReadHeader) -> Result<ProvedHeader, SvcError> {
        let hash = header.hash();
        if hash == *self.network.genesis && witness.is_none() {
            let level = self.network.profile.max_block_level;
            return Ok(ProvedHeader {
                hash,
                header,
                level,
                solution: hash,
            });
        }
        self.floor.check(header.bits)?;
        let accepted = judge_work(&self.network, &header, witness.as_deref())?;
        match &witness {
            Some(_) if !accepted.by_witness() => return Err(not_canonical("needless witness")),
            Some(bytes) if Witness::from_bytes(bytes)?.to_bytes() != *bytes => {
                return Err(not_canonical("witness"));
            }
            _ => {}
        }
        Ok(ProvedHeader {
            hash,
            header,
            level: accepted.level,
            solution: accepted.solved_by.unwrap_or(hash),
        })
    }

    /// Whether the network asks for work at all. Where it does not, a header proves nothing.
    pub fn asks_for_work(&self) -> bool {
        !self.network.profile.skip_proof_of_work
    }
}
