//! Import of the anchors and of the carried development fee, which a state root from before the security fork does
//! not cover. Anchors are bound one by one, the fee follows from headers (decision record 29).

use std::collections::{BTreeMap, BTreeSet};

use svc_chain::emission::subsidy;
use svc_chain::header::Header;
use svc_chain::profile::active;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::ANCHOR_BINDING_ROWS;
use svc_dag::reachability::is_chain_ancestor;
use svc_dag::store::DagStore;
use svc_shielded::anchor_log::AnchorLog;

use crate::import::importing::Importing;
use crate::import::state::{wrong_entry, wrong_state};
use crate::import::{Import, out_of_order};
use crate::parameters::Parameters;
use crate::records::anchor_entry::AnchorEntry;
use crate::records::chain::Chain;
use crate::rules::anchor_binding::AnchorBinding;
use crate::rules::coinbase::{crosses, development_cut};
use crate::store::Store;

/// Anchors from before the fork that are not bound yet.
#[derive(Default)]
pub(super) struct OlderAnchors {
    /// Tree root and child on the chain, by block.
    unbound: BTreeMap<Hash32, (Hash32, Hash32)>,
    /// Chain blocks that may be spent against and of which no pair came.
    omitted: usize,
    /// Nobody can bind them, and they are taken as they came.
    are_waived: bool,
}

impl OlderAnchors {
    /// Whether all are bound, or are taken without.
    pub(super) fn are_settled(&self) -> bool {
        self.are_waived || (self.unbound.is_empty() && self.omitted == 0)
    }

    /// Whether a page binds what was claimed. Headers tell that the claim leaves anchors out, so the sender of a page is never
    /// at fault for that.
    fn check<S: Store>(
        &self,
        chain: &Chain<S>,
        page: &[(Hash32, AnchorBinding)],
    ) -> Result<(), SvcError> {
        if page.len() > ANCHOR_BINDING_ROWS {
            let error = SvcError::new(Code::ImportTooManyHeaders).with("count", page.len());
            return Err(error.with("max", ANCHOR_BINDING_ROWS));
        }
        if self.omitted > 0 {
            return Err(wrong_entry(self.unbound.len(), "older ones are left out"));
        }
        let mut seen = BTreeSet::new();
        for (index, (block, binding)) in page.iter().enumerate() {
            let wrong = |reason: &'static str| {
                let error = SvcError::new(Code::ImportWrongBinding).with("hash", block);
                error.with("reason", reason)
            };
            let (root, child) = self
                .unbound
                .get(block)
                .filter(|_| seen.insert(*block))
                .ok_or_else(|| wrong("it is not asked for"))?;
            let child = chain.records.header(child)?;
            binding
                .check(&chain.rules.profile, &child.header)
                .map_err(wrong)?;
            if binding.tree_root() != *root {
                return Err(wrong_entry(index, "its root is another"));
            }
        }
        Ok(())
    }
}

impl Import {
    /// Of the pairs from before the fork, which no root covers, those that name a chain ancestor of the pruning point from
    /// before the fork and not too old, with what is left to bind. The others do not count: what is not known is not
    /// final.
    pub(super) fn older_anchors<S: Store>(
        &self,
        chain: &Chain<S>,
        pairs: Vec<(Hash32, Hash32)>,
    ) -> Result<(Vec<(Hash32, AnchorEntry)>, OlderAnchors), SvcError> {
        let records = &chain.records;
        let point = records.header(&self.point)?.header.blue_score;
        let mut children = self.older_chain(chain)?;
        let mut anchors = BTreeMap::new();
        let mut older = OlderAnchors::default();
        for (tree_root, block) in pairs {
            if block == self.point
                || !records.has_reachability(&block)?
                || !is_chain_ancestor(records, &block, &self.point)?
            {
                continue;
            }
            let record = records.header(&block)?;
            let header = &record.header;
            let age = point.saturating_sub(header.blue_score);
            let too_old = age > chain.rules.profile.max_shielded_anchor_age;
            if too_old || chain.rules.fork_active(header.daa_score) {
                continue;
            }
            if let Some(child) = children.remove(&block) {
                older.unbound.insert(block, (tree_root, child));
            }
            let parent = header.direct_parents().first().copied();
            let entry = AnchorEntry {
                parent: parent.unwrap_or(Hash32::ORIGIN),
                tree_root,
                blue_score: header.blue_score,
                log_before: AnchorLog::default(),
            };
            anchors.insert(block, entry);
        }
        older.omitted = children.len();
        Ok((anchors.into_iter().collect(), older))
    }

