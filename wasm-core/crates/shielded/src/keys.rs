//! Keys of a wallet (specification shielded 2.1): the 32-byte seed is the spending key itself, and only the
//! external scope exists, for receiving and for change.

use orchard::keys::{FullViewingKey, Scope, SpendAuthorizingKey, SpendingKey};
use svc_codec::code::Code;
use svc_codec::error::SvcError;

use crate::random::system_bytes;
use crate::secret::Secret32;

/// Bytes of a full viewing key: ak, nk, rivk.
pub const FVK_LEN: usize = 96;

/// A new seed from the system's randomness. Error: `keys/random-unavailable`.
pub fn generate() -> Result<Secret32, SvcError> {
    loop {
        let seed = system_bytes()?;
        // All but about one in 2^250 seeds are valid.
        if spending_key(&seed).is_ok() {
            return Ok(seed);
        }
    }
}

/// The full viewing key of a seed. Error: `keys/bad-seed`.
pub fn full_viewing_key(seed: &Secret32) -> Result<[u8; FVK_LEN], SvcError> {
    Ok(FullViewingKey::from(&spending_key(seed)?).to_bytes())
}

/// The address of diversifier index `index`. Error: `keys/bad-viewing-key`.
pub fn address_at(fvk: &[u8; FVK_LEN], index: u32) -> Result<[u8; 43], SvcError> {
    Ok(viewing_key(fvk)?
        .address_at(index, Scope::External)
        .to_raw_address_bytes())
}

/// The incoming viewing key: dk 32, ivk 32. Error: `keys/bad-viewing-key`.
pub fn incoming_viewing_key(fvk: &[u8; FVK_LEN]) -> Result<[u8; 64], SvcError> {
    Ok(viewing_key(fvk)?.to_ivk(Scope::External).to_bytes())
}

/// The outgoing viewing key. Error: `keys/bad-viewing-key`.
pub fn outgoing_viewing_key(fvk: &[u8; FVK_LEN]) -> Result<[u8; 32], SvcError> {
    Ok(*viewing_key(fvk)?.to_ovk(Scope::External).as_ref())
}

/// Upstream's form of a full viewing key. Error: `keys/bad-viewing-key`.
pub fn viewing_key(fvk: &[u8; FVK_LEN]) -> Result<FullViewingKey, SvcError> {
    FullViewingKey::from_bytes(fvk).ok_or_else(|| SvcError::new(Code::KeysBadViewingKey))
}

/// Upstream's form of the seed. Error: `keys/bad-seed`.
pub fn spending_key(seed: &Secret32) -> Result<SpendingKey, SvcError> {
    SpendingKey::from_bytes(*seed.expose())
        .into_option()
        .ok_or_else(|| SvcError::new(Code::KeysBadSeed))
}

/// The key that authorises spends. Error: `keys/bad-seed`.
pub fn spend_authorizing_key(seed: &Secret32) -> Result<SpendAuthorizingKey, SvcError> {
    Ok(SpendAuthorizingKey::from(&spending_key(seed)?))
}
