//! Evidence of a chain of our own: what holds, and one named error for each thing that does not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use svc_chain::uint256::U256;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_evidence::header::WorkFloor;
use svc_evidence::membership::{LogPlace, Membership};
use svc_evidence::opening::{Nullifiers, Opening, ProvedState};
use svc_evidence::parent_path::ParentPath;
use svc_evidence::run::{Run, Step};

use crate::common::{EASY_BITS, TestChain};

/// A change that sees more than what it changes.
type ChangeOf<'a, T> = &'a dyn Fn(&mut T);
/// A named change.
type Change<T> = (&'static str, fn(&mut T));

/// A change of a step over blocks.
type StepChange<'a> = &'a dyn Fn(&mut ParentPath, &mut Vec<Hash32>);

const FORK: u64 = 9;

fn chain() -> TestChain {
    TestChain::make(7, 60, FORK, 0, 0)
}

fn opened(chain: &TestChain, index: usize) -> Result<ProvedState, SvcError> {
    opened_as(chain, index, chain.opening(index, false))
}

fn opened_as(chain: &TestChain, index: usize, opening: Opening) -> Result<ProvedState, SvcError> {
    chain.with_judge(None, |judge| {
        let child = judge.header(chain.header(index + 1))?;
        judge.opening(&child, opening)
    })
}

fn refused<T>(result: Result<T, SvcError>) -> Code {
    result.err().expect("must be refused").code
}

#[test]
fn states_of_every_block_open_on_both_sides_of_the_fork() {
    let chain = chain();
    for index in 0..60 {
        for with_product in [false, true] {
            let opening = chain.opening(index, with_product);
            let bytes = opening.encode(&chain.header(index + 1));
            let (header, read) = Opening::decode(&bytes).unwrap();
            assert_eq!((&header, &read), (&chain.header(index + 1), &opening));
            let state = opened_as(&chain, index, read).unwrap();
            assert_eq!(state.block(), chain.hash(index));
            assert_eq!(state.child(), chain.hash(index + 1));
            assert_eq!(state.parts().cumulative_coinbase, 600 * (index as u128 + 1));
            let count = state.log().map(|log| log.count());
            let expected = (index as u64 >= FORK).then(|| index as u64 - FORK + 1);
            assert_eq!(count, expected, "log after {index}");
        }
    }
}

#[test]
fn another_state_is_refused_part_by_part() {
    let chain = chain();
    let changes: [Change<Opening>; 11] = [
        ("tree", |one| one.tree_root.0[0] ^= 1),
        ("nullifiers", |one| {
            one.nullifiers = Nullifiers::Digest(Hash32::ZERO);
        }),
        ("minted", |one| one.cumulative_coinbase += 1),
        ("fees", |one| one.cumulative_fees += 1),
        ("form", |one| one.log = None),
        ("parent", |one| one.log.as_mut().unwrap().parent.0[3] ^= 1),
        ("score", |one| one.log.as_mut().unwrap().blue_score += 1),
        ("carried fee", |one| {
            one.log.as_mut().unwrap().dev_accrued += 1
        }),
        ("slot", |one| one.log.as_mut().unwrap().slot_amount += 1),
        ("holder", |one| {
            one.log.as_mut().unwrap().slot_script[1] ^= 1
        }),
        ("holder's version", |one| {
            one.log.as_mut().unwrap().slot_script_version += 1
        }),
    ];
    for (what, change) in changes {
        let mut opening = chain.opening(30, false);
        change(&mut opening);
        assert_eq!(
            refused(opened_as(&chain, 30, opening)),
            Code::EvidenceOtherState,
            "{what}"
        );
    }
}

#[test]
fn an_opening_of_another_place_is_refused() {
    let chain = chain();
    // The coinbase of the block after.
    let mut opening = chain.opening(30, false);
    opening.coinbase = chain.blocks[32].transactions[0].clone();
    assert_eq!(
        refused(opened_as(&chain, 30, opening)),
        Code::EvidenceForeignCoinbase
    );
    // Swapped openings.
    assert_eq!(
        refused(opened_as(&chain, 30, chain.opening(31, false))),
        Code::EvidenceForeignCoinbase
    );
    // A sibling too many.
    let mut opening = chain.opening(30, false);
    opening.branch.push(Hash32::ZERO);
    assert_eq!(
        refused(opened_as(&chain, 30, opening)),
        Code::EvidenceForeignCoinbase
    );
}

#[test]
fn genesis_commits_to_no_state() {
    let chain = chain();
    let code = chain.with_judge(None, |judge| {
        let genesis = judge.header(chain.header(0)).unwrap();
        let mut opening = chain.opening(0, false);
        opening.coinbase = chain.blocks[0].transactions[0].clone();
        opening.branch = Opening::branch_in(&chain.blocks[0].transactions);
        refused(judge.opening(&genesis, opening))
    });
    assert_eq!(code, Code::EvidenceNoParent);
}

#[test]
fn every_entry_is_a_member_of_every_later_log() {
    let chain = chain();
    let first = FORK as usize;
    for at in first..60 {
        let state = opened(&chain, at).unwrap();
        for index in first..=at {
            let told = Membership::decode(&chain.membership(index, at).encode()).unwrap();
            let entry = chain
                .with_judge(None, |judge| judge.membership(&state, told))
                .unwrap();
            assert_eq!(entry.entry().block, chain.hash(index));
            assert_eq!(entry.entry().parent, chain.hash(index - 1));
            assert_eq!(entry.entry().tree_root, chain.blocks[index].tree_root);
        }
    }
}

#[test]
fn who_is_no_member_is_refused() {
    let chain = chain();
    let state = opened(&chain, 40).unwrap();
    let check = |told| chain.with_judge(None, |judge| refused(judge.membership(&state, told)));
    let changes: [Change<Membership>; 8] = [
        ("block", |one| one.entry.block.0[0] ^= 1),
        ("parent", |one| one.entry.parent.0[0] ^= 1),
        ("tree root", |one| one.entry.tree_root.0[0] ^= 1),
        ("score", |one| one.entry.blue_score ^= 1),
        ("place", |one| one.index ^= 1),
        ("beyond the log", |one| one.index = u64::MAX),
        ("short path", |one| one.path.truncate(one.path.len() - 1)),
        ("long path", |one| one.path.push(Hash32::ZERO)),
    ];
    for (what, change) in changes {
        let mut told = chain.membership(20, 40);
        change(&mut told);
        assert_eq!(check(told), Code::EvidenceNotMember, "{what}");
    }
    // The path in a later log, where the entry stands under a higher peak.
    let state = opened(&chain, 46).unwrap();
    let told = chain.membership(45, 59);
    let code = chain.with_judge(None, |judge| refused(judge.membership(&state, told)));
    assert_eq!(code, Code::EvidenceNotMember);
    let early = opened(&chain, 3).unwrap();
    let told = chain.membership(20, 40);
    let code = chain.with_judge(None, |judge| refused(judge.membership(&early, told)));
    assert_eq!(code, Code::EvidenceNoLog);
}

#[test]
fn places_agree_with_the_peaks() {
    for count in 0..200_u64 {
        assert_eq!(LogPlace::of(count, count), None);
        let mut first = 0;
        for (peak, height) in (0..64)
            .rev()
            .filter(|height| count >> height & 1 == 1)
            .enumerate()
        {
            for index in first..first + (1 << height) {
                assert_eq!(LogPlace::of(index, count), Some(LogPlace { peak, height }));
            }
            first += 1 << height;
        }
        assert_eq!(first, count);
    }
    let greatest = LogPlace::of(0, u64::MAX).unwrap();
    assert_eq!((greatest.peak, greatest.height), (0, 63));
}

#[test]
fn a_run_of_all_headers_sums_their_work() {
    let chain = chain();
    let told = Run::decode(&chain.run(10, 50, 0).encode()).unwrap();
    assert_eq!(told, chain.run(10, 50, 0));
    let run = chain.with_judge(None, |judge| judge.run(told)).unwrap();
    assert_eq!(run.base().hash(), chain.hash(10));
    assert_eq!(run.tip().hash(), chain.hash(50));
    assert_eq!((run.blocks(), run.in_blocks_of_tip()), (40, 40));
    assert_eq!(run.work(), U256::from(40 * 2));
}

#[test]
fn a_run_of_a_level_stands_for_the_work_between() {
    let chain = TestChain::make(8, 820, 0, 2, 4);
    let told = chain.run(0, 820, 2);
    assert!(told.links.len() >= 200 && told.links.len() < 500);
    let count = told.links.len();
    let run = chain.with_judge(None, |judge| judge.run(told)).unwrap();
    assert_eq!(run.blocks(), 820);
    // A level of 2 of 254 takes sixteen hashes.
    assert_eq!(run.work(), U256::from(16 * count));
    let few = chain.run(0, 400, 2);
    assert!(few.links.len() < 200);
    let code = chain.with_judge(None, |judge| refused(judge.run(few)));
    assert_eq!(code, Code::EvidenceTooFewHeaders);
}

#[test]
fn a_run_that_is_not_one_chain_is_refused() {
    let chain = chain();
    let check = |change: ChangeOf<'_, Run>| {
        let mut told = chain.run(10, 50, 0);
        change(&mut told);
        chain.with_judge(None, |judge| refused(judge.run(told)))
    };
    let swap: ChangeOf<'_, Run> = &|run| run.links.swap(3, 4);
    let leave_out: ChangeOf<'_, Run> = &|run| drop(run.links.remove(5));
    let needless: ChangeOf<'_, Run> = &|run| {
        run.links[2].step = Step::Over {
            lowest: chain.blocks[13].path.clone(),
            states: Vec::new(),
        };
    };
    let hidden: ChangeOf<'_, Run> = &|run| drop(run.links.drain(5..9));
    let other_base: ChangeOf<'_, Run> = &|run| run.base = chain.header(9);
    for change in [swap, leave_out, needless, hidden, other_base] {
        assert_eq!(check(change), Code::EvidenceNotLinked);
    }
    // Another nonce is another block, without work or without a place.
    let code = check(&|run| run.links[2].header.0.nonce ^= 1);
    assert!(matches!(
        code,
        Code::HeaderInvalidPow | Code::EvidenceNotLinked
    ));
    let code = check(&|run| run.links[2].header.1 = Some(vec![1]));
    assert_eq!(code, Code::CodecNotCanonical);
}

