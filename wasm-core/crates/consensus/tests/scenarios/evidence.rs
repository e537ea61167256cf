//! Evidence that a node serves, checked by who holds nothing of its chain: every chain block on both sides of the fork,
//! after reorganisations, merge-mined blocks among them.

use serde_json::json;
use svc_chain::muhash::MuHash;
use svc_chain::profile::Profile;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::parameters::Parameters;
use svc_consensus::questions::evidence;
use svc_consensus::store::{Change, Store, tables};
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::membership::{Membership, ProvedEntry};
use svc_evidence::opening::{Nullifiers, OpenedLog, Opening, ProvedState};
use svc_evidence::run::{ProvedRun, Run};
use svc_pow::judge_work::WorkNetwork;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals};

use crate::scenarios::kit::{Node, simnet_with};
use crate::scenarios::merge_kit;
use crate::scenarios::payments::Payment;
use crate::scenarios::pruning_kit::{Miners, prune_all, small_network, without_fork};

const FORK: u64 = 15;

fn crossing() -> Profile {
    simnet_with(&[("/activations/securityFork", json!(FORK))])
}

fn judge(rules: &Parameters) -> Judge<'_> {
    Judge {
        network: WorkNetwork {
            profile: &rules.profile,
            genesis: &rules.genesis_hash,
        },
        floor: WorkFloor::of_network(&rules.profile),
    }
}

fn opened(node: &Node, block: &Hash32, with_product: bool) -> Result<ProvedState, SvcError> {
    let bytes = evidence::opening(node.engine.chain(), block, with_product)?;
    let (header, opening) = Opening::decode(&bytes)?;
    let judge = judge(node.engine.rules());
    let child = judge.header(header)?;
    judge.opening(&child, opening)
}

fn member(node: &Node, block: &Hash32, at: &Hash32) -> Result<ProvedEntry, SvcError> {
    let told = Membership::decode(&evidence::membership(node.engine.chain(), block, at)?)?;
    judge(node.engine.rules()).membership(&opened(node, at, false)?, told)
}

/// A run that the node shows, judged.
pub fn run(node: &Node, from: &Hash32, to: &Hash32) -> Result<ProvedRun, SvcError> {
    let told = Run::decode(&evidence::run(node.engine.chain(), from, to)?)?;
    judge(node.engine.rules()).run(told)
}

/// Checks all there is to show of the selected chain.
fn assert_all(node: &Node) {
    let chain = node.chain();
    let (tip, below) = chain.split_last().unwrap();
    let top = below.last().unwrap();
    for (index, block) in below.iter().enumerate() {
        let state = node.state_of(block);
        for with_product in [false, true] {
            let proved = opened(node, block, with_product).unwrap();
            assert_eq!(proved.block(), *block);
            assert_eq!(proved.parts().tree_root, state.tree_root);
            assert_eq!(
                proved.parts().cumulative_coinbase,
                state.cumulative_coinbase
            );
            assert_eq!(
                proved.log(),
                Some(&state.anchor_log).filter(|log| log.count() > 0)
            );
            if let Nullifiers::Product(product) = &proved.parts().nullifiers {
                assert_eq!(**product, state.nullifiers.clone().unwrap_or_default());
            }
        }
        let proved = run(node, block, tip).unwrap();
        assert_eq!((proved.base().hash(), proved.tip().hash()), (*block, *tip));
        assert_eq!(proved.blocks() as usize, chain.len() - 1 - index);
        if node.daa(block) >= FORK {
            let proved = member(node, block, top).unwrap();
            assert_eq!(proved.entry().block, *block);
            assert_eq!(proved.entry().parent, chain[index - 1]);
            assert_eq!(proved.entry().tree_root, state.tree_root);
            assert_eq!(proved.entry().blue_score, node.blue_score(block));
        } else {
            let error = member(node, block, top).unwrap_err();
            assert_eq!(error.code, Code::EvidenceNotMember);
        }
    }
}

/// Two branches that grow in turn, with payments, then one that wins.
pub fn grown() -> Node {
    let mut node = Node::new(crossing());
    let base = node.mine_many(1, 12);
    for round in 0..3_u64 {
        let mut other = node.copy();
        let payment = Payment::of(7 + round).plain().against(&node, &base[1]);
        let is_young = node.daa(&node.sink()) + 1 < FORK;
        let payments = if is_young {
            vec![payment.fee(500).build()]
        } else {
            Vec::new()
        };
        node.mine(1, &payments);
        node.mine_many(1, 4);
        let first = other.chain().len();
        other.mine_many(2, 6);
        node.insert_chain(&other, first);
        node.settle();
        assert_eq!(node.sink(), other.sink(), "the longer branch wins");
    }
    node.mine_many(1, 5);
    node
}

