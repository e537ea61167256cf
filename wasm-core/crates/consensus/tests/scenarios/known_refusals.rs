//! A header that was refused before costs no proof of work when it comes again, and none is refused for another's
//! fault.

use std::cell::Cell;
use std::rc::Rc;

use serde_json::json;
use svc_chain::block::{Block, WitnessedBlock};
use svc_chain::header::parents::Parents;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::timings::{Part, Stopwatch};
use svc_pow::heavy_hash::check_pow;

use crate::scenarios::kit::{Node, simnet, simnet_with};

/// Counts how often proof of work was computed.
#[derive(Default)]
struct Matrices(Cell<usize>);

impl Stopwatch for Matrices {
    fn lap(&self, part: Part) {
        if part == Part::Work {
            self.0.set(self.0.get() + 1);
        }
    }
}

/// A node of a few blocks that counts.
fn counting(mut node: Node) -> (Node, Rc<Matrices>) {
    let matrices = Rc::new(Matrices::default());
    node.engine.set_stopwatch(matrices.clone());
    (node, matrices)
}

fn node() -> Node {
    let mut node = Node::new(simnet());
    node.mine_many(1, 5);
    node
}

fn refusal(node: &mut Node, block: &Block, witness: Option<Vec<u8>>) -> SvcError {
    let now = block.header.timestamp_ms;
    let block = block.clone();
    let incoming = WitnessedBlock { block, witness };
    match node.engine.insert_block(incoming, now).unwrap() {
        Inserted::Rejected(error) => error,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

fn parents(direct: &[Hash32]) -> Parents {
    Parents::from_levels(&[direct.to_vec()]).unwrap()
}

/// A block that the node refuses with the code, only after proof of work.
type Case = (&'static str, fn(&mut Node) -> Block);

const AFTER_WORK: [Case; 5] = [
    ("header/wrong-daa-score", |node| {
        let mut block = node.build(1, &[]);
        block.header.daa_score += 1;
        block
    }),
    ("header/wrong-bits", |node| {
        let mut block = node.build(1, &[]);
        block.header.bits -= 1;
        block
    }),
    ("header/related-parents", |node| {
        let chain = node.chain();
        let mut block = node.build(1, &[]);
        block.header.parents = parents(&[chain[5], chain[3]]);
        block
    }),
    ("header/invalid-parent", |node| {
        let mut bad = node.build(1, &[]);
        bad.header.blue_score += 1;
        assert_eq!(node.refusal(&bad), "header/wrong-blue-score");
        let mut block = node.build(1, &[]);
        block.header.parents = parents(&[bad.hash()]);
        block
    }),
    ("header/wrong-blue-work", |node| {
        let mut block = node.build(1, &[]);
        block.header.blue_work += 1.into();
        block
    }),
];

#[test]
fn a_refused_header_costs_no_matrix_the_second_time() {
    for (code, bad) in AFTER_WORK {
        let (mut node, matrices) = counting(node());
        let block = bad(&mut node);
        let before = matrices.0.get();
        assert_eq!(node.refusal(&block), code);
        assert_eq!(matrices.0.get(), before + 1, "{code}");
        let again = refusal(&mut node, &block, None);
        assert_eq!(again.code.as_str(), "header/known-invalid", "{code}");
        let expected = [
            ("hash", block.hash().to_string()),
            ("reason", code.to_owned()),
        ];
        assert_eq!(again.data, expected);
        // The witness has nothing to do with these.
        let again = refusal(&mut node, &block, Some(vec![1]));
        assert_eq!(again.code.as_str(), "header/known-invalid", "{code}");
        let outcomes = node.insert_headers(std::slice::from_ref(&block));
        assert!(matches!(&outcomes[..], [Inserted::Rejected(error)] if *error == again));
        assert_eq!(matrices.0.get(), before + 1, "{code}");
    }
}

/// A code, and a change that breaks its rule.
type Broken = (&'static str, fn(&mut Block));

/// What the header alone tells is found out before the matrix.
#[test]
fn what_a_header_alone_tells_costs_no_matrix() {
    let cases: [Broken; 6] = [
        ("header/no-parents", |block| {
            block.header.parents = Parents::from_levels(&[]).unwrap();
        }),
        ("header/too-many-parents", |block| {
            let many: Vec<Hash32> = (0..11).map(|index| Hash32([index; 32])).collect();
            block.header.parents = parents(&many);
        }),
        ("header/origin-parent", |block| {
            block.header.parents = parents(&[Hash32::ORIGIN]);
        }),
        ("header/time-too-far-ahead", |block| {
            block.header.timestamp_ms += 1_000_000;
        }),
        // No target at all, and one that is easier than the easiest.
        ("header/wrong-bits", |block| block.header.bits = 0x2080_0000),
        ("header/wrong-bits", |block| block.header.bits = 0x2100_ffff),
    ];
    let (mut node, matrices) = counting(node());
    for (code, change) in cases {
        let mut block = node.build(1, &[]);
        let now = block.header.timestamp_ms;
        change(&mut block);
        let before = matrices.0.get();
        for _ in 0..2 {
            match node.engine.insert_block(block.clone(), now).unwrap() {
                Inserted::Rejected(error) => assert_eq!(error.code.as_str(), code),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(matrices.0.get(), before, "{code}");
    }
}

#[test]
fn without_work_a_header_is_remembered_and_a_witness_is_heard() {
    let profile = simnet_with(&[("/skipProofOfWork", json!(false))]);
    let (mut node, matrices) = counting(Node::new(profile));
    let mut block = node.build(1, &[]);
    while check_pow(&block.header).1 {
        block.header.nonce += 1;
    }
    assert_eq!(
        refusal(&mut node, &block, None).code.as_str(),
        "header/invalid-pow"
    );
    assert_eq!(matrices.0.get(), 1);
    let again = refusal(&mut node, &block, None);
    assert_eq!(again.code.as_str(), "header/known-invalid");
    assert_eq!(matrices.0.get(), 1);
    // A witness may be the one that does the work: it is judged, and a bad one harms nobody.
    for expected in 2..4 {
        let judged = refusal(&mut node, &block, Some(vec![1]));
        assert_eq!(judged.code.as_str(), "header/invalid-pow");
        assert_eq!(matrices.0.get(), expected);
    }
    while !check_pow(&block.header).1 {
        block.header.nonce += 1;
    }
    node.add(&block);
}

/// What the id does not cover is judged again.
#[test]
fn what_may_change_is_not_remembered() {
    let mut node = node();
    let sink = node.sink();
    let child = |node: &mut Node, parent: Hash32| {
        let mut block = node.build(1, &[]);
        block.header.parents = parents(&[parent]);
        block
    };
    // Parents that come later.
    let mut other = node.copy();
    let first = other.build(2, &[]);
    other.add(&first);
    let second = other.build(2, &[]);
    for _ in 0..2 {
        assert!(matches!(node.insert(&second), Inserted::MissingParents(_)));
    }
    node.add(&first);
    node.add(&second);
    assert_ne!(node.sink(), sink);
    // A body that is not the header's.
    let good = node.build(1, &[]);
    let mut wrong = good.clone();
    wrong.transactions[0].payload.push(0);
    for _ in 0..2 {
        assert_eq!(node.refusal(&wrong), "body/bad-merkle-root");
    }
    node.add(&good);
    // Unknown parents that look like a fault.
    let stray = child(&mut node, Hash32([7; 32]));
    assert!(matches!(node.insert(&stray), Inserted::MissingParents(_)));
}
