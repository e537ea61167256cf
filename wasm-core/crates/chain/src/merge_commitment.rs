//! Merged-mining commitment: the tag and digest that a parent-network coinbase carries to do work for one of our
//! blocks (specification consensus 5.2, 6).

use svc_codec::hash32::Hash32;
use svc_codec::hex;

use crate::domain_hashers::block_hash;
use crate::header::Header;
use crate::profile::{Profile, active};

/// Length of the lower-case hex digest after a tag.
const DIGEST_CHARS: usize = 64;

/// How a witness is tied to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeForm {
    /// Form 0: the parent commits to the block id. Any number of witnesses fit one block.
    Id,
    /// Form 1, from `boundMergeMining` on: the parent commits to the network and to the header without its
    /// nonce, and the nonce names the parent. One witness fits one block.
    Bound,
}

impl MergeForm {
    /// The form in force at a DAA score; `None` while blocks are mined natively only.
    pub fn at(profile: &Profile, daa_score: u64) -> Option<Self> {
        let heights = &profile.activations;
        if !active(heights.merged_mining, daa_score) {
            None
        } else if active(heights.bound_merge_mining, daa_score) {
            Some(Self::Bound)
        } else {
            Some(Self::Id)
        }
    }

    /// The four bytes before the digest.
    pub fn tag(self, profile: &Profile) -> &[u8; 4] {
        match self {
            Self::Id => profile.merge_mining_tags.form0.as_bytes(),
            Self::Bound => profile.merge_mining_tags.form1.as_bytes(),
        }
    }

    /// The digest that the parent's coinbase must carry for a header.
    pub fn digest(self, profile: &Profile, genesis: &Hash32, header: &Header) -> Hash32 {
        match self {
            Self::Id => header.hash(),
            Self::Bound => {
                let aux_bind = &profile.personalisation.aux_bind;
                bound(aux_bind, genesis, &header.nonce_free_hash())
            }
        }
    }

    /// Tag and digest as the parent's extra data carries them.
    pub fn commitment(self, profile: &Profile, genesis: &Hash32, header: &Header) -> Vec<u8> {
        let digest = self.digest(profile, genesis, header);
        let mut bytes = self.tag(profile).to_vec();
        bytes.extend_from_slice(hex::encode(digest.as_bytes()).as_bytes());
        bytes
    }
}

/// Digest of form 1 over the network and a header without its nonce.
pub fn bound(aux_bind: &str, genesis: &Hash32, nonce_free_hash: &Hash32) -> Hash32 {
    block_hash()
        .update(aux_bind.as_bytes())
        .update(genesis.as_bytes())
        .update(nonce_free_hash.as_bytes())
        .finalize()
}

/// The nonce that form 1 demands of a block whose parent header has this id.
pub fn nonce_for(parent_id: &Hash32) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = parent_id.0;
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// Whether a payload carries a well-formed, unique commitment under either tag.
pub fn commitment_in(profile: &Profile, payload: &[u8]) -> bool {
    [MergeForm::Id, MergeForm::Bound]
        .into_iter()
        .any(|form| find_commitment(payload, form.tag(profile)).is_some())
}

/// The digest after the only occurrence of `tag`. A second occurrence anywhere, or anything but 64
/// lower-case hex characters after the first, is no commitment.
pub fn find_commitment(payload: &[u8], tag: &[u8]) -> Option<Hash32> {
    if tag.is_empty() {
        return None;
    }
    let mut positions = payload
        .windows(tag.len())
        .enumerate()
        .filter(|(_, window)| *window == tag);
    let (start, _) = positions.next()?;
    if positions.next().is_some() {
        return None;
    }
    let begin = start + tag.len();
    let digest = payload.get(begin..begin + DIGEST_CHARS)?;
    let is_hex = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    if !digest.iter().all(is_hex) {
        return None;
    }
    core::str::from_utf8(digest).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::find_commitment;

    const DIGEST: &str = "b657dc4e6ee9059b653b0fd0b7a55e6be2bc11e838ea72928a0b931b4d23797b";

    #[test]
    fn finds_one_wherever_it_stands() {
        let payload = format!("xxTAG0{DIGEST}yy");
        assert_eq!(
            find_commitment(payload.as_bytes(), b"TAG0"),
            Some(DIGEST.parse().unwrap())
        );
    }

    #[test]
    fn refuses_a_second_tag_short_digests_and_upper_case() {
        let twice = format!("TAG0{DIGEST}TAG0");
        let short = format!("TAG0{}", &DIGEST[1..]);
        let upper = format!("TAG0{}", DIGEST.to_uppercase());
        for payload in [twice, short, upper, String::new()] {
            assert_eq!(
                find_commitment(payload.as_bytes(), b"TAG0"),
                None,
                "{payload}"
            );
        }
    }
}