    /// The chain blocks from before the fork that may be spent against above the pruning point, with their children on the
    /// chain. Chain blocks name their selected parent first, and headers reach down to the finality depth.
    fn older_chain<S: Store>(
        &self,
        chain: &Chain<S>,
    ) -> Result<BTreeMap<Hash32, Hash32>, SvcError> {
        let top = chain.records.header(&self.point)?.header.blue_score;
        let lowest = top.saturating_sub(chain.rules.profile.max_shielded_anchor_age);
        let mut children = BTreeMap::new();
        let mut child = self.point;
        while let Some(block) = self.below(chain, &child)? {
            let header = &chain.records.header(&block)?.header;
            if header.blue_score < lowest {
                break;
            }
            if !chain.rules.fork_active(header.daa_score) {
                children.insert(block, child);
            }
            child = block;
        }
        Ok(children)
    }

    /// The next block down the chain; `None` above genesis and where headers end.
    fn below<S: Store>(
        &self,
        chain: &Chain<S>,
        block: &Hash32,
    ) -> Result<Option<Hash32>, SvcError> {
        let parent = chain
            .records
            .header(block)?
            .header
            .direct_parents()
            .first()
            .copied();
        let Some(parent) = parent.filter(|parent| *parent != chain.rules.genesis_hash) else {
            return Ok(None);
        };
        Ok(chain.records.has_header(&parent)?.then_some(parent))
    }

    /// The fee carried after the pruning point, which is from before the fork: the cuts of all blocks that were rewarded
    /// since it was paid last. Their number is the growth of the DAA score. Their subsidies are those of the time, and
    /// differ where a step of the emission lies in between.
    ///
    /// # Errors
    /// `import/wrong-state`, `store/*`.
    pub(super) fn check_carried<S: Store>(
        &self,
        chain: &Chain<S>,
        claimed: u64,
    ) -> Result<(), SvcError> {
        let Chain { rules, records } = chain;
        let top = records.header(&self.point)?.header.daa_score;
        let mut at = self.point;
        let since = loop {
            let header = &records.header(&at)?.header;
            let parent = header.direct_parents().first().copied();
            let parent = parent.unwrap_or(rules.genesis_hash);
            if at == rules.genesis_hash || !records.has_header(&parent)? {
                break header.daa_score;
            }
            if is_paid(rules, header, &records.header(&parent)?.header) {
                break header.daa_score;
            }
            at = parent;
        };
        let count = u128::from(top.saturating_sub(since));
        let cut = |daa_score: u64| {
            u128::from(development_cut(
                rules,
                top,
                subsidy(&rules.profile, daa_score),
            ))
        };
        // A block may be merged that much later.
        let (early, late) = (
            cut(since.saturating_sub(rules.profile.merge_depth)),
            cut(top),
        );
        let (least, most) = (count * early.min(late), count * early.max(late));
        if (least..=most).contains(&u128::from(claimed)) {
            return Ok(());
        }
        let expected = format!("{least} to {most}");
        Err(wrong_state("a development fee carried", claimed, expected))
    }
}

/// Whether a chain block carries nothing on: it pays what was carried, or is from before fees are carried.
fn is_paid(rules: &Parameters, header: &Header, parent: &Header) -> bool {
    let activations = &rules.profile.activations;
    let interval = rules.profile.dev_fee.payout_interval_daa;
    !active(activations.dev_fee_accrual, header.daa_score)
        || active(activations.dev_fee_end, header.daa_score)
        || crosses(header.daa_score, parent.daa_score, interval)
}

impl<S: Store> Importing<'_, S> {
    /// Whether anchors from before the security fork have to be bound before the import can end.
    ///
    /// # Errors
    /// `import/out-of-order` before the claim of the state, `store/*`.
    pub fn wants_bindings(&mut self) -> Result<bool, SvcError> {
        self.import_step("bindings", |import, _| {
            let state = import.state.as_ref();
            let state = state.ok_or_else(|| out_of_order("bindings"))?;
            Ok(!state.older.are_settled())
        })
    }

    /// Binds anchors, in any order. A refusal leaves the import as it was.
    ///
    /// # Errors
    /// `import/wrong-binding` for what does not hold, which is the fault of whoever sent it; `import/wrong-entry` where
    /// the claim of the state is not what holds or leaves anchors out; `import/too-many-headers`, `import/out-of-order`,
    /// `store/*`.
    pub fn import_bindings(&mut self, page: &[(Hash32, AnchorBinding)]) -> Result<(), SvcError> {
        self.import_step("bindings", |import, engine| {
            let claimed = import.state.as_mut();
            let older = &mut claimed.ok_or_else(|| out_of_order("bindings"))?.older;
            older.check(engine.chain, page)?;
            for (block, binding) in page {
                older.unbound.remove(block);
                engine.chain.records.put_anchor_binding(block, binding);
            }
            Ok(())
        })
    }

    /// Takes the anchors from before the security fork without anything that binds them: only where nobody has it, since a
    /// false one makes this node leave the chain.
    ///
    /// # Errors
    /// `import/out-of-order`, `store/*`.
    pub fn waive_bindings(&mut self) -> Result<(), SvcError> {
        self.import_step("bindings", |import, _| {
            let claimed = import.state.as_mut();
            claimed
                .ok_or_else(|| out_of_order("bindings"))?
                .older
                .are_waived = true;
            Ok(())
        })
    }
}
