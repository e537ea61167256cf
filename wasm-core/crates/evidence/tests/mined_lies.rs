//! Liars with hash power against the judge: each mines what it needs, over a false state, and shows honest headers above it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_evidence::opening::Opening;
use svc_evidence::parent_path::ParentPath;
use svc_evidence::run::{Link, Run, Step};
use svc_evidence::tip::ProvedTip;

use crate::common::TestChain;

/// Level of the runs, and how many blocks reach it.
const LEVEL: u8 = 2;
/// The lie stands beside this block, above the security fork or below it.
const AT: usize = 12;
const LENGTH: usize = 860;

fn chain(fork: u64) -> TestChain {
    TestChain::make(21, LENGTH, fork, LEVEL, 4)
}

/// A state under its header, and a run above it, as a node tells them.
fn told((base, opening): &(Header, Opening), links: Vec<Link>, level: u8) -> [Vec<u8>; 2] {
    let base = (base.clone(), None);
    let run = Run {
        level,
        base: base.clone(),
        links,
    };
    [opening.encode(&base), run.encode()]
}

/// The same, judged.
fn shown(
    chain: &TestChain,
    base: &(Header, Opening),
    links: Vec<Link>,
    level: u8,
) -> Result<ProvedTip, SvcError> {
    let [opening, run] = told(base, links, level);
    chain.with_judge(None, |judge| judge.tip(&opening, &run))
}

/// Honest links above a block that is shown, up to the end of the chain.
fn honest_above(chain: &TestChain, below: usize) -> Vec<Link> {
    chain.run(below, LENGTH, LEVEL).links
}

/// The first block at or above an index that reaches the level.
fn high(chain: &TestChain, from: usize) -> usize {
    let is_high = |index: &usize| chain.level_of(&chain.blocks[*index].header) >= LEVEL;
    (from..).find(is_high).unwrap()
}

/// A link over all blocks above `below`, with this opening of the lowest state.
fn over(chain: &TestChain, below: usize, index: usize, lowest: ParentPath) -> Link {
    let above = &chain.blocks[below + 2..=index];
    Link {
        step: Step::Over {
            lowest,
            states: above.iter().map(|made| made.sequencing).collect(),
        },
        header: chain.header(index),
    }
}

/// Openings that a liar may try: that of the true state, one with his payload's digest, and his block as a sibling.
fn tries(chain: &TestChain, above: usize, lie: &Header) -> Vec<ParentPath> {
    let honest = chain.blocks[above].path.clone();
    let mut bare = honest.clone();
    bare.siblings.clear();
    let mut beside = honest.clone();
    beside.siblings.insert(0, chain.hash(above - 1));
    let mut longer = honest.clone();
    longer.siblings.push(lie.hash());
    let mut own = honest.clone();
    own.payload_digest = Hash32([7; 32]);
    vec![honest, bare, beside, longer, own, ParentPath::default()]
}

fn code<T>(result: Result<T, SvcError>) -> Code {
    result.err().expect("the lie was believed").code
}

#[test]
fn an_honest_base_is_believed_before_at_and_after_the_fork() {
    for fork in [0, AT as u64 - 1, AT as u64, AT as u64 + 1, 10_000] {
        let chain = chain(fork);
        let base = (
            chain.blocks[AT].header.clone(),
            chain.opening(AT - 1, false),
        );
        let tip = shown(&chain, &base, honest_above(&chain, AT), LEVEL).unwrap();
        assert_eq!(tip.state().block(), chain.hash(AT - 1));
        assert!(tip.run().blocks() > 800);
    }
}

#[test]
fn a_sibling_with_a_false_state_gets_no_work_from_the_blocks_above() {
    for fork in [0, AT as u64, 10_000] {
        let chain = chain(fork);
        let lie = chain.lie_beside(AT, LEVEL);
        // Over the honest child, which nothing but its first parent binds to the block below.
        let next = high(&chain, AT + 2);
        for lowest in tries(&chain, AT + 1, &lie.0) {
            let mut links = vec![over(&chain, AT, next, lowest)];
            links.extend(honest_above(&chain, next));
            assert_eq!(
                code(shown(&chain, &lie, links, LEVEL)),
                Code::EvidenceNotLinked
            );
        }
        // By name.
        let mut links = vec![Link {
            step: Step::Neighbour,
            header: chain.header(AT + 1),
        }];
        links.extend(honest_above(&chain, AT + 1));
        assert_eq!(
            code(shown(&chain, &lie, links, LEVEL)),
            Code::EvidenceNotLinked
        );
    }
}

