//! Limits of trusted GHOSTDAG data: it must agree with the header's own fields, and fit into a mergeset.

use svc_codec::hash32::Hash32;
use svc_consensus::import::trusted::{TrustedHeader, TrustedPage};
use svc_dag::records::GhostdagData;

use crate::scenarios::import_refusals::offers;
use crate::scenarios::importing::{Offer, new_node};
use crate::scenarios::kit::Node;

/// A hash that no block has, by number.
fn stranger(number: usize) -> Hash32 {
    let mut hash = Hash32([0xee; 32]);
    hash.0[..8].copy_from_slice(&number.to_le_bytes());
    hash
}

/// A staging node that waits for trusted headers.
fn waiting(offer: &Offer) -> Node {
    let mut node = new_node();
    let engine = &mut node.engine;
    engine
        .importing()
        .begin_import(offer.proof.clone())
        .unwrap();
    while engine.importing().import_proof(1_000).unwrap().is_none() {}
    assert!(
        engine
            .importing()
            .import_points(offer.points.clone())
            .unwrap()
    );
    node
}

/// The code of the refusal of a page of one header with other data; "" when it is taken.
fn refusal(
    node: &mut Node,
    like: &TrustedHeader,
    change: &dyn Fn(&mut GhostdagData),
) -> &'static str {
    let mut trusted = like.clone();
    change(&mut trusted.ghostdag);
    let page = TrustedPage {
        window: vec![trusted],
        segment: Vec::new(),
    };
    let taken = node.importing().import_trusted(page);
    taken.map_or_else(|error| error.code.as_str(), |()| "")
}

/// Of the lowest blocks nothing can be computed again, so their data are as wide as this lets them be.
#[test]
fn data_of_a_header_fit_its_fields_and_a_mergeset() {
    const WRONG: &str = "import/wrong-ghostdag";
    let [offer, _] = offers();
    let mut node = waiting(&offer);
    let profile = node.engine.rules().profile.clone();
    let k = usize::from(profile.ghostdag_k);
    let limit = profile.mergeset_size_limit as usize;
    let window = offer.pages.iter().flat_map(|page| &page.window);
    let above_genesis = window.filter(|trusted| trusted.ghostdag.blue_score > 0);
    let lowest = above_genesis.min_by_key(|trusted| trusted.ghostdag.blue_score);
    let like = lowest.unwrap();
    let mut code = |change: &dyn Fn(&mut GhostdagData)| refusal(&mut node, like, change);
    assert_eq!(code(&|_| {}), "");
    assert_eq!(code(&|data| data.blue_score += 1), WRONG);
    assert_eq!(code(&|data| data.blue_work += data.blue_work), WRONG);
    assert_eq!(code(&|data| data.blues[0] = stranger(0)), WRONG);
    // The same at both places, which fits but for the header.
    let other_parent = |data: &mut GhostdagData| {
        data.selected_parent = stranger(0);
        data.blues[0] = stranger(0);
    };
    assert_eq!(code(&other_parent), WRONG);
    assert_eq!(code(&|data| data.selected_parent = stranger(0)), WRONG);
    assert_eq!(code(&|data| data.blues.clear()), WRONG);
    let blues = |count: usize| {
        move |data: &mut GhostdagData| {
            data.reds.clear();
            data.blues.truncate(1);
            data.blues.extend((1..count).map(stranger));
        }
    };
    assert_eq!([code(&blues(k + 1)), code(&blues(k + 2))], ["", WRONG]);
    let reds = |count: usize| {
        move |data: &mut GhostdagData| {
            data.blues.truncate(1);
            data.reds = (1..count).map(stranger).collect();
        }
    };
    assert_eq!([code(&reds(limit)), code(&reds(limit + 1))], ["", WRONG]);
    let sizes = |count: usize| {
        move |data: &mut GhostdagData| {
            data.anticone_sizes = (0..count).map(|number| (stranger(number), 1)).collect();
        }
    };
    let most = (k + 1) * (k + 1);
    assert_eq!([code(&sizes(most)), code(&sizes(most + 1))], ["", WRONG]);
}
