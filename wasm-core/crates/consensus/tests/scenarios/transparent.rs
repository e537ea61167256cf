//! Transactions of versions before the shielded one, where a profile lets them in, and the shape of coinbases.

use serde_json::json;
use svc_chain::mass::MAX_SOMPI;
use svc_chain::transaction::{Transaction, TxInput, TxOutput};
use svc_codec::hash32::Hash32;

use crate::scenarios::kit::{Node, seal, simnet, simnet_with};
use crate::scenarios::payments::carrying;

/// An output, of which there is none on a network without transparent coins.
const OUTPOINT: (Hash32, u32) = (Hash32([7; 32]), 0);

/// Spends these outputs; its lock time is escaped.
fn spending(outpoints: &[(Hash32, u32)]) -> Transaction {
    let input = |(txid, index): &(Hash32, u32)| TxInput {
        txid: *txid,
        index: *index,
        script: Vec::new(),
        sequence: u64::MAX,
        compute: 0,
    };
    Transaction {
        version: 1,
        inputs: outpoints.iter().map(input).collect(),
        ..carrying(Vec::new())
    }
}

fn paying(outputs: Vec<TxOutput>) -> Transaction {
    Transaction {
        outputs,
        ..spending(&[OUTPOINT])
    }
}

fn output(value: u64, script_len: usize) -> TxOutput {
    TxOutput {
        value,
        script_version: 0,
        script: vec![0; script_len],
        covenant: None,
    }
}

/// Where older versions are let in, their carrier stays in the DAG and off the chain: they spend outputs that
/// cannot exist. Their lock time is escaped by final inputs.
#[test]
fn transparent_transactions_where_a_profile_lets_them_in() {
    let mut node = Node::new(simnet_with(&[("/onlyVersion2", json!(false))]));
    node.mine_many(1, 3);
    let transparent = |lock_time: u64, sequence: u64| {
        let mut transaction = spending(&[OUTPOINT]);
        transaction.lock_time = lock_time;
        transaction.inputs[0].sequence = sequence;
        transaction
    };
    let block = node.build_carrying(1, &[transparent(1_000, 0)]);
    assert_eq!(node.refusal(&block), "tx/lock-time");
    for (lock_time, sequence) in [(1_000, u64::MAX), (2, 0), (0, 0)] {
        let block = node.build_carrying(1, &[transparent(lock_time, sequence)]);
        node.add(&block);
        let status = node.status(&block.hash());
        assert_eq!(
            status,
            ("disqualified".into(), "virtual/bad-transactions".into())
        );
    }
    node.mine_many(1, 3);
    node.assert_supply();
    let mut strict = Node::new(simnet());
    let block = strict.build_carrying(1, &[transparent(0, 0)]);
    assert_eq!(strict.refusal(&block), "tx/unsupported-version");
}

/// Bodies that break a rule of specification consensus 8.1 or 9.3, with its code.
fn bodies_refused() -> [(&'static str, Vec<Transaction>); 11] {
    let [a, b] = [0, 1].map(|index| (Hash32([7; 32]), index));
    let first = paying(vec![output(1, 1)]);
    let chained = spending(&[(first.id(), 0)]);
    let out_of_range = "codec/number-out-of-range";
    [
        ("body/double-spend", vec![spending(&[a, b, a])]),
        ("body/double-spend", vec![spending(&[a]), spending(&[b, a])]),
        (
            "body/chained-transaction",
            vec![first.clone(), chained.clone()],
        ),
        ("body/chained-transaction", vec![chained, first]),
        ("tx/too-many-inputs", vec![spending(&outpoints(1_001))]),
        (
            "tx/too-many-outputs",
            vec![paying(vec![output(1, 1); 1_001])],
        ),
        ("tx/script-too-long", vec![paying(vec![output(1, 10_001)])]),
        ("tx/not-shielded", vec![spending(&[])]),
        (out_of_range, vec![paying(vec![output(0, 1)])]),
        (out_of_range, vec![paying(vec![output(MAX_SOMPI + 1, 1)])]),
        (
            out_of_range,
            vec![paying(vec![output(1, 1), output(MAX_SOMPI, 1)])],
        ),
    ]
}

fn outpoints(count: u32) -> Vec<(Hash32, u32)> {
    (0..count).map(|index| (Hash32([8; 32]), index)).collect()
}

#[test]
fn outpoints_and_sizes_of_transparent_transactions() {
    let mut node = Node::new(simnet_with(&[("/onlyVersion2", json!(false))]));
    node.mine_many(1, 3);
    for (code, transactions) in bodies_refused() {
        let block = node.build_carrying(1, &transactions);
        assert_eq!(node.refusal(&block), code);
        assert_eq!(node.refusal(&block), "header/known-invalid", "{code}");
    }
    let other = (OUTPOINT.0, 1);
    let taken = [
        vec![spending(&[OUTPOINT]), spending(&[other])],
        vec![spending(&outpoints(1_000))],
        vec![paying(vec![output(1, 1); 1_000])],
        vec![paying(vec![output(1, 10_000)])],
        vec![paying(vec![output(1, 1), output(MAX_SOMPI - 1, 1)])],
    ];
    for (index, transactions) in taken.into_iter().enumerate() {
        let block = node.build_carrying(1, &transactions);
        node.add(&block);
        let expected = ("disqualified".into(), "virtual/bad-transactions".into());
        assert_eq!(node.status(&block.hash()), expected, "{index}");
    }
}

#[test]
fn a_coinbase_spends_nothing_and_pays_something() {
    let mut node = Node::new(simnet());
    node.mine_many(1, 3);
    let mut refusal = |change: &dyn Fn(&mut Transaction)| {
        let mut block = node.build(1, &[]);
        change(&mut block.transactions[0]);
        node.refusal(&seal(block))
    };
    let inputs = spending(&[OUTPOINT]).inputs;
    let code = refusal(&|coinbase| coinbase.inputs = inputs.clone());
    assert_eq!(code, "coinbase/has-inputs");
    for values in [vec![0], vec![MAX_SOMPI + 1], vec![1, MAX_SOMPI]] {
        let code = refusal(&|coinbase| {
            coinbase.outputs = values.iter().map(|value| output(*value, 43)).collect();
        });
        assert_eq!(code, "codec/number-out-of-range", "{values:?}");
    }
    let code = refusal(&|coinbase| coinbase.outputs = vec![output(1, 151)]);
    assert_eq!(code, "coinbase/script-too-long");
}