#[test]
fn all_evidence_of_a_chain_with_reorganisations_and_the_fork_inside_holds() {
    assert_all(&grown());
}

#[test]
fn a_store_without_kept_evidence_shows_the_same() {
    let node = grown();
    let mut store = node.engine.records().overlay.store().clone();
    let rows = node.dump(&[tables::CHAIN_EVIDENCE]);
    assert!(!rows.is_empty());
    let gone = |(table, key, _)| Change {
        table,
        key,
        value: None,
    };
    store.commit(rows.into_iter().map(gone).collect()).unwrap();
    let bare = Node::open(store, crossing());
    assert_all(&bare);
    let chain = node.chain();
    let (block, at, tip) = (chain[20], chain[chain.len() - 2], node.sink());
    let shown = |node: &Node| {
        let chain = node.engine.chain();
        (
            evidence::opening(chain, &at, true).unwrap(),
            evidence::membership(chain, &block, &at).unwrap(),
            evidence::run(chain, &block, &tip).unwrap(),
        )
    };
    assert_eq!(shown(&bare), shown(&node));
}

/// Genesis appends nothing to the log, so its state has the empty one where the fork holds from genesis on.
#[test]
fn the_state_of_genesis_is_opened_on_both_sides_of_the_fork() {
    for (profile, logged) in [
        (crossing(), None),
        (
            simnet_with(&[("/activations/securityFork", json!(0))]),
            Some(0),
        ),
    ] {
        let mut node = Node::new(profile);
        node.mine_many(1, 3);
        let chain = node.chain();
        let state = opened(&node, &chain[0], true).unwrap();
        assert_eq!((state.block(), state.child()), (chain[0], chain[1]));
        assert_eq!(state.log().map(AnchorLog::count), logged);
        let Nullifiers::Product(product) = &state.parts().nullifiers else {
            panic!("no product");
        };
        assert_eq!(product.finalize(), MuHash::empty_digest());
        assert_eq!(opened(&node, &chain[1], false).unwrap().block(), chain[1]);
    }
}

/// What is free in the log of genesis would be free in its opening.
#[test]
fn a_log_that_genesis_does_not_have_opens_nothing() {
    let mut node = Node::new(simnet_with(&[("/activations/securityFork", json!(0))]));
    node.mine_many(1, 3);
    let told = evidence::opening(node.engine.chain(), &node.chain()[0], true).unwrap();
    let (header, opening) = Opening::decode(&told).unwrap();
    let judge = judge(node.engine.rules());
    let child = judge.header(header).unwrap();
    let forged = |change: fn(&mut OpenedLog)| {
        let mut opening = opening.clone();
        change(opening.log.as_mut().unwrap());
        judge.opening(&child, opening).unwrap_err().code
    };
    assert_eq!(
        forged(|log| log.parent = Hash32([1; 32])),
        Code::CodecNotCanonical
    );
    assert_eq!(forged(|log| log.blue_score = 1), Code::CodecNotCanonical);
    let personals = LogPersonals::of(&node.engine.rules().profile);
    let mut longer = opening.clone();
    let entry = LogEntry {
        block: Hash32([2; 32]),
        parent: Hash32([3; 32]),
        tree_root: Hash32([4; 32]),
        blue_score: 1,
    };
    longer
        .log
        .as_mut()
        .unwrap()
        .before
        .append(&personals, &entry);
    let error = judge.opening(&child, longer).unwrap_err();
    assert_eq!(error.code, Code::CodecNotCanonical);
    assert_eq!(forged(|log| log.slot_amount = 1), Code::EvidenceOtherState);
}

#[test]
fn the_tip_names_the_blocks_whose_evidence_proves_it() {
    let node = grown();
    let (chain, sink) = (node.chain(), node.sink());
    let named = |depth: u64| evidence::tip(node.engine.chain(), depth);
    for depth in 0..=node.blue_score(&sink) + 1 {
        let facts = named(depth).unwrap();
        let hash = |name: &str| facts[name].as_str().unwrap().parse::<Hash32>().unwrap();
        let (block, child) = (hash("block"), hash("child"));
        let place = chain.iter().position(|at| *at == block).unwrap();
        assert_eq!((chain[place + 1], hash("sink")), (child, sink));
        let below = |at: &Hash32| node.blue_score(at) + depth <= node.blue_score(&sink);
        assert!(below(&block) || block == chain[0]);
        assert!(!below(&child) || child == sink, "no higher one is as deep");
        let state = opened(&node, &block, false).unwrap();
        let proved = run(&node, &state.child(), &sink).unwrap();
        assert_eq!(facts["blocks"], proved.blocks().to_string());
        let count = state.log().map(|log| log.count().to_string());
        assert_eq!(facts["logCount"], json!(count));
        assert_eq!(facts["blueScore"], node.blue_score(&block).to_string());
        assert_eq!(facts["securityFork"], FORK.to_string());
    }
    assert_eq!(named(7_201).unwrap_err().code, Code::CodecCountTooLarge);
    let bare = Node::new(crossing());
    let error = evidence::tip(bare.engine.chain(), 1).unwrap_err();
    assert_eq!(error.code, Code::ChainUnknownBlock);
}

