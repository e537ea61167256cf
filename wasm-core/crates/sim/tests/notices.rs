//! The checks of the simulator notice what they are for: one planted difference each.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::rc::Rc;

use svc_codec::hash32::Hash32;
use svc_consensus::records::block_status::{BlockStatus, Stage};
use svc_consensus::store::tables;
use svc_consensus::store::{Change, Store};
use svc_sim::agreement;
use svc_sim::audit::audit;
use svc_sim::ledger::Ledger;
use svc_sim::node::{Node, Sent, Taken};
use svc_sim::rule_break::Fate;
use svc_sim::settings::{Report, Settings};
use svc_sim::testing::prune_profile;
use svc_sim::world::World;

fn nodes() -> (Vec<Node>, Vec<Rc<Sent>>) {
    let settings = Settings {
        miners: 2,
        blocks: 120,
        quiet_every: 40,
        adversary_permille: 0,
        ..Settings::new(1, prune_profile().unwrap())
    };
    let mut world = World::new(settings).unwrap();
    world.run().unwrap();
    world.into_parts()
}

/// Changes a stored value behind a node's back; it reads it after the restart.
fn plant(node: &mut Node, (table, key): (u8, &[u8]), value: Option<Vec<u8>>) {
    let change = Change {
        table,
        key: key.to_vec(),
        value,
    };
    node.store().clone().commit(vec![change]).unwrap();
    node.restart().unwrap();
}

fn row(node: &Node, table: u8, key: &[u8]) -> Vec<u8> {
    node.store().memory().get(table, key).unwrap().unwrap()
}

fn chain_block(node: &Node) -> Hash32 {
    node.engine().records().chain_at(5).unwrap().unwrap()
}

#[test]
fn another_byte_in_what_is_stored_of_a_chain_block() {
    let (mut nodes, _) = nodes();
    let mut ledger = Ledger::default();
    ledger
        .check_chain((0, &nodes[0]), &mut BTreeSet::new())
        .unwrap();
    ledger
        .check_chain((1, &nodes[1]), &mut BTreeSet::new())
        .unwrap();
    let hash = chain_block(&nodes[1]);
    let mut record = row(&nodes[1], tables::SCAN_RECORDS, hash.as_bytes());
    *record.last_mut().unwrap() ^= 1;
    plant(
        &mut nodes[1],
        (tables::SCAN_RECORDS, hash.as_bytes()),
        Some(record),
    );
    let fault = ledger
        .check_chain((1, &nodes[1]), &mut BTreeSet::new())
        .unwrap_err();
    assert!(fault.0.contains("differs"), "{fault}");
}

#[test]
fn a_chain_block_that_should_never_be_one() {
    let (nodes, _) = nodes();
    let mut ledger = Ledger::default();
    ledger.expect(chain_block(&nodes[0]), Fate::NeverChain);
    let fault = ledger
        .check_chain((0, &nodes[0]), &mut BTreeSet::new())
        .unwrap_err();
    assert!(fault.0.contains("NeverChain"), "{fault}");
}

#[test]
fn a_block_that_breaks_no_rule_and_is_disqualified() {
    let (mut nodes, made) = nodes();
    let mut ledger = Ledger::default();
    ledger.check_fates((0, &nodes[0]), &made).unwrap();
    let hash = made[3].hash;
    let mut status = BlockStatus::decode(&row(&nodes[0], tables::STATUS, hash.as_bytes())).unwrap();
    status.stage = Stage::Disqualified;
    plant(
        &mut nodes[0],
        (tables::STATUS, hash.as_bytes()),
        Some(status.encode()),
    );
    let fault = ledger.check_fates((0, &nodes[0]), &made).unwrap_err();
    assert!(fault.0.contains("breaks no rule"), "{fault}");
    ledger.expect(hash, Fate::NeverChain);
    ledger.check_fates((0, &nodes[0]), &made).unwrap();
}

#[test]
fn a_refusal_or_its_reason_that_differs() {
    let mut ledger = Ledger::default();
    let hash = Hash32([1; 32]);
    let taken = |refusal| Taken { hash, refusal };
    assert!(
        ledger
            .check_taken(0, &taken(Some("header/wrong-bits")))
            .is_err()
    );
    ledger.expect(hash, Fate::Refused);
    assert!(ledger.check_taken(0, &taken(None)).is_err());
    ledger
        .check_taken(0, &taken(Some("header/wrong-bits")))
        .unwrap();
    ledger
        .check_taken(1, &taken(Some("header/known-invalid")))
        .unwrap();
    assert!(
        ledger
            .check_taken(2, &taken(Some("header/no-parents")))
            .is_err()
    );
}

#[test]
fn a_nullifier_that_is_missing() {
    let (mut nodes, made) = nodes();
    audit(&nodes[1], &made, &mut Report::default()).unwrap();
    let mut keys = Vec::new();
    agreement::each_row(&nodes[1], tables::NULLIFIERS, |key, _| {
        keys.push(key.to_vec());
        Ok(())
    })
    .unwrap();
    plant(&mut nodes[1], (tables::NULLIFIERS, &keys[0]), None);
    assert!(agreement::check(&nodes).is_err());
    let fault = audit(&nodes[1], &made, &mut Report::default()).unwrap_err();
    assert!(fault.0.contains("nullifiers stored"), "{fault}");
}

#[test]
fn a_color_that_is_wrong() {
    let (mut nodes, made) = nodes();
    let records = nodes[0].engine().records();
    let merging = made.iter().find_map(|sent| {
        let data = svc_dag::store::DagStore::ghostdag(records, &sent.hash).unwrap();
        (data.blues.len() > 1).then(|| (sent.hash, data.as_ref().clone()))
    });
    let (hash, mut data) = merging.unwrap();
    let blue = data.blues.pop().unwrap();
    data.reds.push(blue);
    plant(
        &mut nodes[0],
        (tables::GHOSTDAG, hash.as_bytes()),
        Some(data.encode()),
    );
    let fault = audit(&nodes[0], &made, &mut Report::default()).unwrap_err();
    assert!(fault.0.contains("by definition"), "{fault}");
}

#[test]
fn an_acknowledged_block_that_is_lost() {
    let (mut nodes, made) = nodes();
    agreement::reopen(0, &mut nodes[0]).unwrap();
    plant(
        &mut nodes[0],
        (tables::STATUS, made[3].hash.as_bytes()),
        None,
    );
    let fault = agreement::reopen(0, &mut nodes[0]).unwrap_err();
    assert!(fault.0.contains("acknowledged"), "{fault}");
}