#[test]
fn a_block_with_a_foreign_parent_gets_none() {
    let chain = chain(0);
    let mut lie = chain.lie_beside(AT, LEVEL);
    lie.0.parents = Parents::from_levels(&[vec![Hash32([9; 32])]]).unwrap();
    chain.mine(&mut lie.0, LEVEL);
    let next = high(&chain, AT + 2);
    for lowest in tries(&chain, AT + 1, &lie.0) {
        let mut links = vec![over(&chain, AT, next, lowest)];
        links.extend(honest_above(&chain, next));
        let found = code(shown(&chain, &lie, links, LEVEL));
        // Its state names another block, which is refused as well.
        assert!(matches!(
            found,
            Code::EvidenceNotLinked | Code::EvidenceOtherState
        ));
    }
}

#[test]
fn a_bridge_of_two_mined_headers_gets_none() {
    let chain = chain(0);
    let lie = chain.lie_beside(AT, LEVEL);
    // A child that names the lie first and copies the accepted ids of the honest block beside it.
    let mut bridge = chain.blocks[AT + 1].header.clone();
    bridge.parents = Parents::from_levels(&[vec![lie.0.hash()]]).unwrap();
    bridge.nonce = 0;
    chain.mine(&mut bridge, LEVEL);
    let next = high(&chain, AT + 3);
    for lowest in tries(&chain, AT + 2, &bridge) {
        let mut links = vec![Link {
            step: Step::Neighbour,
            header: (bridge.clone(), None),
        }];
        links.push(over(&chain, AT + 1, next, lowest));
        links.extend(honest_above(&chain, next));
        assert_eq!(
            code(shown(&chain, &lie, links, LEVEL)),
            Code::EvidenceNotLinked
        );
    }
}

#[test]
fn a_step_over_blocks_at_level_0_is_refused() {
    let chain = chain(0);
    // Even an honest one: there every header is shown.
    let base = (
        chain.blocks[AT].header.clone(),
        chain.opening(AT - 1, false),
    );
    let step = chain.step(AT, AT + 2);
    let links = vec![Link {
        step,
        header: chain.header(AT + 2),
    }];
    assert_eq!(
        code(shown(&chain, &base, links, 0)),
        Code::EvidenceNotLinked
    );
    let lie = chain.lie_beside(AT, 0);
    for lowest in tries(&chain, AT + 1, &lie.0) {
        let links = vec![over(&chain, AT, AT + 2, lowest)];
        assert_eq!(code(shown(&chain, &lie, links, 0)), Code::EvidenceNotLinked);
    }
}

#[test]
fn dropped_links_are_not_made_up_for_by_states() {
    let chain = chain(0);
    let lie = chain.lie_beside(AT, LEVEL);
    // All links but the last one are left out, and one step leads over everything.
    let top = high(&chain, LENGTH - 40);
    for lowest in tries(&chain, AT + 1, &lie.0) {
        let links = vec![over(&chain, AT, top, lowest)];
        let found = code(shown(&chain, &lie, links, LEVEL));
        assert_eq!(found, Code::EvidenceTooFewHeaders);
    }
    // So many headers that there are enough: the same one again is not above itself.
    let next = high(&chain, AT + 2);
    let again = over(&chain, AT, next, chain.blocks[AT + 1].path.clone());
    let links = vec![again; 200];
    assert_eq!(
        code(shown(&chain, &lie, links, LEVEL)),
        Code::EvidenceNotLinked
    );
}

#[test]
fn a_liar_who_mines_all_of_it_is_believed_for_all_of_it() {
    let chain = chain(0);
    let lie = chain.lie_beside(AT, 0);
    // The work above the lie is his own, header by header.
    let mut below = lie.0.clone();
    let mut links = Vec::new();
    for index in AT + 1..AT + 21 {
        let mut header = chain.blocks[index].header.clone();
        header.parents = Parents::from_levels(&[vec![below.hash()]]).unwrap();
        header.nonce = 0;
        chain.mine(&mut header, 0);
        links.push(Link {
            step: Step::Neighbour,
            header: (header.clone(), None),
        });
        below = header;
    }
    // One honest header above adds nothing.
    let mut more = links.clone();
    more.push(Link {
        step: Step::Neighbour,
        header: chain.header(AT + 21),
    });
    assert_eq!(code(shown(&chain, &lie, more, 0)), Code::EvidenceNotLinked);
    let tip = shown(&chain, &lie, links, 0).unwrap();
    assert_eq!(tip.run().blocks(), 20);
    assert_eq!(
        tip.state().parts().cumulative_coinbase,
        600 * AT as u128 + 10_000_000
    );
}

