//! Key derivation of a wallet (specification shielded 2.1): the 32-byte seed is the spending key itself, and only the
//! external scope exists, for receiving and for change.

pub mod address;
pub mod incoming;
pub mod receiver;

use orchard::Address;
use orchard::keys::{FullViewingKey, Scope, SpendAuthorizingKey, SpendingKey};
use svc_codec::code::Code;
use svc_codec::error::SvcError;

use crate::keys::incoming::IVK_LEN;
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

/// The diversifier index (88 bits) of an address of this key; `None` for anybody else's. The index is read
/// with dk and counts only when it derives the same address again. Errors: `keys/bad-viewing-key`,
/// `address/bad-key` for bytes that are no address.
pub fn address_index_of(fvk: &[u8; FVK_LEN], address: &[u8; 43]) -> Result<Option<u128>, SvcError> {
    let address = Address::from_raw_address_bytes(address)
        .into_option()
        .ok_or_else(|| SvcError::new(Code::AddressBadKey))?;
    let ivk = viewing_key(fvk)?.to_ivk(Scope::External);
    Ok(ivk.diversifier_index(&address).map(|index| {
        let mut wide = [0; 16];
        wide[..11].copy_from_slice(index.as_bytes());
        u128::from_le_bytes(wide)
    }))
}

/// The incoming viewing key: dk 32, ivk 32. Error: `keys/bad-viewing-key`.
pub fn incoming_viewing_key(fvk: &[u8; FVK_LEN]) -> Result<[u8; IVK_LEN], SvcError> {
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

#[cfg(test)]
mod tests {
    use super::{FVK_LEN, address_at, address_index_of, full_viewing_key};
    use crate::secret::Secret32;

    fn key(first: u8) -> [u8; FVK_LEN] {
        let mut seed = [7; 32];
        seed[0] = first;
        let seed = Secret32::from_slice(&seed).expect("32 bytes");
        full_viewing_key(&seed).expect("a valid seed")
    }

    #[test]
    fn an_address_gives_its_index_back_only_to_its_own_key() {
        let (own, other) = (key(1), key(2));
        for index in [0, 1, 20, (1 << 31) - 1, 1 << 31, u32::MAX] {
            let address = address_at(&own, index).expect("a valid key");
            assert_eq!(
                address_index_of(&own, &address).expect("an address"),
                Some(u128::from(index))
            );
            assert_eq!(
                address_index_of(&other, &address).expect("an address"),
                None
            );
        }
        assert!(address_index_of(&own, &[0xff; 43]).is_err());
    }
}
