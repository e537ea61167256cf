//! Diversifiers and their indices, both ways (specification shielded 2.2; FF1 over AES-256 of NIST SP 800-38G).

use aes::Aes256;
use fpe::ff1::{BinaryNumeralString, FF1};
use svc_shielded::keys::address::ADDRESS_LEN;

/// Bytes of a diversifier and of its index.
const LEN: usize = 11;

/// The key that permutes the indices of a viewing key's addresses. Overwritten when dropped.
pub(crate) struct DiversifierKey([u8; 32]);

impl DiversifierKey {
    /// From the first 32 bytes of an encoded incoming viewing key.
    pub(crate) fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The diversifiers of indices, in their order. None for a key that the cipher does not take, which there is not.
    pub(crate) fn diversifiers(
        &self,
        indices: impl Iterator<Item = u32>,
    ) -> Option<Vec<[u8; LEN]>> {
        let cipher = FF1::<Aes256>::new(&self.0, 2).ok()?;
        let diversifier = |index: u32| {
            let mut plain = [0; LEN];
            plain[..4].copy_from_slice(&index.to_le_bytes());
            let plain = BinaryNumeralString::from_bytes_le(&plain);
            let bytes = cipher.encrypt(&[], &plain).ok()?.to_bytes_le();
            <[u8; LEN]>::try_from(bytes).ok()
        };
        indices.map(diversifier).collect()
    }

    /// The index of the diversifier of a raw address, which is its beginning; none from 2³² on.
    pub(crate) fn index_of(&self, address: &[u8; ADDRESS_LEN]) -> Option<u32> {
        let diversifier = address.first_chunk()?;
        self.indices(core::iter::once(diversifier)).next().flatten()
    }

    /// The indices of many diversifiers, in their order; the key schedule is made once for all of them.
    pub(crate) fn indices<'a>(
        &self,
        diversifiers: impl Iterator<Item = &'a [u8; LEN]>,
    ) -> impl Iterator<Item = Option<u32>> {
        let cipher = FF1::<Aes256>::new(&self.0, 2).ok();
        diversifiers.map(move |diversifier| {
            let plain = cipher
                .as_ref()?
                .decrypt(&[], &BinaryNumeralString::from_bytes_le(diversifier))
                .ok()?
                .to_bytes_le();
            let (low, high) = plain.split_first_chunk::<4>()?;
            let is_small = high.iter().all(|byte| *byte == 0);
            is_small.then(|| u32::from_le_bytes(*low))
        })
    }
}

impl Drop for DiversifierKey {
    fn drop(&mut self) {
        self.0.fill(0);
        core::hint::black_box(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orchard::keys::{FullViewingKey, Scope, SpendingKey};

    #[test]
    fn indices_are_those_of_upstreams_addresses() {
        let spending = SpendingKey::from_bytes([7; 32]).unwrap();
        let ivk = FullViewingKey::from(&spending).to_ivk(Scope::External);
        let mut bytes = [0; 32];
        bytes.copy_from_slice(&ivk.to_bytes()[..32]);
        let key = DiversifierKey::new(bytes);
        for index in [0, 1, 255, 256, u32::MAX] {
            let address = ivk.address_at(index).to_raw_address_bytes();
            assert_eq!(key.index_of(&address), Some(index));
            let diversifiers = key.diversifiers(core::iter::once(index));
            assert_eq!(diversifiers.unwrap(), [*address.first_chunk().unwrap()]);
        }
        let beyond = ivk.address_at(u64::from(u32::MAX) + 1);
        assert_eq!(key.index_of(&beyond.to_raw_address_bytes()), None);
    }
}
