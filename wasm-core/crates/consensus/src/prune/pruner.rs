//! Incremental pruner: does the work below a pruning point in steps. The progress is in the store; the memory
//! beside it is only a cache, and a restarted engine goes on with the same plan.

use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_dag::store::DagStore;

use crate::failure::is_fatal;
use crate::pipeline::event::Event;
use crate::proof::build::ProofMaking;
use crate::proof::stored_proof;
use crate::prune::deletion::{drop_header, drop_node, strip};
use crate::prune::fate::{Fate, Wanted};
use crate::prune::kept::{Kept, SEGMENT};
use crate::prune::plan::{Phase, Plan};
use crate::prune::survey::{Survey, TreeWalk};
use crate::records::anchor_entry::AnchorEntry;
use crate::records::chain::Chain;
use crate::records::held_history::held_history;
use crate::records::meta;
use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::store::tables;
use crate::store::{KeyRange, Pair, Store};

/// Looking at this many blocks is as dear as deleting one.
const LOOKS_PER_BLOCK: usize = 8;

/// What remains of a call's budget, in looks.
struct Left(usize);

impl Left {
    fn spend(&mut self, looks: usize) {
        self.0 = self.0.saturating_sub(looks);
    }

    fn is_spent(&self) -> bool {
        self.0 == 0
    }
}

/// The result of one call.
#[derive(Debug, Default)]
pub struct Pruned {
    /// Whether nothing is left to do.
    pub done: bool,
    /// Blocks of which something was deleted.
    pub blocks: usize,
}

/// Prunes below the pruning point.
#[derive(Default)]
pub struct Pruner {
    proof: Option<ProofMaking>,
    survey: Option<Survey>,
    sweep: Option<(TreeWalk, Wanted)>,
    /// The pruning point of which no proof could be made: it is not tried again before the next start.
    unprovable: Option<Hash32>,
}

