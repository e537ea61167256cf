//! Derivation of the witness's private inputs from the keys and notes of an action.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_kernels::curve::{Affine, Pallas};
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::Modulus;
use svc_tree::note_fields::{NoteFields, diversified_base};
use svc_witness::hash::merkle::DEPTH;
use svc_witness::inputs::{Inputs, NoteInputs};
use svc_witness::sheet::{Fp, Fq};
use zeroize::{Zeroize, Zeroizing};

/// Domain of the expansions of a key.
const EXPAND_PERSONAL: &[u8; 16] = b"Zcash_ExpandSeed";
/// The expansion that gives the randomness of the viewing key for change.
const EXPAND_INTERNAL: u8 = 0x83;

/// An address and a value as an action's encoding holds them.
struct Output {
    diversifier: [u8; 11],
    pk_d: [u8; 32],
    value: u64,
}

/// Reads the private part of an action's encoding: viewing key, spent note, path, new note, randomizer, trapdoor.
/// `nullifier` is the one that the action makes public; the new note is bound to it, so a wrong one shows in the proof.
///
/// Error: `prove/failed` for bytes that are no key, point, scalar or field element.
pub fn witness_inputs(reader: &mut Reader<'_>, nullifier: &Fp) -> Result<Inputs, SvcError> {
    let key = Zeroizing::new(reader.array::<96>()?);
    let spent = Output::read(reader)?;
    let rho: Fp = element(reader, "rho")?;
    let spent = spent.note(&rho, &Zeroizing::new(reader.array()?))?;
    let position = reader.u32()?;
    let mut path = [Fp::ZERO; DEPTH];
    for sibling in &mut path {
        *sibling = element(reader, "path")?;
    }
    let created = Output::read(reader)?;
    let created = created.note(nullifier, &Zeroizing::new(reader.array()?))?;
    let alpha = element(reader, "randomizer")?;
    let rcv = element(reader, "trapdoor")?;
    let mut parts = Reader::new(&*key);
    let ak = point(&parts.array()?).filter(|ak| ak.y.to_words()[0] & 1 == 0);
    Ok(Inputs {
        spent,
        rho,
        position,
        path,
        ak: parsed(ak, "viewing key")?,
        nk: element(&mut parts, "viewing key")?,
        rivk: [element(&mut parts, "viewing key")?, internal_rivk(&key)],
        alpha,
        rcv,
        created,
    })
}

impl Output {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        Ok(Self {
            diversifier: reader.array()?,
            pk_d: reader.array()?,
            value: reader.u64()?,
        })
    }

    /// The note that is bound to `rho`.
    fn note(&self, rho: &Fp, rseed: &[u8; 32]) -> Result<NoteInputs, SvcError> {
        let g_d = diversified_base(&self.diversifier);
        let mut fields = NoteFields::new(g_d, self.pk_d, self.value, rho.to_bytes(), rseed);
        let psi = Fp::from_bytes(&fields.psi);
        let rcm = Fq::from_bytes(&fields.rcm);
        fields.clear();
        Ok(NoteInputs {
            g_d: parsed(point(&g_d), "recipient")?,
            pk_d: parsed(point(&self.pk_d), "recipient")?,
            value: self.value,
            psi: parsed(psi, "rseed")?,
            rcm: parsed(rcm, "rseed")?,
        })
    }
}

/// The randomness of the viewing key for change: an expansion of the viewing key (ak, nk, rivk) by rivk.
fn internal_rivk(key: &[u8; 96]) -> Fq {
    let (keys, rivk) = key.split_at(64);
    let mut state = blake2b_simd::Params::new()
        .hash_length(64)
        .personal(EXPAND_PERSONAL)
        .to_state();
    state.update(rivk).update(&[EXPAND_INTERNAL]).update(keys);
    let mut wide = *state.finalize().as_array();
    let mut words = [[0u64; 4]; 2];
    for (word, chunk) in words.iter_mut().flatten().zip(wide.chunks_exact(8)) {
        *word = chunk
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte));
    }
    // 2²⁵⁶ = (2¹²⁸)².
    let shift = Fq::from_words(&[0, 0, 1, 0]).square();
    let [low, high] = words.each_ref().map(Fq::from_words);
    wide.zeroize();
    words.zeroize();
    low.add(&high.mul(&shift))
}

/// A point that is not the identity.
fn point(bytes: &[u8; 32]) -> Option<Affine<Pallas>> {
    Affine::from_bytes(bytes).filter(|point| !point.is_identity())
}

fn element<M: Modulus>(reader: &mut Reader<'_>, what: &str) -> Result<Single<M>, SvcError> {
    parsed(Single::from_bytes(&Zeroizing::new(reader.array()?)), what)
}

fn parsed<T>(field: Option<T>, what: &str) -> Result<T, SvcError> {
    field.ok_or_else(|| SvcError::new(Code::ProveFailed).with("reason", what))
}
