//! One solution for two headers: a natively mined block that commits to the block below it, which so needs no work of its own. Before
//! merged mining is bound to the nonce both may stand in one run (specification consensus 6).
#![allow(clippy::unwrap_used)]

use svc_chain::bits::work_from_bits;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::merge_commitment::MergeForm;
use svc_chain::transaction::Transaction;
use svc_chain::witness::Witness;
use svc_codec::hash32::Hash32;
use svc_evidence::run::{Link, ProvedRun, Run, Step};
use svc_pow::heavy_hash::check_pow;

use crate::common::TestChain;

const AT: usize = 5;

/// A chain on which witnesses of form 0 hold.
fn chain() -> TestChain {
    let mut chain = TestChain::make(31, 8, 1, 0, 0);
    chain.profile.activations.bound_merge_mining = None;
    chain
}

/// A header with or without work of its own.
fn with_work(mut header: Header, enough: bool) -> Header {
    header.nonce = 0;
    while check_pow(&header).1 != enough {
        header.nonce += 1;
    }
    header
}

/// A block above another one, whose only transaction is this coinbase.
fn above(chain: &TestChain, below: &Header, coinbase: &Transaction) -> Header {
    let mut header = chain.blocks[AT].header.clone();
    header.parents = Parents::from_levels(&[vec![below.hash()]]).unwrap();
    header.blue_score = below.blue_score + 1;
    header.daa_score = below.daa_score + 1;
    header.hash_merkle_root = coinbase.hash();
    header
}

/// A coinbase that commits to a header in form 0.
fn committing(chain: &TestChain, header: &Header) -> Transaction {
    let mut coinbase = chain.blocks[AT].transactions[0].clone();
    let commitment = MergeForm::Id.commitment(&chain.profile, &chain.hash(0), header);
    coinbase.payload.extend(commitment);
    coinbase
}

fn witness(parent: &Header, coinbase: &Transaction) -> Vec<u8> {
    let witness = Witness {
        parent: parent.clone(),
        coinbase: coinbase.clone(),
        branch: Vec::new(),
        nesting: 0,
    };
    witness.to_bytes()
}

fn judged(chain: &TestChain, below: &Header, above: &Header, witness: Vec<u8>) -> ProvedRun {
    let link = |header: &Header, witness| Link {
        step: Step::Neighbour,
        header: (header.clone(), witness),
    };
    let run = Run {
        level: 0,
        base: chain.header(AT),
        links: vec![link(below, Some(witness)), link(above, None)],
    };
    chain.with_judge(None, |judge| judge.run(run)).unwrap()
}

#[test]
fn a_block_and_the_one_that_it_solves_count_as_one() {
    let chain = chain();
    let base = &chain.blocks[AT].header;
    let plain = chain.blocks[AT].transactions[0].clone();
    let lower = with_work(above(&chain, base, &plain), false);
    let coinbase = committing(&chain, &lower);
    let upper = with_work(above(&chain, &lower, &coinbase), true);
    let run = judged(&chain, &lower, &upper, witness(&upper, &coinbase));
    assert_eq!((run.base().hash(), run.blocks()), (base.hash(), 2));
    assert_eq!(run.work(), work_from_bits(upper.bits));
}

#[test]
fn blocks_with_solutions_of_their_own_count_each() {
    let chain = chain();
    let base = &chain.blocks[AT].header;
    let plain = chain.blocks[AT].transactions[0].clone();
    let lower = with_work(above(&chain, base, &plain), false);
    let coinbase = committing(&chain, &lower);
    let mut foreign = above(&chain, base, &coinbase);
    foreign.parents = Parents::from_levels(&[vec![Hash32([7; 32])]]).unwrap();
    let foreign = with_work(foreign, true);
    let upper = with_work(above(&chain, &lower, &plain), true);
    let run = judged(&chain, &lower, &upper, witness(&foreign, &coinbase));
    assert_eq!(
        run.work(),
        work_from_bits(upper.bits) + work_from_bits(lower.bits)
    );
}
