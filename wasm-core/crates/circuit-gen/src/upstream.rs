//! Upstream's circuit, its commitment parameters and its verifying key.

use ff::PrimeField;
use halo2_proofs::plonk::{self, VerifyingKey};
use halo2_proofs::poly::commitment::Params;
use orchard::Note;
use orchard::builder::SpendInfo;
use orchard::circuit::{Circuit, OrchardCircuitVersion};
use orchard::keys::{FullViewingKey, Scope, SpendingKey};
use orchard::note::{NoteVersion, RandomSeed, Rho};
use orchard::tree::{MerkleHashOrchard, MerklePath};
use orchard::value::{NoteValue, ValueCommitTrapdoor};
use pasta_curves::{pallas, vesta};
use svc_circuit::shape::LOG_ROWS;

use crate::gen_error::GenError;

/// The one circuit that is generated.
pub const VERSION: OrchardCircuitVersion = OrchardCircuitVersion::FixedPostNu6_2;

/// Upstream's view of the circuit.
#[derive(Debug)]
pub struct Upstream {
    /// The circuit without a witness.
    pub circuit: Circuit,
    /// The commitment parameters.
    pub params: Params<vesta::Affine>,
    /// The verifying key.
    pub key: VerifyingKey<vesta::Affine>,
}

impl Upstream {
    /// Builds parameters and key; takes seconds.
    ///
    /// # Errors
    /// When upstream refuses.
    pub fn build() -> Result<Self, GenError> {
        Self::build_version(VERSION)
    }

    /// As [`Upstream::build`], of any version: tests hold the one that is generated against the others.
    ///
    /// # Errors
    /// When upstream refuses.
    pub fn build_version(version: OrchardCircuitVersion) -> Result<Self, GenError> {
        let circuit = empty_circuit(version)?;
        let params = Params::new(LOG_ROWS as u32);
        let key = plonk::keygen_vk(&params, &circuit)
            .map_err(|error| GenError::new(format!("{error:?}")))?;
        Ok(Self {
            circuit,
            params,
            key,
        })
    }

    /// The text that stands for the key.
    pub fn pinned_text(&self) -> String {
        format!("{:?}", self.key.pinned())
    }
}

/// The circuit without a witness. Upstream makes one only from a full context, so this invents a note spent
/// and a note made and then forgets them.
fn empty_circuit(version: OrchardCircuitVersion) -> Result<Circuit, GenError> {
    let missing = || GenError::new("upstream refused an invented value");
    let key = Option::<SpendingKey>::from(SpendingKey::from_bytes([7; 32])).ok_or_else(missing)?;
    let viewing = FullViewingKey::from(&key);
    let address = viewing.address_at(0u32, Scope::External);
    let note = |rho: [u8; 32]| -> Option<Note> {
        let rho = Option::from(Rho::from_bytes(&rho))?;
        let seed = Option::from(RandomSeed::from_bytes([9; 32], &rho))?;
        Option::from(Note::from_parts(
            address,
            NoteValue::from_raw(0),
            rho,
            seed,
            NoteVersion::V2,
        ))
    };
    let spent = note([1; 32]).ok_or_else(missing)?;
    let made = note(spent.nullifier(&viewing).to_bytes()).ok_or_else(missing)?;
    let node = Option::<MerkleHashOrchard>::from(MerkleHashOrchard::from_bytes(&[2; 32]))
        .ok_or_else(missing)?;
    let path = MerklePath::from_parts(0, [node; 32]);
    let spend = SpendInfo::new(viewing, spent, path).ok_or_else(missing)?;
    let blind = Option::<ValueCommitTrapdoor>::from(ValueCommitTrapdoor::from_bytes([0; 32]))
        .ok_or_else(missing)?;
    let circuit = Circuit::from_action_context(
        spend,
        made,
        pallas::Scalar::MULTIPLICATIVE_GENERATOR,
        blind,
        version,
    )
    .ok_or_else(missing)?;
    Ok(plonk::Circuit::without_witnesses(&circuit))
}
