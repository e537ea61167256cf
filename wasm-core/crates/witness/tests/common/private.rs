//! The private inputs of a sample, derived by hand.

use ff::{FromUniformBytes, PrimeField};
use orchard::Note;
use pasta_curves::pallas;
use svc_kernels::curve::Affine;
use svc_tree::note_fields::{NoteFields, diversified_base};
use svc_witness::inputs::{Inputs, NoteInputs};
use svc_witness::sheet::{Fp, Fq};

use super::samples::Sample;

/// All of them.
pub fn inputs(sample: &Sample) -> Inputs {
    let key = sample.fvk.to_bytes();
    let part = |index: usize| -> [u8; 32] { key[32 * index..][..32].try_into().unwrap() };
    Inputs {
        spent: note(&sample.spent),
        rho: Fp::from_bytes(&sample.spent.rho().to_bytes()).unwrap(),
        position: sample.position,
        path: sample
            .path
            .map(|node| Fp::from_bytes(&node.to_bytes()).unwrap()),
        ak: Affine::from_bytes(&part(0)).unwrap(),
        nk: Fp::from_bytes(&part(1)).unwrap(),
        rivk: [Fq::from_bytes(&part(2)).unwrap(), internal_rivk(&key)],
        alpha: Fq::from_bytes(&sample.alpha.to_repr()).unwrap(),
        rcv: Fq::from_bytes(&sample.rcv.to_bytes()).unwrap(),
        created: note(&sample.made),
    }
}

fn note(note: &Note) -> NoteInputs {
    let address = note.recipient().to_raw_address_bytes();
    let g_d = diversified_base(&address[..11].try_into().unwrap());
    let pk_d: [u8; 32] = address[11..].try_into().unwrap();
    let (value, rho) = (note.value().inner(), note.rho().to_bytes());
    let fields = NoteFields::new(g_d, pk_d, value, rho, note.rseed().as_bytes());
    NoteInputs {
        g_d: Affine::from_bytes(&g_d).unwrap(),
        pk_d: Affine::from_bytes(&pk_d).unwrap(),
        value,
        psi: Fp::from_bytes(&fields.psi).unwrap(),
        rcm: Fq::from_bytes(&fields.rcm).unwrap(),
    }
}

/// The randomness of the viewing key for change (ZIP 32).
fn internal_rivk(key: &[u8; 96]) -> Fq {
    let mut state = blake2b_simd::Params::new()
        .hash_length(64)
        .personal(b"Zcash_ExpandSeed")
        .to_state();
    state.update(&key[64..]).update(&[0x83]).update(&key[..64]);
    let scalar = pallas::Scalar::from_uniform_bytes(state.finalize().as_array());
    Fq::from_bytes(&scalar.to_repr()).unwrap()
}