const VECTORS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/vectors/worked-lies.json"
);

/// Headers above a lie that is told by name.
const SHORT: usize = 20;

fn by_name(chain: &TestChain, from: usize) -> Vec<Link> {
    chain.run(from, AT + SHORT, 0).links
}

/// The lies on a network with work, and the truth beside them: what each user of the judge is told.
fn lies(chain: &TestChain) -> Vec<(&'static str, [Vec<u8>; 2])> {
    let honest = (
        chain.blocks[AT].header.clone(),
        chain.opening(AT - 1, false),
    );
    let lie = chain.lie_beside(AT, 0);
    let high_lie = chain.lie_beside(AT, LEVEL);
    let mut foreign = chain.lie_beside(AT, 0);
    foreign.0.parents = Parents::from_levels(&[vec![Hash32([9; 32])]]).unwrap();
    foreign.0.nonce = 0;
    chain.mine(&mut foreign.0, 0);
    let mut bridge = chain.blocks[AT + 1].header.clone();
    bridge.parents = Parents::from_levels(&[vec![lie.0.hash()]]).unwrap();
    bridge.nonce = 0;
    chain.mine(&mut bridge, 0);
    let mut bridged = vec![Link {
        step: Step::Neighbour,
        header: (bridge, None),
    }];
    bridged.extend(by_name(chain, AT + 1));
    let path = chain.blocks[AT + 1].path.clone();
    let mut level_0 = vec![over(chain, AT, AT + 2, path.clone())];
    level_0.extend(by_name(chain, AT + 2));
    let next = high(chain, AT + 2);
    let mut stepped = vec![over(chain, AT, next, path.clone())];
    stepped.extend(honest_above(chain, next));
    let top = high(chain, LENGTH - 40);
    vec![
        ("the truth", told(&honest, by_name(chain, AT), 0)),
        ("its header alone", told(&honest, Vec::new(), 0)),
        (
            "a sibling with a false state",
            told(&lie, by_name(chain, AT), 0),
        ),
        ("a foreign parent", told(&foreign, by_name(chain, AT), 0)),
        ("a bridge of two headers", told(&lie, bridged, 0)),
        ("a state link at level 0", told(&lie, level_0, 0)),
        (
            "a step over the honest child",
            told(&high_lie, stepped, LEVEL),
        ),
        (
            "dropped links",
            told(&high_lie, vec![over(chain, AT, top, path)], LEVEL),
        ),
    ]
}

/// The vectors are of these lies, before and after the fork. `SVC_WRITE_VECTORS` writes them.
#[test]
fn the_vectors_are_of_these_lies() {
    let chains = [0, 10_000].map(|fork| {
        let chain = chain(fork);
        let profile: Value = serde_json::from_str(&chain.profile.canonical_json()).unwrap();
        let told = lies(&chain).into_iter().map(|(name, [opening, run])| {
            let found = chain.with_judge(None, |judge| judge.tip(&opening, &run));
            let is_true = ["the truth", "its header alone"].contains(&name);
            assert_eq!(found.is_ok(), is_true, "{name}");
            json!({
                "name": name,
                "opening": hex::encode(&opening),
                "run": hex::encode(&run),
                "code": found.err().map(|error| error.code.as_str()),
            })
        });
        json!({ "profile": profile, "told": told.collect::<Vec<_>>() })
    });
    let vectors = json!({
        "origin": "made by this project: the chain of crates/evidence/tests/common, and the lies of mined_lies.rs beside it, all with work",
        "chains": chains,
    });
    let text = serde_json::to_string_pretty(&vectors).unwrap() + "\n";
    if std::env::var_os("SVC_WRITE_VECTORS").is_some() {
        std::fs::write(VECTORS, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(VECTORS).unwrap() == text,
        "the vectors are others"
    );
}
