//! Proof-of-work check: whether the work behind a header suffices, and the block level it reaches, mined on the
//! header itself, or on a block of the parent network that commits to it (specification consensus 5.3, 6).

use svc_chain::bits::target_from_bits;
use svc_chain::header::Header;
use svc_chain::merge_commitment::{MergeForm, find_commitment, nonce_for};
use svc_chain::profile::Profile;
use svc_chain::uint256::U256;
use svc_chain::witness::Witness;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::heavy_hash::{block_level, check_pow};

/// Network by which work is judged: its numbers, and its genesis, which bound merged mining names.
#[derive(Clone, Copy, Debug)]
pub struct WorkNetwork<'a> {
    /// Names and numbers of the network.
    pub profile: &'a Profile,
    /// Hash of its genesis.
    pub genesis: &'a Hash32,
}

/// Work that suffices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedWork {
    /// Level of the block.
    pub level: u8,
    /// Hash of the parent network's header that did the work, where the witness was needed. That header may be a block of this network
    /// too: then one solution stands for both.
    pub solved_by: Option<Hash32>,
}

impl AcceptedWork {
    /// Whether the witness was needed; if not, it says nothing about the block and is forgotten.
    pub fn by_witness(&self) -> bool {
        self.solved_by.is_some()
    }
}

/// Judges native work first, so that no witness can harm a natively mined block. `witness` is borsh as it
/// came. The form of merged mining follows the score the header claims, which later stages force to be true.
///
/// # Errors
/// `header/invalid-pow` with the native value and, under `witness`, why the witness does not help. It may
/// not be remembered against the id when there was a witness, since the id does not cover it.
pub fn judge_work(
    network: &WorkNetwork<'_>,
    header: &Header,
    witness: Option<&[u8]>,
) -> Result<AcceptedWork, SvcError> {
    let (value, meets_bits) = check_pow(header);
    let (value, solved_by) = if meets_bits || network.profile.skip_proof_of_work {
        (value, None)
    } else {
        match merged_work(network, header, witness) {
            Ok((merged, parent)) => (merged, Some(parent)),
            Err(fault) => {
                let target = target_from_bits(header.bits);
                return Err(SvcError::new(Code::HeaderInvalidPow)
                    .with("value", format!("{value:064x}"))
                    .with("target", format!("{target:064x}"))
                    .with("witness", fault));
            }
        }
    };
    Ok(AcceptedWork {
        level: block_level(network.profile.max_block_level, value),
        solved_by,
    })
}

/// The value and the hash of the parent header behind a witness that holds, or what is wrong with it. The second matrix
/// comes last.
fn merged_work(
    network: &WorkNetwork<'_>,
    header: &Header,
    witness: Option<&[u8]>,
) -> Result<(U256, Hash32), &'static str> {
    let bytes = witness.ok_or("none")?;
    let form = MergeForm::at(network.profile, header.daa_score).ok_or("not active")?;
    let witness = Witness::from_bytes(bytes).map_err(|_| "undecodable")?;
    match form {
        MergeForm::Id => {}
        MergeForm::Bound => check_bound(network.profile, header, &witness)?,
    }
    let found = find_commitment(&witness.coinbase.payload, form.tag(network.profile));
    if found != Some(form.digest(network.profile, network.genesis, header)) {
        return Err("commitment");
    }
    if !witness.branch_holds() {
        return Err("branch");
    }
    let (value, _) = check_pow(&witness.parent);
    if value > target_from_bits(header.bits) {
        return Err("work");
    }
    Ok((value, witness.parent.hash()))
}

/// What form 1 asks for beyond form 0: one witness per block, and no solution for two blocks.
fn check_bound(profile: &Profile, header: &Header, witness: &Witness) -> Result<(), &'static str> {
    if witness.nesting > 0 {
        return Err("nested");
    }
    if header.nonce != nonce_for(&witness.parent.hash()) {
        return Err("nonce");
    }
    let old = MergeForm::Id.tag(profile);
    if find_commitment(&witness.coinbase.payload, old).is_some() {
        return Err("two forms");
    }
    Ok(())
}
