//! Final audit of a run against the rules as the specification states them: GHOSTDAG over whole sets, the supply by
//! summing over bodies, the nullifiers by collecting them.

pub mod evidence_audit;

use std::collections::BTreeSet;
use std::rc::Rc;

use svc_chain::emission::subsidy;
use svc_codec::hash32::Hash32;
use svc_consensus::questions::self_check::{PARTS, self_check};
use svc_consensus::store::tables;
use svc_dag::store::DagStore;
use svc_shielded::bundle::Bundle;

use crate::agreement::each_row;
use crate::fault::{Fault, Outcome, ensure};
use crate::literal::LiteralDag;
use crate::node::{Node, Sent};
use crate::settings::Report;

/// Checks a node that knows all blocks made, parents first, and completes the report.
///
/// # Errors
/// The first difference.
pub fn audit(node: &Node, made: &[Rc<Sent>], report: &mut Report) -> Outcome<()> {
    check_coloring(node, made)?;
    let chain = chain_of(node)?;
    check_money(node, &chain)?;
    count(node, &chain, report)
}

/// Checks that the records of a node agree with each other.
///
/// # Errors
/// The first contradiction.
pub fn agrees_with_itself(node: &Node) -> Outcome<()> {
    for part in 0..PARTS.len() {
        let mut cursor = Vec::new();
        let page = |cursor: &[u8]| self_check(node.engine().chain(), part as u8, cursor, 1_000);
        while let Some(next) = page(&cursor)? {
            cursor = next;
        }
    }
    Ok(())
}

fn chain_of(node: &Node) -> Outcome<Vec<Hash32>> {
    let records = node.engine().records();
    let mut chain = Vec::new();
    while let Some(hash) = records.chain_at(chain.len() as u64)? {
        chain.push(hash);
    }
    Ok(chain)
}

fn check_coloring(node: &Node, made: &[Rc<Sent>]) -> Outcome<()> {
    let chain = node.engine().chain();
    let bits = chain.rules.profile.genesis.bits;
    let mut dag = LiteralDag::new(
        chain.rules.profile.ghostdag_k,
        chain.rules.genesis_hash,
        bits,
    );
    for sent in made {
        let Some(place) = dag.add(sent.hash, &sent.block.header) else {
            return Err(Fault(format!("{} came before its parents", sent.hash)));
        };
        let data = chain.records.ghostdag(&sent.hash)?;
        let same = data.selected_parent == place.selected_parent
            && data.blues == place.blues
            && data.reds == place.reds
            && data.blue_score == place.blue_score
            && data.blue_work == place.blue_work;
        ensure(same, || {
            format!(
                "coloring of {}: {data:?}, by definition {place:?}",
                sent.hash
            )
        })?;
    }
    Ok(())
}

/// Sums over the bodies of the chain up to some block.
#[derive(Default)]
struct Sums {
    minted: u128,
    fees: u128,
    issued: u128,
    spent: BTreeSet<Hash32>,
    daa_score: u64,
}

impl Sums {
    /// Adds a chain block and what it applied.
    fn add(&mut self, node: &Node, hash: &Hash32) -> Outcome<()> {
        let chain = node.engine().chain();
        for carried in &chain.records.acceptance(hash)?.applied {
            let body = chain.records.body(&carried.block)?;
            let Some(payment) = body.iter().find(|one| one.id() == carried.txid) else {
                return Err(Fault(format!("{} is not in its block", carried.txid)));
            };
            let carrier = chain.records.header(&carried.block)?;
            let format = chain.rules.bundle_format(carrier.header.daa_score);
            let bundle = Bundle::decode(&payment.payload, format)?;
            self.fees += u128::from(bundle.fee()?);
            for nullifier in bundle.nullifiers() {
                ensure(self.spent.insert(nullifier), || {
                    format!("{nullifier} is spent twice, again at {hash}")
                })?;
            }
        }
        let outputs = &chain.records.body(hash)?[0].outputs;
        self.minted += outputs
            .iter()
            .map(|one| u128::from(one.value))
            .sum::<u128>();
        let daa_score = chain.records.header(hash)?.header.daa_score;
        let rewarded = self.daa_score..daa_score;
        self.issued += rewarded
            .map(|score| u128::from(subsidy(&chain.rules.profile, score)))
            .sum::<u128>();
        self.daa_score = daa_score;
        Ok(())
    }
}

/// Minted notes, fees and nullifiers by summing over bodies (specification consensus 10.6, shielded 9, 10).
fn check_money(node: &Node, chain: &[Hash32]) -> Outcome<()> {
    let records = node.engine().records();
    let mut sums = Sums::default();
    for hash in chain.iter().skip(1) {
        sums.add(node, hash)?;
        let Sums {
            minted,
            fees,
            issued,
            ..
        } = sums;
        let after = records.chain_state(hash)?;
        ensure(
            after.cumulative_coinbase == minted && after.cumulative_fees == fees,
            || format!("sums at {hash}: minted {minted}, fees {fees}"),
        )?;
        // The DAA score counts the merged blocks that earn something; the runs keep every block inside the window
        // or carry no fees, so none is lost.
        let carried = u128::from(after.dev_accrued) + u128::from(after.slot.amount);
        let held = minted + carried;
        ensure(held == issued + fees, || {
            format!("supply at {hash}: {held} minted and carried, {issued} issued, {fees} fees")
        })?;
    }
    let mut stored = BTreeSet::new();
    each_row(node, tables::NULLIFIERS, |key, _| {
        stored.insert(key.to_vec());
        Ok(())
    })?;
    let applied = sums.spent.iter().map(|one| one.as_bytes().to_vec());
    ensure(stored == applied.collect(), || {
        format!(
            "{} nullifiers stored, {} applied",
            stored.len(),
            sums.spent.len()
        )
    })
}

fn count(node: &Node, chain: &[Hash32], report: &mut Report) -> Outcome<()> {
    let records = node.engine().records();
    let mut points = BTreeSet::new();
    for hash in chain.iter().skip(1) {
        let data = records.ghostdag(hash)?;
        report.reds += data.reds.len();
        if data.blues.len() == 1 && !data.reds.is_empty() {
            report.only_reds += 1;
        }
        report.widest_mergeset = report.widest_mergeset.max(data.mergeset_size());
        let record = records.acceptance(hash)?;
        report.applied += record.applied.len();
        report.dropped += record.dropped.len();
        points.insert(records.header(hash)?.header.pruning_point);
    }
    report.chain = chain.len() as u64;
    report.daa_score = records.header(&node.sink()?)?.header.daa_score;
    report.pruning_points = points.len();
    Ok(())
}