#[test]
fn states_that_do_not_lead_to_the_next_header_are_refused() {
    let chain = TestChain::make(8, 820, 0, 2, 4);
    let check = |change: StepChange<'_>| {
        let mut told = chain.run(0, 820, 2);
        let far = told.links.iter_mut().find_map(|link| match &mut link.step {
            Step::Over { lowest, states } if states.len() == 3 => Some((lowest, states)),
            _ => None,
        });
        let (lowest, states) = far.unwrap();
        change(lowest, states);
        chain.with_judge(None, |judge| refused(judge.run(told)))
    };
    let changes: [StepChange<'_>; 11] = [
        &|_, states| states[0].0[0] ^= 1,
        &|_, states| states.swap(1, 2),
        &|_, states| states.truncate(2),
        &|_, states| states.push(Hash32::ZERO),
        &|_, states| states.clear(),
        &|lowest, _| lowest.activity_root.0[0] ^= 1,
        &|lowest, _| lowest.payload_digest.0[0] ^= 1,
        &|lowest, _| lowest.daa_step += 1,
        &|lowest, _| lowest.blue_step += 1,
        &|lowest, _| lowest.siblings.push(Hash32::ZERO),
        &|lowest, _| *lowest = chain.blocks[9].path.clone(),
    ];
    for change in changes {
        assert_eq!(check(change), Code::EvidenceNotLinked);
    }
}

