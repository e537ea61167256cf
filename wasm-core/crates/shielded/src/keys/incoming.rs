//! Incoming viewing keys (specification shielded 2.1): 64 bytes, the key of the diversifiers and the scalar that reads notes. Who
//! holds one derives all addresses of its wallet and finds what is paid to them, and learns nothing of what the wallet spends.

use orchard::keys::IncomingViewingKey;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::MAX_ADDRESSES_PER_CALL;

use crate::keys::address::ADDRESS_LEN;

/// Bytes of an incoming viewing key: dk 32, ivk 32.
pub const IVK_LEN: usize = 64;

/// Upstream's form of an incoming viewing key. Error: `keys/bad-viewing-key` for an ivk that is zero or no element of the base
/// field; every dk is one.
pub fn incoming_key(ivk: &[u8; IVK_LEN]) -> Result<IncomingViewingKey, SvcError> {
    IncomingViewingKey::from_bytes(ivk)
        .into_option()
        .ok_or_else(|| SvcError::new(Code::KeysBadViewingKey))
}

/// The diversifier indices of a run of `count` from `from` on. Error: `codec/count-too-large` for more than
/// [`MAX_ADDRESSES_PER_CALL`], or more than there are up to index 2³² - 1.
pub fn address_run(from: u32, count: usize) -> Result<impl Iterator<Item = u32>, SvcError> {
    let left = u64::from(u32::MAX - from) + 1;
    let max = left.min(MAX_ADDRESSES_PER_CALL as u64);
    if count as u64 > max {
        return Err(SvcError::new(Code::CodecCountTooLarge)
            .with("count", count)
            .with("max", max));
    }
    Ok((from..=u32::MAX).take(count))
}

/// The raw addresses of `count` diversifier indices from `from` on, one by one as upstream derives them.
///
/// Errors: `keys/bad-viewing-key`; those of [`address_run`].
pub fn addresses(
    ivk: &[u8; IVK_LEN],
    from: u32,
    count: usize,
) -> Result<Vec<[u8; ADDRESS_LEN]>, SvcError> {
    let key = incoming_key(ivk)?;
    Ok(address_run(from, count)?
        .map(|index| key.address_at(index).to_raw_address_bytes())
        .collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{IVK_LEN, addresses, incoming_key};
    use crate::keys::address::is_valid_recipient;
    use crate::keys::{address_at, full_viewing_key, incoming_viewing_key};
    use crate::secret::Secret32;
    use svc_codec::code::Code;
    use svc_codec::limits::MAX_ADDRESSES_PER_CALL;

    fn keys(seed: u8) -> ([u8; 96], [u8; IVK_LEN]) {
        let fvk = full_viewing_key(&Secret32::new([seed; 32])).expect("a valid seed");
        (fvk, incoming_viewing_key(&fvk).expect("a valid key"))
    }

    #[test]
    fn a_run_of_addresses_has_its_bounds() {
        let (fvk, ivk) = keys(7);
        let refused = |from, count| {
            let error = addresses(&ivk, from, count).expect_err("a run beyond its bounds");
            error.to_string()
        };
        assert_eq!(
            refused(0, MAX_ADDRESSES_PER_CALL + 1),
            "codec/count-too-large count=1025 max=1024"
        );
        assert_eq!(refused(u32::MAX, 2), "codec/count-too-large count=2 max=1");
        assert!(refused(u32::MAX, usize::MAX).ends_with("max=1"));
        let last = addresses(&ivk, u32::MAX, 1).expect("the last index");
        assert_eq!(last, [address_at(&fvk, u32::MAX).expect("a valid key")]);
        assert!(addresses(&ivk, 5, 0).expect("an empty run").is_empty());
        let longest = addresses(&ivk, 0, MAX_ADDRESSES_PER_CALL).expect("the longest run");
        assert_eq!(longest.len(), MAX_ADDRESSES_PER_CALL);
    }

    #[test]
    fn bytes_that_are_no_key_are_refused() {
        let (_, good) = keys(7);
        let mut zero = good;
        zero[32..].fill(0);
        let mut large = good;
        large[32..].fill(0xff);
        for bad in [zero, large, [0; IVK_LEN], [0xff; IVK_LEN]] {
            let error = incoming_key(&bad).expect_err("no key");
            assert_eq!(error.code, Code::KeysBadViewingKey);
            let error = addresses(&bad, 0, 1).expect_err("no key");
            assert_eq!(error.code, Code::KeysBadViewingKey);
        }
        // Any 32 bytes permute the diversifiers.
        let mut other = good;
        other[..32].fill(0xff);
        assert_ne!(
            addresses(&other, 1 << 31, 1).expect("a key"),
            addresses(&good, 1 << 31, 1).expect("a key")
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn addresses_are_those_of_the_full_key(
            seed in any::<u8>(),
            from in ..=u32::MAX - 3,
            count in 0_usize..4,
        ) {
            let (fvk, ivk) = keys(seed);
            let each = (from..=u32::MAX).take(count).map(|index| address_at(&fvk, index));
            let each: Vec<_> = each.collect::<Result<_, _>>().expect("a key");
            prop_assert_eq!(addresses(&ivk, from, count).expect("a key"), each);
        }

        #[test]
        fn any_bytes_are_a_key_or_refused(
            bytes in proptest::collection::vec(any::<u8>(), IVK_LEN),
            from in any::<u32>(),
        ) {
            let bytes: [u8; IVK_LEN] = bytes.try_into().expect("64 bytes");
            match addresses(&bytes, from, 1) {
                Ok(run) => prop_assert!(run.iter().all(|raw| is_valid_recipient(raw))),
                Err(error) => prop_assert_eq!(error.code, Code::KeysBadViewingKey),
            }
        }
    }
}
