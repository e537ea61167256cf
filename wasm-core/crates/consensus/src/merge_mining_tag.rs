//! Finding a merge-mining commitment in a coinbase payload (specification consensus 5.2, 6).

use svc_chain::profile::Profile;

/// Length of the lower-case hex digest after a tag.
const DIGEST_CHARS: usize = 64;

/// Whether a payload carries a well-formed, unique commitment under either tag.
pub fn commitment_in(profile: &Profile, payload: &[u8]) -> bool {
    let tags = &profile.merge_mining_tags;
    [&tags.form0, &tags.form1]
        .into_iter()
        .any(|tag| find_commitment(payload, tag.as_bytes()).is_some())
}

/// The 64 hex characters after the only occurrence of `tag`. A second occurrence anywhere, or anything but
/// 64 lower-case hex characters after the first, is no commitment.
pub fn find_commitment<'a>(payload: &'a [u8], tag: &[u8]) -> Option<&'a [u8]> {
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
    digest.iter().all(is_hex).then_some(digest)
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
            Some(DIGEST.as_bytes())
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