#[test]
fn merge_mined_blocks_show_their_work() {
    let mut node = merge_kit::node(&[]);
    merge_kit::mine_native(&mut node, 2);
    for miner in 1..4 {
        let block = node.build(miner, &[]);
        let (block, witness) = merge_kit::above_level_0(&node, block);
        merge_kit::add(&mut node, &block, Some(&witness));
    }
    merge_kit::mine_native(&mut node, 2);
    let chain = node.chain();
    let proved = run(&node, &chain[1], &node.sink()).unwrap();
    assert_eq!(proved.blocks(), 6);
    assert_eq!(proved.in_blocks_of_tip(), 6);
    assert_eq!(opened(&node, &chain[3], false).unwrap().block(), chain[3]);
}

#[test]
fn what_is_not_on_the_chain_has_no_evidence() {
    let node = grown();
    let (chain, stranger) = (node.chain(), Hash32([9; 32]));
    let (low, tip) = (chain[18], node.sink());
    let of = |result: Result<Vec<u8>, SvcError>| result.unwrap_err().code;
    let served = node.engine.chain();
    assert_eq!(
        of(evidence::opening(served, &stranger, false)),
        Code::ChainUnknownBlock
    );
    assert_eq!(
        of(evidence::opening(served, &tip, false)),
        Code::ChainUnknownBlock
    );
    assert_eq!(
        of(evidence::membership(served, &stranger, &low)),
        Code::ChainUnknownBlock
    );
    assert_eq!(
        of(evidence::membership(served, &tip, &low)),
        Code::EvidenceNotMember
    );
    assert_eq!(
        of(evidence::run(served, &low, &stranger)),
        Code::ChainUnknownBlock
    );
    assert_eq!(
        of(evidence::run(served, &tip, &low)),
        Code::CodecCountTooLarge
    );
}

#[test]
fn a_disqualified_block_that_was_merged_has_no_run_above_it() {
    let mut node = Node::new(crossing());
    node.mine_many(1, 20);
    let lie = crate::scenarios::kit::with_payload(&node.build(2, &[]), |payload| {
        payload.state_root = Hash32([1; 32]);
    });
    node.add(&lie);
    let honest = node.mine(1, &[]);
    node.mine_many(1, 3);
    assert!(node.chain().contains(&honest) && !node.chain().contains(&lie.hash()));
    // Its hash is among the parents of an honest block, and yet nothing leads from it to the tip.
    let told = evidence::run(node.engine.chain(), &honest, &node.sink()).unwrap();
    let mut told = Run::decode(&told).unwrap();
    told.base = (lie.header, None);
    let error = judge(node.engine.rules()).run(told).unwrap_err();
    assert_eq!(error.code, Code::EvidenceNotLinked);
}

/// A node that has pruned what it could, and its chain before.
pub fn pruned(profile: Profile) -> (Node, Vec<Hash32>) {
    let mut miners = Miners::new(&profile, 5, 3);
    let mut node = Node::new(profile);
    for _ in 0..400 {
        let block = miners.mine();
        node.insert(&block);
    }
    node.settle();
    let chain = node.chain();
    prune_all(&mut node, 40);
    let records = node.engine.records();
    assert!(records.body(&chain[2]).is_err(), "nothing was pruned");
    (node, chain)
}

/// Tree states stay at each thousandth DAA score, and genesis has the first.
#[test]
fn a_state_that_stays_is_opened_when_the_rest_is_pruned() {
    let (node, chain) = pruned(without_fork());
    let state = opened(&node, &chain[0], true).unwrap();
    assert_eq!((state.block(), state.child()), (chain[0], chain[1]));
    let code = opened(&node, &chain[2], true).unwrap_err().code;
    assert_eq!(code, Code::ChainPruned);
}

#[test]
fn a_pruned_block_is_a_member_of_the_log() {
    let (node, chain) = pruned(small_network());
    let at = chain[chain.len() - 2];
    for block in &chain[1..20] {
        let entry = member(&node, block, &at).unwrap();
        assert_eq!(entry.entry().block, *block);
    }
}
