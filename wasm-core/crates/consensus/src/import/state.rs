//! State import: the shielded state at the pruning point, a claim that must make the root its selected child commits
//! to (specification consensus 13.3, shielded 15.3).

use svc_chain::header::Header;
use svc_chain::muhash::MuHash;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::{IMPORT_PAGE_ROWS, MAX_NULLIFIERS};
use svc_dag::records::HeaderRecord;
use svc_dag::store::DagStore;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals};
use svc_shielded::frontier::empty_root;

use crate::import::older::OlderAnchors;
use crate::import::state_claim::StateClaim;
use crate::import::{Import, out_of_order};
use crate::parameters::Parameters;
use crate::records::Records;
use crate::records::anchor_entry::AnchorEntry;
use crate::records::chain::Chain;
use crate::records::chain_state::{ChainState, MinerSlot};
use crate::store::{Store, tables};

/// A state that is bound, its nullifiers still to come.
pub(super) struct StateImport {
    pub(super) state: ChainState,
    /// Chain blocks that may be spent against.
    pub(super) anchors: Vec<(Hash32, AnchorEntry)>,
    /// What is left to bind of them.
    pub(super) older: OlderAnchors,
    pub(super) chain_index: u64,
    product: MuHash,
    seen: u64,
}

impl StateImport {
    /// The nullifiers that came are those of the claim.
    pub(super) fn check_nullifiers(&self) -> Result<(), SvcError> {
        let expected = self.state.nullifiers.clone().unwrap_or_default();
        if self.seen == self.state.nullifier_count && self.product == expected {
            return Ok(());
        }
        let error = SvcError::new(Code::ImportWrongNullifiers);
        Err(error
            .with("count", self.seen)
            .with("found", self.product.finalize())
            .with("expected", expected.finalize()))
    }
}

pub(super) fn wrong_state(
    reason: &'static str,
    found: impl std::fmt::Display,
    expected: impl std::fmt::Display,
) -> SvcError {
    let error = SvcError::new(Code::ImportWrongState).with("reason", reason);
    error.with("found", found).with("expected", expected)
}

pub(super) fn wrong_entry(index: usize, reason: &'static str) -> SvcError {
    let error = SvcError::new(Code::ImportWrongEntry).with("index", index);
    error.with("reason", reason)
}

fn too_many(count: u64) -> SvcError {
    let error = SvcError::new(Code::ImportTooManyNullifiers).with("count", count);
    error.with("max", MAX_NULLIFIERS)
}

impl Import {
    /// Takes the claim in. Nothing of it is written yet.
    pub(super) fn state_claim<S: Store>(
        &mut self,
        chain: &Chain<S>,
        claim: StateClaim,
    ) -> Result<(), SvcError> {
        let rules = &chain.rules;
        let (Some((_, bound)), Some(lanes), None) = (self.bound, &self.lanes, &self.state) else {
            return Err(out_of_order("state"));
        };
        let lanes_root = lanes.claim.root;
        let record = chain.records.header(&self.point)?;
        let header = &record.header;
        check_plain(rules, header, &claim)?;
        let log = if rules.fork_active(header.daa_score) {
            check_entries(chain, &record, &claim)?
        } else {
            check_before_fork(&claim)?;
            self.check_carried(chain, claim.dev_accrued)?;
            AnchorLog::default()
        };
        let product = claim.nullifiers.filter(|_| claim.nullifier_count > 0);
        let made = ChainState {
            tree_root: claim.frontier.root(),
            frontier: claim.frontier,
            nullifiers: product,
            nullifier_count: claim.nullifier_count,
            cumulative_coinbase: claim.cumulative_coinbase,
            cumulative_fees: claim.cumulative_fees,
            dev_accrued: claim.dev_accrued,
            slot: claim.slot,
            anchor_log: log,
            lanes_root,
            shortcut: self.shortcut,
        };
        let found = made.state_root(&rules.profile, header.daa_score);
        if found != bound {
            return Err(wrong_state("another root", found, bound));
        }
        let mut anchors = log_anchors(rules, claim.log_before, &claim.entries);
        let (pairs, older) = self.older_anchors(chain, claim.older)?;
        anchors.extend(pairs);
        if !rules.fork_active(header.daa_score) {
            let own = AnchorEntry {
                parent: chain.records.ghostdag(&self.point)?.selected_parent,
                tree_root: made.tree_root,
                blue_score: header.blue_score,
                log_before: AnchorLog::default(),
            };
            anchors.push((self.point, own));
        }
        self.state = Some(StateImport {
            state: made,
            anchors,
            older,
            chain_index: claim.chain_index,
            product: MuHash::new(),
            seen: 0,
        });
        Ok(())
    }