#[test]
fn a_header_below_the_level_of_its_run_is_refused() {
    let chain = TestChain::make(9, 820, 0, 2, 4);
    let mut told = chain.run(0, 820, 1);
    told.level = 9;
    let code = chain.with_judge(None, |judge| refused(judge.run(told)));
    assert_eq!(code, Code::EvidenceBelowLevel);
}

#[test]
fn bits_easier_than_the_floor_are_refused() {
    let chain = chain();
    let harder = 0x2000_ffff;
    let floor = |halvings| WorkFloor::below(&chain.profile, harder, halvings);
    let check = |floor| chain.with_judge(Some(floor), |judge| judge.header(chain.header(5)));
    assert_eq!(refused(check(floor(0))), Code::EvidenceTooEasy);
    assert_eq!(refused(check(floor(7))), Code::EvidenceTooEasy);
    assert!(check(floor(8)).is_ok() && check(floor(400)).is_ok());
    assert!(
        WorkFloor::below(&chain.profile, EASY_BITS, 3)
            .check(0x2100_ffff)
            .is_err()
    );
}

/// Evidence of the tip of a chain: the state after block 40, and the ten headers above.
fn tip_bytes(chain: &TestChain) -> (Vec<u8>, Vec<u8>) {
    let opening = chain.opening(40, false).encode(&chain.header(41));
    (opening, chain.run(41, 51, 0).encode())
}

