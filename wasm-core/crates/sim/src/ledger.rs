//! Ledger of verdicts: what each node found out about each block, so that two nodes that disagree about one are
//! noticed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use svc_codec::hash32::Hash32;
use svc_codec::hashers::blake2b_plain;
use svc_consensus::records::block_status::Stage;
use svc_consensus::store::tables;
use svc_dag::store::DagStore;

use crate::fault::{Outcome, ensure};
use crate::node::{Node, Sent, Taken};
use crate::rule_break::Fate;

/// Everything a node stores about a block that was judged valid on its chain.
pub const JUDGED_ROWS: [u8; 11] = [
    tables::HEADERS,
    tables::BODIES,
    tables::GHOSTDAG,
    tables::DAA_EXCLUDED,
    tables::DEPTHS,
    tables::ACCEPTANCE,
    tables::CHAIN_STATE,
    tables::NULLIFIER_DIFFS,
    tables::LANE_DIFFS,
    tables::SCAN_RECORDS,
    tables::CHAIN_EVIDENCE,
];

/// The common record of verdicts on blocks.
#[derive(Debug, Default)]
pub struct Ledger {
    judged: BTreeMap<Hash32, Hash32>,
    refusals: BTreeMap<Hash32, &'static str>,
    fates: BTreeMap<Hash32, Fate>,
    /// Pruning points by number, with the state there.
    pruning: BTreeMap<u64, (Hash32, Hash32)>,
}

impl Ledger {
    /// Sets the expected fate of a block.
    pub fn expect(&mut self, hash: Hash32, fate: Fate) {
        self.fates.insert(hash, fate);
    }

    /// The expected fate of a block; without one a block is to be accepted.
    pub fn fate(&self, hash: &Hash32) -> Fate {
        self.fates.get(hash).copied().unwrap_or(Fate::Accepted)
    }

    /// Codes of refusal so far.
    pub fn codes(&self) -> BTreeSet<&'static str> {
        self.refusals.values().copied().collect()
    }

    /// Compares what a node made of a block with what others did and with what it deserves.
    ///
    /// # Errors
    /// The difference.
    pub fn check_taken(&mut self, who: usize, taken: &Taken) -> Outcome<()> {
        let Taken { hash, refusal } = taken;
        let fate = self.fate(hash);
        ensure((fate == Fate::Refused) == refusal.is_some(), || {
            format!("node {who}: block {hash} should be {fate:?} and was refused with {refusal:?}")
        })?;
        if let Some(code) = refusal {
            // A node that died while it refused, or had refused the header alone, gives its reason no more.
            if *code == "header/known-invalid" {
                return Ok(());
            }
            let known = *self.refusals.entry(*hash).or_insert(code);
            ensure(known == *code, || {
                format!("node {who}: block {hash} refused with {code}, elsewhere with {known}")
            })?;
        }
        Ok(())
    }

    /// Compares the chain below a node's sink, down to what it has compared before, which ends in `checked`.
    /// Returns the number of blocks compared.
    ///
    /// # Errors
    /// The difference.
    pub fn check_chain(
        &mut self,
        (who, node): (usize, &Node),
        checked: &mut BTreeSet<Hash32>,
    ) -> Outcome<usize> {
        let records = node.engine().records();
        let genesis = node.engine().rules().genesis_hash;
        let mut current = node.sink()?;
        let mut compared = 0;
        while current != genesis && checked.insert(current) {
            self.check_judged((who, node), &current)?;
            compared += 1;
            current = records.ghostdag(&current)?.selected_parent;
        }
        Ok(compared)
    }

    /// Looks for blocks that break no rule and were disqualified all the same: without them a chain that stands still looks
    /// like agreement.
    ///
    /// # Errors
    /// The first of them.
    pub fn check_fates(&self, (who, node): (usize, &Node), made: &[Rc<Sent>]) -> Outcome<()> {
        for Sent { hash, .. } in made.iter().map(Rc::as_ref) {
            let status = node.engine().records().known_status(hash)?;
            let is_wronged =
                status.stage == Stage::Disqualified && self.fate(hash) == Fate::Accepted;
            ensure(!is_wronged, || {
                let reason = &status.reason;
                format!("node {who}: block {hash} breaks no rule and is disqualified: {reason}")
            })?;
        }
        Ok(())
    }

    /// Compares a node's pruning point and the committed state there with what others had under the same number.
    ///
    /// # Errors
    /// The difference.
    pub fn check_pruning(&mut self, (who, node): (usize, &Node)) -> Outcome<()> {
        let chain = node.engine().chain();
        let record = chain.records.pruning()?;
        let daa_score = chain.records.header(&record.point)?.header.daa_score;
        let after = chain.records.chain_state(&record.point)?;
        let found = (
            record.point,
            after.state_root(&chain.rules.profile, daa_score),
        );
        let known = *self.pruning.entry(record.index).or_insert(found);
        let before = record.index.checked_sub(1);
        let gapless = before.is_none_or(|before| self.pruning.contains_key(&before));
        ensure(known == found && gapless, || {
            let index = record.index;
            format!("node {who}: pruning point {index} is {found:?}, elsewhere {known:?}")
        })
    }

    fn check_judged(&mut self, (who, node): (usize, &Node), hash: &Hash32) -> Outcome<()> {
        let stage = node.engine().records().stage(hash)?;
        let fate = self.fate(hash);
        ensure(
            stage == Some(Stage::Valid) && fate == Fate::Accepted,
            || format!("node {who}: block {hash} of fate {fate:?} is on the chain as {stage:?}"),
        )?;
        let overlay = &node.engine().records().overlay;
        let mut hasher = blake2b_plain();
        for table in JUDGED_ROWS {
            let row = overlay.get(table, hash.as_bytes())?.unwrap_or_default();
            hasher
                .update(&[table])
                .update(&(row.len() as u64).to_le_bytes());
            hasher.update(&row);
        }
        let digest = hasher.finalize();
        let known = *self.judged.entry(*hash).or_insert(digest);
        ensure(known == digest, || {
            format!("node {who}: what is stored of chain block {hash} differs from another node's")
        })
    }
}