    /// Takes nullifiers in, in any order.
    pub(super) fn nullifiers<S: Store>(
        &mut self,
        store: &mut Records<S>,
        page: &[Hash32],
    ) -> Result<(), SvcError> {
        let Some(import) = &mut self.state else {
            return Err(out_of_order("nullifiers"));
        };
        let seen = import.seen + page.len() as u64;
        if page.len() > IMPORT_PAGE_ROWS || seen > import.state.nullifier_count {
            return Err(too_many(seen));
        }
        for nullifier in page {
            import.product.add(nullifier.as_bytes());
            store
                .overlay
                .put(tables::NULLIFIERS, nullifier.as_bytes(), Vec::new());
        }
        import.seen = seen;
        Ok(())
    }
}

fn check_plain(rules: &Parameters, header: &Header, claim: &StateClaim) -> Result<(), SvcError> {
    if claim.nullifier_count > MAX_NULLIFIERS {
        return Err(too_many(claim.nullifier_count));
    }
    // Uncommitted leaves behind the true ones leave the root as it is: it does not cover the size.
    if claim.frontier.leaf() == Some(empty_root(0)) {
        return Err(wrong_state(
            "an uncommitted leaf",
            claim.frontier.size(),
            "less",
        ));
    }
    if claim.cumulative_fees > claim.cumulative_coinbase {
        return Err(wrong_state(
            "fees above coins",
            claim.cumulative_fees,
            claim.cumulative_coinbase,
        ));
    }
    let has_product = claim
        .nullifiers
        .as_ref()
        .is_some_and(|product| *product != MuHash::new());
    if has_product && claim.nullifier_count == 0 {
        return Err(wrong_state("a product of no nullifiers", 0, "at least 1"));
    }
    if !(1..=header.blue_score).contains(&claim.chain_index) {
        let expected = format!("1 to {}", header.blue_score);
        return Err(wrong_state("chain index", claim.chain_index, expected));
    }
    let limit = rules.profile.max_shielded_anchor_age.saturating_add(1);
    let count = claim.entries.len().max(claim.older.len());
    if count as u64 > limit {
        return Err(wrong_entry(count, "more than may be spent against"));
    }
    Ok(())
}

/// From the fork on: the entries lead from the log before them to the pruning point, and none is left out that may
/// still be spent against. Returns the log they lead to.
fn check_entries<S: Store>(
    chain: &Chain<S>,
    point: &HeaderRecord,
    claim: &StateClaim,
) -> Result<AnchorLog, SvcError> {
    let header = &point.header;
    let Chain { rules, records } = chain;
    let max_age = rules.profile.max_shielded_anchor_age;
    let mut log = claim.log_before.clone();
    let mut before: Option<&LogEntry> = None;
    for (index, entry) in claim.entries.iter().enumerate() {
        if header.blue_score.saturating_sub(entry.blue_score) > max_age {
            return Err(wrong_entry(index, "too old to be spent against"));
        }
        if before.is_some_and(|before| before.blue_score >= entry.blue_score) {
            return Err(wrong_entry(index, "its blue score does not grow"));
        }
        if before.is_some_and(|before| before.block != entry.parent) {
            return Err(wrong_entry(index, "its parent is not the one before it"));
        }
        log.append(&LogPersonals::of(&rules.profile), entry);
        before = Some(entry);
    }
    let last = claim.entries.len().saturating_sub(1);
    if before.is_none_or(|last| last.block != point.hash || last.blue_score != header.blue_score) {
        return Err(wrong_entry(last, "the last is not the pruning point"));
    }
    let lowest = claim.entries.first().map(|entry| entry.parent);
    let lowest = lowest.unwrap_or(rules.genesis_hash);
    if !records.has_reachability(&lowest)? {
        return Err(wrong_entry(0, "its parent is not known"));
    }
    let parent = records.header(&lowest)?;
    let is_logged = rules.fork_active(parent.header.daa_score) && lowest != rules.genesis_hash;
    let is_old = header.blue_score.saturating_sub(parent.header.blue_score) > max_age;
    if is_logged && !is_old {
        return Err(wrong_entry(0, "older ones are left out"));
    }
    if !is_logged && claim.log_before.count() > 0 {
        return Err(wrong_entry(0, "nothing can be before it"));
    }
    Ok(log)
}

/// Before the fork no log and no slot: the root does not cover them.
fn check_before_fork(claim: &StateClaim) -> Result<(), SvcError> {
    if !claim.entries.is_empty() || claim.log_before.count() > 0 {
        return Err(wrong_entry(0, "no log before the fork"));
    }
    if claim.slot != MinerSlot::default() {
        return Err(wrong_state("a slot before the fork", claim.slot.amount, 0));
    }
    Ok(())
}

fn log_anchors(
    rules: &Parameters,
    mut log: AnchorLog,
    entries: &[LogEntry],
) -> Vec<(Hash32, AnchorEntry)> {
    let personals = LogPersonals::of(&rules.profile);
    let mut anchors = Vec::with_capacity(entries.len());
    for entry in entries {
        let stored = AnchorEntry {
            parent: entry.parent,
            tree_root: entry.tree_root,
            blue_score: entry.blue_score,
            log_before: log.clone(),
        };
        anchors.push((entry.block, stored));
        log.append(&personals, entry);
    }
    anchors
}