impl Pruner {
    /// Goes on with work worth deleting `budget` blocks, at least one; writes, but does not commit.
    ///
    /// # Errors
    /// `store/*`, and `proof/*` when no proof of the pruning point can be made: then nothing is deleted. It is said once;
    /// from then on nothing is left to do until there is a later pruning point, of which there may be a proof.
    pub fn step<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        budget: usize,
        events: &mut Vec<Event>,
    ) -> Result<Pruned, SvcError> {
        let record = chain.records.pruning()?;
        if record.swept == record.point || self.unprovable == Some(record.point) {
            return Ok(Pruned {
                done: true,
                blocks: 0,
            });
        }
        // What was begun for an older pruning point is ended first: it keeps all that is needed above, and a point that
        // moves fast would never be swept below.
        let mut plan = match chain.records.pruning_plan()? {
            Some(plan) if plan.phase != Phase::Done && self.unprovable != Some(plan.point) => plan,
            _ => {
                *self = Self {
                    unprovable: self.unprovable,
                    ..Self::default()
                };
                Plan::new(record.point, record.index)
            }
        };
        let mut left = Left(budget.max(1).saturating_mul(LOOKS_PER_BLOCK));
        let mut blocks = 0;
        while plan.phase != Phase::Done && !left.is_spent() {
            let worked = self.work(chain, &mut plan, &mut left);
            if plan.phase == Phase::Proof && worked.as_ref().is_err_and(|error| !is_fatal(error)) {
                self.unprovable = Some(plan.point);
            }
            blocks += worked?;
        }
        if plan.phase == Phase::Done {
            finish(chain, &plan, events)?;
        }
        chain.records.put_meta(meta::PRUNING_PLAN, plan.encode());
        Ok(Pruned {
            done: plan.phase == Phase::Done && plan.point == record.point,
            blocks,
        })
    }

    fn work<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        plan: &mut Plan,
        left: &mut Left,
    ) -> Result<usize, SvcError> {
        match plan.phase {
            Phase::Entries => write_entry(chain, plan, left)?,
            Phase::Proof => self.make_proof(chain, plan, left)?,
            Phase::Survey => self.look(chain, plan, left)?,
            Phase::Tree => return self.sweep(chain, plan, left),
            Phase::Headers => return self.drop_old_header(chain, plan, left),
            Phase::Anchors => drop_old_anchor(chain, plan, left)?,
            Phase::Done => {}
        }
        Ok(0)
    }

    fn make_proof<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        plan: &mut Plan,
        left: &mut Left,
    ) -> Result<(), SvcError> {
        let mut making = match self.proof.take() {
            Some(making) => making,
            None => ProofMaking::begin(&chain.records, &plan.point)?,
        };
        let is_whole = making.step(&chain.rules, &chain.records)?;
        left.spend(making.last_len().max(1));
        if is_whole {
            stored_proof::write(&mut chain.records, &making.finish());
            plan.advance();
        } else {
            self.proof = Some(making);
        }
        Ok(())
    }

    fn look<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        plan: &mut Plan,
        left: &mut Left,
    ) -> Result<(), SvcError> {
        let mut survey = match self.survey.take() {
            Some(survey) => survey,
            None => Survey::begin(chain, &plan.point)?,
        };
        left.spend(1);
        if survey.step(chain, &plan.point)? {
            self.survey = Some(survey);
        } else {
            survey.finish(chain, plan)?;
            plan.advance();
        }
        Ok(())
    }

    /// Decides about the next block of the tree.
    fn sweep<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        plan: &mut Plan,
        left: &mut Left,
    ) -> Result<usize, SvcError> {
        let (mut walk, wanted) = match self.sweep.take() {
            Some(sweep) => sweep,
            None => (TreeWalk::default(), Wanted::load(chain, plan)?),
        };
        left.spend(1);
        let Some(block) = walk.next(&chain.records, &plan.point)? else {
            plan.advance();
            return Ok(0);
        };
        let changed = match wanted.fate(chain, plan, &block)? {
            Fate::Above | Fate::Beside => false,
            Fate::Node => strip(&mut chain.records, &wanted, &block)?,
            Fate::Header(reasons) => {
                drop_node(&mut chain.records, &wanted, &block)?;
                let index = wanted.index();
                chain.records.put_kept(&block, Kept { reasons, index });
                true
            }
            Fate::Nothing => {
                drop_node(&mut chain.records, &wanted, &block)?;
                drop_header(&mut chain.records, &block)?;
                true
            }
        };
        self.sweep = Some((walk, wanted));
        if changed {
            left.spend(LOOKS_PER_BLOCK - 1);
        }
        Ok(usize::from(changed))
    }

    /// Looks at the next row of `KEPT` that is of an older pruning point.
    fn drop_old_header<S: Store>(
        &mut self,
        chain: &mut Chain<S>,
        plan: &mut Plan,
        left: &mut Left,
    ) -> Result<usize, SvcError> {
        let (_, wanted) = match self.sweep.take() {
            Some(sweep) => sweep,
            None => (TreeWalk::default(), Wanted::load(chain, plan)?),
        };
        left.spend(1);
        let row = next_row(&chain.records, tables::KEPT, &mut plan.cursor)?;
        let mut blocks = 0;
        if let Some((key, value)) = row {
            let block = stored("kept blocks", whole(&key, Reader::hash))?;
            let kept = stored("kept blocks", Kept::decode(&value))?;
            if chain.records.has_reachability(&block)? {
                // Its node tells more than the row, unless the node is there because of the row.
                if kept.index != wanted.index() {
                    chain.records.overlay.delete(tables::KEPT, block.as_bytes());
                }
            } else if wanted.header_reasons(&chain.records, &block, kept.reasons & SEGMENT != 0)?
                == 0
            {
                drop_header(&mut chain.records, &block)?;
                left.spend(LOOKS_PER_BLOCK - 1);
                blocks = 1;
            }
        } else {
            plan.advance();
        }
        self.sweep = Some((TreeWalk::default(), wanted));
        Ok(blocks)
    }
}

/// The next row of a table by 32-byte hashes; the cursor moves behind it.
fn next_row<S: Store>(
    records: &Records<S>,
    table: u8,
    cursor: &mut Vec<u8>,
) -> Result<Option<Pair>, SvcError> {
    let rows = records.overlay.range(KeyRange {
        table,
        from: cursor,
        to: &[0xff; 34],
        limit: 1,
        reverse: false,
    })?;
    let row = rows.into_iter().next();
    if let Some((key, _)) = &row {
        *cursor = [key.as_slice(), &[0]].concat();
    }
    Ok(row)
}

