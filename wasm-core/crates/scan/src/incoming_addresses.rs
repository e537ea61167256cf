//! Runs of addresses of an incoming viewing key (specification shielded 2.2), for whoever gives each payer one of its own: all points
//! of a run climb the ladder together.

use svc_codec::error::SvcError;
use svc_kernels::curve::ladder::{Digits, Multiples};
use svc_kernels::curve::{Affine, Pallas};
use svc_shielded::keys::address::ADDRESS_LEN;
use svc_shielded::keys::incoming::{self, IVK_LEN, address_run, incoming_key};
use svc_tree::note_fields::diversified_base;

use crate::diversifier_key::DiversifierKey;

/// The raw addresses of `count` diversifier indices from `from` on.
///
/// Errors: `keys/bad-viewing-key`; `codec/count-too-large` as of [`address_run`].
pub fn addresses(
    ivk: &[u8; IVK_LEN],
    from: u32,
    count: usize,
) -> Result<Vec<[u8; ADDRESS_LEN]>, SvcError> {
    incoming_key(ivk)?;
    let run = address_run(from, count)?;
    // Points that meet in the ladder are a chance of one in about 2¹²⁵.
    together(ivk, run).map_or_else(|| incoming::addresses(ivk, from, count), Ok)
}

/// The addresses of indices; none where points meet.
fn together(
    ivk: &[u8; IVK_LEN],
    indices: impl Iterator<Item = u32>,
) -> Option<Vec<[u8; ADDRESS_LEN]>> {
    let (dk, scalar) = ivk.split_first_chunk::<32>()?;
    let diversifiers = DiversifierKey::new(*dk).diversifiers(indices)?;
    let bases: Vec<[u8; 32]> = diversifiers.iter().map(diversified_base).collect();
    let points = Affine::<Pallas>::decompress_batch(&bases)?;
    let digits = Digits::from_bytes(scalar.first_chunk()?)?;
    let receivers = Multiples::new(&points).ok()?.times(&digits).ok()?;
    let addresses = diversifiers
        .iter()
        .zip(receivers)
        .map(|(diversifier, key)| {
            let mut address = [0; ADDRESS_LEN];
            let (head, tail) = address.split_at_mut(diversifier.len());
            head.copy_from_slice(diversifier);
            tail.copy_from_slice(&key.to_bytes());
            address
        });
    Some(addresses.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_codec::code::Code;
    use svc_codec::limits::MAX_ADDRESSES_PER_CALL;
    use svc_shielded::keys::{full_viewing_key, incoming_viewing_key};
    use svc_shielded::secret::Secret32;

    fn key(seed: u8) -> [u8; IVK_LEN] {
        incoming_viewing_key(&full_viewing_key(&Secret32::new([seed; 32])).unwrap()).unwrap()
    }

    #[test]
    fn a_run_is_that_of_upstream() {
        for (seed, from, count) in [
            (1, 0, 0),
            (2, 0, 1),
            (3, 0xffff_fff0, 16),
            (4, 1 << 31, MAX_ADDRESSES_PER_CALL),
        ] {
            let ivk = key(seed);
            let run = together(&ivk, address_run(from, count).unwrap()).unwrap();
            assert_eq!(run, incoming::addresses(&ivk, from, count).unwrap());
            assert_eq!(run, addresses(&ivk, from, count).unwrap());
        }
    }

    #[test]
    fn what_is_no_key_or_no_run_is_refused_as_upstream_does() {
        let mut large = key(7);
        large[32..].fill(0xff);
        for (ivk, from, count) in [
            (large, 0, 1),
            ([0; IVK_LEN], 0, 1),
            (key(7), 0, MAX_ADDRESSES_PER_CALL + 1),
            (key(7), u32::MAX, 2),
        ] {
            let ours = addresses(&ivk, from, count).unwrap_err();
            let theirs = incoming::addresses(&ivk, from, count).unwrap_err();
            assert_eq!(ours.to_string(), theirs.to_string());
        }
        let error = addresses(&large, 0, 1).unwrap_err();
        assert_eq!(error.code, Code::KeysBadViewingKey);
    }
}