#[test]
fn a_tip_is_a_state_with_work_above_it_and_opens_the_chain_below() {
    let chain = chain();
    chain.with_judge(None, |judge| {
        let (opening, run) = tip_bytes(&chain);
        let tip = judge.tip(&opening, &run).unwrap();
        assert_eq!(tip.state().block(), chain.hash(40));
        assert_eq!(tip.run().tip().hash(), chain.hash(51));
        for index in FORK as usize..40 {
            let membership = chain.membership(index + 1, 40).encode();
            let opening = chain.opening(index, true).encode(&chain.header(index + 1));
            let state = judge.older(&tip, &membership, &opening).unwrap();
            assert_eq!(state.block(), chain.hash(index));
            // An opening of another place does not belong to the member.
            let other = chain.opening(index - 1, true).encode(&chain.header(index));
            let code = refused(judge.older(&tip, &membership, &other));
            assert_eq!(code, Code::EvidenceOtherHeader);
        }
        let other = chain.run(42, 51, 0).encode();
        assert_eq!(
            refused(judge.tip(&opening, &other)),
            Code::EvidenceOtherHeader
        );
    });
}

#[test]
fn no_changed_byte_of_a_tip_is_accepted() {
    let chain = chain();
    chain.with_judge(None, |judge| {
        let (opening, run) = tip_bytes(&chain);
        let tip = judge.tip(&opening, &run).unwrap().run().tip().hash();
        for place in 0..opening.len() {
            let mut other = opening.clone();
            other[place] ^= 1;
            assert!(judge.tip(&other, &run).is_err(), "opening, byte {place}");
        }
        for place in 0..run.len() {
            let mut other = run.clone();
            other[place] ^= 1;
            // The easiest work is found by chance: then the tip is another block, which was mined.
            let found = judge.tip(&opening, &other);
            assert!(
                found.is_err() || found.unwrap().run().tip().hash() != tip,
                "run, byte {place}"
            );
        }
        for length in 0..opening.len() {
            assert!(judge.tip(&opening[..length], &run).is_err());
        }
    });
}

#[test]
fn a_network_without_work_proves_none() {
    let mut chain = chain();
    chain.profile.skip_proof_of_work = true;
    let told = chain.run(10, 50, 0);
    let run = chain.with_judge(None, |judge| judge.run(told)).unwrap();
    assert_eq!((run.work(), run.in_blocks_of_tip()), (U256::zero(), 0));
}
