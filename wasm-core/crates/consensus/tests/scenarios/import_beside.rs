//! Blocks beside a pruning point whose headers nobody's hash refutes: mined for the import, each with one false claim about
//! its past. Later blocks are judged by them, so they are judged as any block is.

use svc_chain::header::Header;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{MAX_IMPORT_BODIES, MAX_TRUSTED_PAGE};
use svc_consensus::import::trusted::{TrustedHeader, TrustedPage};
use svc_consensus::proof::ProofHeader;

use crate::scenarios::import_refusals::offers;
use crate::scenarios::importing::{Offer, new_node};

/// What a header that is mined anew claims.
type Claim = fn(&mut Header);

/// The trusted header of a block beside the pruning point.
fn beside(offer: &Offer) -> TrustedHeader {
    let hash = offer.bodies[1].block.hash();
    let mut window = offer.pages.iter().flat_map(|page| &page.window);
    let found = window.find(|trusted| trusted.header.hash() == hash);
    found.unwrap().clone()
}

/// A block with the same past, mined for this import.
fn mined_anew(like: &TrustedHeader, change: impl FnOnce(&mut Header)) -> TrustedHeader {
    let mut header = like.header.header().clone();
    header.nonce ^= 1 << 40;
    change(&mut header);
    TrustedHeader {
        header: ProofHeader::new(header, None),
        ghostdag: like.ghostdag.clone(),
    }
}

/// The blocks whose bodies are wanted when these headers come beside those of an offer.
fn linked(offer: &Offer, more: &[TrustedHeader]) -> Result<Vec<Hash32>, SvcError> {
    let mut offer = offer.clone();
    let pages = more.chunks(MAX_TRUSTED_PAGE).map(|window| TrustedPage {
        window: window.to_vec(),
        segment: Vec::new(),
    });
    offer.pages.extend(pages);
    let mut node = new_node();
    offer.take_headers(&mut node)?;
    loop {
        if let Some(bodies) = node.importing().link_trusted(1_000)? {
            return Ok(bodies);
        }
    }
}

/// The code of the refusal of one such header; "" when it is taken.
fn refusal(offer: &Offer, claim: impl FnOnce(&mut Header)) -> &'static str {
    let forged = mined_anew(&beside(offer), claim);
    match linked(offer, std::slice::from_ref(&forged)) {
        Ok(bodies) => {
            assert!(bodies.contains(&forged.header.hash()));
            assert_eq!(bodies.len(), offer.bodies.len() + 1);
            ""
        }
        Err(error) => error.code.as_str(),
    }
}

#[test]
fn a_block_beside_the_point_claims_what_its_past_gives() {
    let cases: [(&str, Claim); 8] = [
        ("", |_| {}),
        ("header/wrong-version", |header| header.version += 1),
        ("header/wrong-bits", |header| header.bits += 1),
        ("header/wrong-bits", |header| header.bits -= 1),
        ("header/wrong-daa-score", |header| header.daa_score += 1),
        ("header/wrong-daa-score", |header| header.daa_score -= 1),
        ("import/wrong-ghostdag", |header| header.blue_score += 1),
        ("import/wrong-ghostdag", |header| {
            header.blue_work += header.blue_work
        }),
    ];
    for offer in offers() {
        for (index, (code, claim)) in cases.iter().enumerate() {
            assert_eq!(refusal(&offer, claim), *code, "case {index}");
        }
    }
}

#[test]
fn a_block_beside_the_point_is_younger_than_its_past_median() {
    for offer in offers() {
        let ancient = mined_anew(&beside(&offer), |header| header.timestamp_ms = 0);
        let error = linked(&offer, &[ancient]).unwrap_err();
        assert_eq!(error.code.as_str(), "header/time-too-old");
        let min = error.data.iter().find(|(key, _)| *key == "min");
        let min: u64 = min.unwrap().1.parse().unwrap();
        let at = |time| refusal(&offer, |header| header.timestamp_ms = time);
        assert_eq!([at(min - 1), at(min)], ["header/time-too-old", ""]);
    }
}

/// Each costs a body of up to half a megabyte, and windows. The one that is refused is the first above the bound.
#[test]
fn more_blocks_beside_the_point_than_an_import_takes() {
    let [offer, _] = offers();
    let like = beside(&offer);
    let room = MAX_IMPORT_BODIES - offer.bodies.len();
    let many: Vec<TrustedHeader> = (0..=room as u64)
        .map(|number| mined_anew(&like, |header| header.nonce ^= number))
        .collect();
    let error = linked(&offer, &many).unwrap_err();
    assert_eq!(error.code.as_str(), "import/too-many-headers");
    let expected = [("count", "4097".to_owned()), ("max", "4096".to_owned())];
    assert_eq!(error.data, expected);
}
