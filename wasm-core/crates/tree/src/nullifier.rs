//! Nullifier derivation for many own notes at once (specification shielded 1.3).

use ff::PrimeField;
use halo2_poseidon::{ConstantLength, Hash, P128Pow5T3};
use pasta_curves::pallas;
use svc_codec::hash32::Hash32;
use svc_kernels::hash::sinsemilla::{FixedBase, Messages};

use crate::note_commitment::{commitment_points, extract};
use crate::note_fields::NoteFields;
use crate::tables::{LOW, NULLIFIER_BASE, words};

/// A leaf of the tree and what will mark it spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnLeaf {
    /// Extracted commitment of the note.
    pub cmx: Hash32,
    /// Its nullifier.
    pub nullifier: Hash32,
}

/// Commitments and nullifiers of notes in order; none if the nullifier key is not canonical.
///
/// The nullifier is the x of the commitment plus (Poseidon(nk, rho) + psi) times a fixed base.
pub fn own_leaves(nullifier_key: &[u8; 32], notes: &[NoteFields]) -> Option<Vec<OwnLeaf>> {
    let key = field(nullifier_key)?;
    let scalars = notes.iter().map(|note| {
        let hash =
            Hash::<_, P128Pow5T3, ConstantLength<2>, 3, 2>::init().hash([key, field(&note.rho)?]);
        // An element of the base field is smaller than the group order, so it is a scalar as it is.
        let mut scalar = (hash + field(&note.psi)?).to_repr();
        let digits = FixedBase::digits(&words(&scalar));
        scalar.fill(0);
        core::hint::black_box(&mut scalar);
        Some(digits)
    });
    let mut digits = scalars.collect::<Option<Vec<_>>>()?;
    let commitments = commitment_points(notes);
    let messages = Messages {
        generators: [&*LOW, &*LOW],
        length: 0,
        tail: 0,
        chunks: &[],
        starts: &commitments.iter().collect::<Vec<_>>(),
        blinding: Some((&NULLIFIER_BASE, &digits)),
    };
    let nullifiers = messages.hash();
    digits.fill([0; 32]);
    core::hint::black_box(&mut digits);
    let leaves = commitments.iter().zip(&nullifiers);
    Some(
        leaves
            .map(|(commitment, nullifier)| OwnLeaf {
                cmx: extract(commitment),
                nullifier: extract(nullifier),
            })
            .collect(),
    )
}

fn field(bytes: &[u8; 32]) -> Option<pallas::Base> {
    pallas::Base::from_repr(*bytes).into_option()
}