/// Writes the anchor entry of the next block down the chain, as far as an anchor may be spent against by the first
/// block above the pruning point. The cursor holds the chain index of that block.
fn write_entry<S: Store>(
    chain: &mut Chain<S>,
    plan: &mut Plan,
    left: &mut Left,
) -> Result<(), SvcError> {
    let Chain { rules, records } = chain;
    left.spend(LOOKS_PER_BLOCK / 2);
    let index = match plan.cursor.is_empty() {
        true => records.chain_index(&plan.point)?,
        false => Some(stored("pruning plan", whole(&plan.cursor, Reader::u64))?),
    };
    let block = match index {
        Some(index) => records.chain_at(index)?,
        None => None,
    };
    let (Some(index), Some(block)) = (index.filter(|index| *index > 0), block) else {
        plan.advance();
        return Ok(());
    };
    let top = records.header(&plan.point)?.header.blue_score;
    let lowest = top.saturating_sub(rules.profile.max_shielded_anchor_age);
    let in_reach = match records.anchor_entry(&block)? {
        Some(entry) => entry.blue_score >= lowest,
        None => write_new_entry(records, &block, lowest)?,
    };
    if !in_reach {
        plan.advance();
        return Ok(());
    }
    if let Some(child) = records.chain_at(index + 1)? {
        records.keep_anchor_binding(rules, &block, &child)?;
    }
    plan.cursor = (index - 1).to_le_bytes().to_vec();
    Ok(())
}

/// Whether the block is in reach; only then an entry is written. Blocks without a state are below what this store ever
/// held.
fn write_new_entry<S: Store>(
    records: &mut Records<S>,
    block: &Hash32,
    lowest: u64,
) -> Result<bool, SvcError> {
    if !records.has_reachability(block)? {
        return Ok(false);
    }
    let blue_score = records.header(block)?.header.blue_score;
    let parent = records.ghostdag(block)?.selected_parent;
    let (Some(after), Some(before)) = (
        records.kept_chain_state(block)?,
        records.kept_chain_state(&parent)?,
    ) else {
        return Ok(false);
    };
    if blue_score < lowest {
        return Ok(false);
    }
    let entry = AnchorEntry {
        parent,
        tree_root: after.tree_root,
        blue_score,
        log_before: before.anchor_log.clone(),
    };
    records.put_anchor_entry(block, &entry);
    Ok(true)
}

/// Looks at the next anchor entry: out of reach, it goes, and with it the block as a producer of its root.
fn drop_old_anchor<S: Store>(
    chain: &mut Chain<S>,
    plan: &mut Plan,
    left: &mut Left,
) -> Result<(), SvcError> {
    let Chain { rules, records } = chain;
    left.spend(2);
    let Some((key, value)) = next_row(records, tables::ANCHOR_ENTRIES, &mut plan.cursor)? else {
        plan.advance();
        return Ok(());
    };
    let block: Hash32 = stored("anchor entries", whole(&key, Reader::hash))?;
    let entry = stored("anchor entries", AnchorEntry::decode(&value))?;
    let top = records.header(&plan.point)?.header.blue_score;
    let last = entry
        .blue_score
        .saturating_add(rules.profile.max_shielded_anchor_age);
    if last < top {
        records
            .overlay
            .delete(tables::ANCHOR_ENTRIES, block.as_bytes());
        records
            .overlay
            .delete(tables::ANCHOR_BINDINGS, block.as_bytes());
        let key = meta::encode_hashes(&[entry.tree_root, block]);
        records.overlay.delete(tables::ANCHOR_PRODUCERS, &key);
    }
    Ok(())
}

fn finish<S: Store>(
    chain: &mut Chain<S>,
    plan: &Plan,
    events: &mut Vec<Event>,
) -> Result<(), SvcError> {
    let mut record = chain.records.pruning()?;
    record.swept = plan.point;
    chain.records.put_pruning(&record);
    events.push(Event::Pruned {
        point: plan.point,
        history_from_daa_score: held_history(chain)?.from_daa_score,
    });
    Ok(())
}
