//! Answer of a challenge by the owner of an address: shows that somebody with the incoming viewing key of the address wrote a text,
//! and shows nothing of the key. (A signed message of specification shielded 19 shows the full viewing key.)
//!
//! An address is a pair of points, the base `g_d` of its diversifier and `pk_d = [ivk] g_d`. The answer is a Schnorr proof that the
//! owner knows `ivk`: a point `R = [k] g_d` and a scalar `s = k + c ivk` with `c` a hash of the base, the key, `R` and what is
//! answered. It holds where `[s] g_d = R + [c] pk_d`.

use blake2b_simd::Params;
use ff::{Field, FromUniformBytes, PrimeField};
use pasta_curves::group::GroupEncoding;
use pasta_curves::pallas;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use zeroize::Zeroize;

use crate::keys::receiver::{Receiver, receiver};
use crate::keys::{FVK_LEN, address_index_of, incoming_viewing_key};
use crate::random::system_rng;

/// Bytes of an answer: a point and a scalar.
pub const ANSWER_LEN: usize = 64;
/// Domain of the hash that stands for the asker's random number.
const PERSONAL: &[u8; 16] = b"svcAddressAnswer";

/// Answers for an address of the key, at any diversifier index. `digest` stands for what is answered and for whom.
///
/// # Errors
/// `keys/bad-viewing-key`, `address/bad-key`, `keys/address-mismatch` for somebody else's address, `keys/random-unavailable`.
pub fn answer(
    viewing_key: &[u8; FVK_LEN],
    address: &[u8; 43],
    digest: &Hash32,
) -> Result<[u8; ANSWER_LEN], SvcError> {
    if address_index_of(viewing_key, address)?.is_none() {
        return Err(SvcError::new(Code::KeysAddressMismatch));
    }
    let receiver = receiver(address)?;
    let [base, _] = points(&receiver)?;
    let mut keys = incoming_viewing_key(viewing_key)?;
    let mut secret = [0; 32];
    secret.copy_from_slice(keys.split_at(32).1);
    keys.zeroize();
    // An element of the base field is a canonical scalar too: the group has more elements than the field.
    let ivk = Option::<pallas::Scalar>::from(pallas::Scalar::from_repr(secret));
    secret.zeroize();
    let mut ivk = ivk.ok_or_else(|| SvcError::new(Code::KeysBadViewingKey))?;
    let mut nonce = pallas::Scalar::random(&mut system_rng()?);
    let commitment = (base * nonce).to_bytes();
    let response = nonce + challenge(&receiver, &commitment, digest) * ivk;
    nonce = pallas::Scalar::ZERO;
    ivk = pallas::Scalar::ZERO;
    core::hint::black_box((&mut nonce, &mut ivk));
    let mut answer = [0; ANSWER_LEN];
    let (point, scalar) = answer.split_at_mut(32);
    point.copy_from_slice(&commitment);
    scalar.copy_from_slice(&response.to_repr());
    Ok(answer)
}

/// Checks an answer. Errors: `shielded/bad-recipient`, `keys/bad-signature`.
pub fn check_answer(
    address: &[u8; 43],
    digest: &Hash32,
    answer: &[u8; ANSWER_LEN],
) -> Result<(), SvcError> {
    let refused = || SvcError::new(Code::KeysBadSignature);
    let receiver = receiver(address)?;
    let [base, key] = points(&receiver)?;
    let (mut point, mut scalar) = ([0; 32], [0; 32]);
    point.copy_from_slice(answer.split_at(32).0);
    scalar.copy_from_slice(answer.split_at(32).1);
    let commitment = read_point(&point).ok_or_else(refused)?;
    let response = Option::<pallas::Scalar>::from(pallas::Scalar::from_repr(scalar));
    let response = response.ok_or_else(refused)?;
    if base * response == commitment + key * challenge(&receiver, &point, digest) {
        return Ok(());
    }
    Err(refused())
}

fn points(receiver: &Receiver) -> Result<[pallas::Point; 2], SvcError> {
    let points = (read_point(&receiver.g_d), read_point(&receiver.pk_d));
    match points {
        (Some(base), Some(key)) => Ok([base, key]),
        _ => Err(SvcError::new(Code::ShieldedBadRecipient)),
    }
}

fn read_point(bytes: &[u8; 32]) -> Option<pallas::Point> {
    pallas::Point::from_bytes(bytes).into()
}

fn challenge(receiver: &Receiver, commitment: &[u8; 32], digest: &Hash32) -> pallas::Scalar {
    let hash = Params::new()
        .hash_length(64)
        .personal(PERSONAL)
        .to_state()
        .update(&receiver.g_d)
        .update(&receiver.pk_d)
        .update(commitment)
        .update(digest.as_bytes())
        .finalize();
    pallas::Scalar::from_uniform_bytes(hash.as_array())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::keys::{address_at, full_viewing_key};
    use crate::secret::Secret32;

    fn key(byte: u8) -> [u8; FVK_LEN] {
        full_viewing_key(&Secret32::new([byte; 32])).unwrap()
    }

    #[test]
    fn an_owner_answers_for_each_address() {
        let digest = Hash32([9; 32]);
        for index in [0, 1, 77] {
            let address = address_at(&key(1), index).unwrap();
            let made = answer(&key(1), &address, &digest).unwrap();
            check_answer(&address, &digest, &made).unwrap();
            let again = answer(&key(1), &address, &digest).unwrap();
            assert_ne!(made, again, "every answer has its own random number");
        }
    }

    #[test]
    fn nobody_answers_for_another() {
        let address = address_at(&key(1), 3).unwrap();
        let error = answer(&key(2), &address, &Hash32::ZERO).unwrap_err();
        assert_eq!(error.code, Code::KeysAddressMismatch);
    }

    #[test]
    fn another_text_address_or_byte_is_refused() {
        let digest = Hash32([9; 32]);
        let address = address_at(&key(1), 3).unwrap();
        let made = answer(&key(1), &address, &digest).unwrap();
        let other = address_at(&key(1), 4).unwrap();
        let code = |result: Result<(), SvcError>| result.unwrap_err().code;
        let refused = Code::KeysBadSignature;
        assert_eq!(code(check_answer(&other, &digest, &made)), refused);
        assert_eq!(code(check_answer(&address, &Hash32::ZERO, &made)), refused);
        for bit in 0..8 * ANSWER_LEN {
            let mut changed = made;
            *changed.get_mut(bit / 8).unwrap() ^= 1 << (bit % 8);
            assert_eq!(
                code(check_answer(&address, &digest, &changed)),
                refused,
                "bit {bit}"
            );
        }
        let mut no_recipient = address;
        no_recipient.split_at_mut(11).1.fill(0xff);
        let error = check_answer(&no_recipient, &digest, &made);
        assert_eq!(code(error), Code::ShieldedBadRecipient);
    }
}
