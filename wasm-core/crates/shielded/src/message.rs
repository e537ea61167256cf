//! Message signing: signed messages that prove control of an address (specification shielded 19).

use ff::Field;
use orchard::keys::Scope;
use orchard::primitives::redpallas::{Signature, SpendAuth, VerificationKey};
use pasta_curves::pallas;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_personal;

use crate::keys::address::to_orchard;
use crate::keys::{FVK_LEN, full_viewing_key, spend_authorizing_key, viewing_key};
use crate::random::system_rng;
use crate::secret::Secret32;

/// Bytes of a published signature: full viewing key 96, signature 64.
pub const BLOB_LEN: usize = 160;

/// The digest that is signed: the network's prefix `tag`, the raw address and the message, each bound by its length.
pub fn digest(personal: &[u8; 16], tag: &str, address: &[u8; 43], message: &str) -> Hash32 {
    blake2b_personal(personal)
        .update(&(tag.len() as u64).to_le_bytes())
        .update(tag.as_bytes())
        .update(address)
        .update(&(message.len() as u64).to_le_bytes())
        .update(message.as_bytes())
        .finalize()
}

/// Signs `digest` with the unrandomised spend key and puts the viewing key in front.
///
/// Errors: `keys/bad-seed`, `keys/random-unavailable`.
pub fn sign(seed: &Secret32, digest: &Hash32) -> Result<[u8; BLOB_LEN], SvcError> {
    let key = spend_authorizing_key(seed)?.randomize(&pallas::Scalar::ZERO);
    let signature = key.sign(system_rng()?, digest.as_bytes());
    let mut blob = [0; BLOB_LEN];
    blob[..FVK_LEN].copy_from_slice(&full_viewing_key(seed)?);
    blob[FVK_LEN..].copy_from_slice(&<[u8; 64]>::from(&signature));
    Ok(blob)
}

/// Checks that `blob` signs `digest` for `address`, at whatever diversifier index the address is.
///
/// Errors: `codec/wrong-length`, `keys/bad-viewing-key`, `keys/address-mismatch`, `keys/bad-spend-key`,
/// `keys/bad-signature`, `shielded/bad-recipient`.
pub fn verify(address: &[u8; 43], digest: &Hash32, blob: &[u8]) -> Result<(), SvcError> {
    let blob: &[u8; BLOB_LEN] = blob.try_into().map_err(|_| {
        SvcError::new(Code::CodecWrongLength)
            .with("expected", BLOB_LEN)
            .with("found", blob.len())
    })?;
    let mut fvk_bytes = [0; FVK_LEN];
    fvk_bytes.copy_from_slice(&blob[..FVK_LEN]);
    let fvk = viewing_key(&fvk_bytes)?;
    if fvk
        .to_ivk(Scope::External)
        .diversifier_index(&to_orchard(address)?)
        .is_none()
    {
        return Err(SvcError::new(Code::KeysAddressMismatch));
    }
    let mut ak = [0; 32];
    ak.copy_from_slice(&blob[..32]);
    let key = VerificationKey::<SpendAuth>::try_from(ak)
        .map_err(|_| SvcError::new(Code::KeysBadSpendKey))?;
    let mut signature = [0; 64];
    signature.copy_from_slice(&blob[FVK_LEN..]);
    key.verify(digest.as_bytes(), &Signature::from(signature))
        .map_err(|_| SvcError::new(Code::KeysBadSignature))
}
