//! Payment traffic generator: what wallets would send, and what only an attacker does.

use svc_chain::profile::{Profile, active};
use svc_chain::transaction::Transaction;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::node::Node;
use crate::payment::Payment;
use svc_chance::chance::Chance;

/// Distance kept from the tip when an anchor is chosen: the block's own score and the merger's.
const SLACK: u64 = 3;
/// Fee of a payment at most, sompi; far below what any of these pools holds.
const MOST_FEE: u64 = 10_000;

/// Whether payments name the block of their anchor.
pub fn names_anchor(profile: &Profile, daa_score: u64) -> bool {
    active(profile.activations.security_fork, daa_score)
}

/// Notes are drawn from this many below the newest, so that old and parallel payments meet.
const NOTES_IN_PLAY: u64 = 40;

/// A maker of payments.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    newest: u64,
    salt: u64,
}

impl Traffic {
    fn draft(&mut self, chance: &mut Chance) -> Payment {
        self.newest += 1;
        self.salt += 1;
        let actions = 1 + chance.below(3);
        let mut notes: Vec<u64> = (0..actions)
            .map(|_| self.newest.saturating_sub(chance.below(NOTES_IN_PLAY)))
            .collect();
        notes.sort_unstable();
        notes.dedup();
        let lane = (chance.below(3) == 0).then(|| chance.below(256) as u8);
        Payment {
            salt: self.salt,
            lane,
            ..Payment::of(notes)
        }
    }

    /// A payment as a wallet on this node makes it.
    ///
    /// # Errors
    /// The store's.
    pub fn honest(&mut self, node: &Node, chance: &mut Chance) -> Result<Transaction, SvcError> {
        let mut payment = self.draft(chance);
        let (youngest, oldest) = ages(&node.engine().rules().profile);
        let age = youngest + SLACK + chance.below(oldest - youngest);
        payment.fee = chance.below(MOST_FEE) as i64;
        self.anchored(node, payment, age)
    }

    /// A payment that is well formed and should often be dropped: anchors too young, too old or unknown, notes
    /// spent before, fees beyond all coins.
    ///
    /// # Errors
    /// The store's.
    pub fn hostile(&mut self, node: &Node, chance: &mut Chance) -> Result<Transaction, SvcError> {
        let mut payment = self.draft(chance);
        let (_, oldest) = ages(&node.engine().rules().profile);
        match chance.below(4) {
            0 => {
                payment.fee = i64::MAX;
                payment.anchor = Hash32([1; 32]);
                self.anchored_as_is(node, payment)
            }
            1 => self.anchored(node, payment, chance.below(SLACK)),
            2 => {
                let age = (oldest + chance.below(2 * SLACK)).saturating_sub(SLACK);
                self.anchored(node, payment, age)
            }
            _ => {
                payment.notes = vec![1 + chance.below(self.newest)];
                self.anchored_as_is(node, payment)
            }
        }
    }

    fn anchored_as_is(&self, node: &Node, payment: Payment) -> Result<Transaction, SvcError> {
        self.finish(node, payment, None)
    }

    /// Against the tree after the chain block of this age; against the empty tree, and then without a fee, while
    /// the chain is shorter.
    fn anchored(
        &self,
        node: &Node,
        mut payment: Payment,
        age: u64,
    ) -> Result<Transaction, SvcError> {
        let block = chain_block_of_age(node, age)?;
        match block {
            Some(hash) => payment.anchor = node.engine().records().chain_state(&hash)?.tree_root,
            None => payment.fee = 0,
        }
        self.finish(node, payment, block)
    }

    fn finish(
        &self,
        node: &Node,
        mut payment: Payment,
        block: Option<Hash32>,
    ) -> Result<Transaction, SvcError> {
        let records = node.engine().records();
        let header = svc_dag::store::DagStore::header(records, &node.sink()?)?;
        let named = names_anchor(&node.engine().rules().profile, header.header.daa_score + 1);
        payment.anchor_block = named.then(|| block.unwrap_or(Hash32::ZERO));
        Ok(payment.build())
    }
}

fn ages(profile: &Profile) -> (u64, u64) {
    (
        profile.shielded_anchor_depth,
        profile.max_shielded_anchor_age,
    )
}

/// The chain block so many steps below the sink, if its tree holds notes.
fn chain_block_of_age(node: &Node, age: u64) -> Result<Option<Hash32>, SvcError> {
    let records = node.engine().records();
    let Some(top) = records.chain_index(&node.sink()?)? else {
        return Ok(None);
    };
    let Some(index) = top.checked_sub(age) else {
        return Ok(None);
    };
    let Some(hash) = records.chain_at(index)? else {
        return Ok(None);
    };
    let has_notes = records.chain_state(&hash)?.frontier.size() > 0;
    Ok(has_notes.then_some(hash))
}
