//! Self-check of kept evidence. Where a block is held whole its record is made anew; below the pruning point the records
//! lead from one held header to the next, and from one held state to the next (ADR 61).

use svc_chain::muhash::MuHash;
use svc_chain::seq_commit::commitment;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::limits::STORED_KEY_BYTES;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_dag::store::DagStore;
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::opening::Nullifiers;
use svc_pow::judge_work::WorkNetwork;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals, leaf_hash};

use crate::questions::checked_rows::{block_of, contradiction, page, require};
use crate::records::Records;
use crate::records::block_status::Stage;
use crate::records::chain::Chain;
use crate::records::chain_evidence::ChainEvidence;
use crate::rules::made_evidence::made_evidence;
use crate::rules::state_opening::{TREE_STATE_SPACING, open_state};
use crate::store::{Store, tables};

const TABLE: &str = "chain_evidence";
const OPENINGS: &str = "openings";
const NO_OPENING: &str = "no opening of a state that stays";

/// Checks the records of the next chain blocks in their order. The cursor is a [`Walk`].
///
/// # Errors
/// `verify/contradiction`, `store/*`, `engine/bad-call` for another cursor.
pub fn check_chain_evidence<S: Store>(
    chain: &Chain<S>,
    cursor: &[u8],
    limit: usize,
) -> Result<Option<Vec<u8>>, SvcError> {
    let records = &chain.records;
    let mut walk = Walk::decode(cursor)?;
    let rows = page(records, tables::CHAIN_BY_INDEX, &walk.after, limit)?;
    if rows.is_empty() {
        return Ok(None);
    }
    for (key, value) in rows {
        let block = block_of("chain_by_index", &value)?;
        walk.step(chain, &block)?;
        walk.after = key;
    }
    Ok(Some(walk.encode()))
}

/// A record is that of a block which was judged. Whether it is the right one was checked with the block.
///
/// # Errors
/// `verify/contradiction`, `store/*`.
pub fn check_evidence_row<S: Store>(chain: &Chain<S>, key: &[u8]) -> Result<(), SvcError> {
    let block = block_of(TABLE, key)?;
    let is_genesis = block == chain.rules.genesis_hash;
    require(!is_genesis, TABLE, key, "genesis has no evidence")?;
    require_judged(&chain.records, TABLE, &block)
}

/// A judged block beside the chain has the record that it gives. Those of chain blocks were checked in their order.
///
/// # Errors
/// `verify/contradiction`, `store/*`.
pub fn check_evidence_beside<S: Store>(chain: &Chain<S>, key: &[u8]) -> Result<(), SvcError> {
    let block = block_of("acceptance", key)?;
    let Chain { rules, records } = chain;
    if records.chain_index(&block)?.is_some() {
        return Ok(());
    }
    let row = records.chain_evidence(&block)?;
    if !check_made(chain, &block, row.as_ref())? {
        return Ok(());
    }
    let parent = records.ghostdag(&block)?.selected_parent;
    if records.header(&parent)?.header.daa_score % TREE_STATE_SPACING != 0 {
        return Ok(());
    }
    let is_kept = records.overlay.get(tables::OPENINGS, key)?.is_some();
    let was_due = !is_kept && open_state(rules, records, &parent, &block)?.is_some();
    require(!was_due, OPENINGS, key, NO_OPENING)
}

fn require_judged<S: Store>(
    records: &Records<S>,
    table: &str,
    block: &Hash32,
) -> Result<(), SvcError> {
    let on_chain = records.chain_index(block)?.is_some();
    let was_judged = on_chain || records.stage(block)? == Some(Stage::Valid);
    let reason = "the block was not judged";
    require(was_judged, table, block.as_bytes(), reason)
}

/// An opening holds under its own header, for a judged block above one whose state stays.
///
/// # Errors
/// `verify/contradiction`, `store/*`.
pub fn check_opening<S: Store>(chain: &Chain<S>, key: &[u8], value: &[u8]) -> Result<(), SvcError> {
    let child = block_of(OPENINGS, key)?;
    let Chain { rules, records } = chain;
    require_judged(records, OPENINGS, &child)?;
    let Some((header, opening)) = records.kept_opening(&child)? else {
        return Ok(());
    };
    let judge = Judge {
        network: WorkNetwork {
            profile: &rules.profile,
            genesis: &rules.genesis_hash,
        },
        floor: WorkFloor::of_network(&rules.profile),
    };
    let proved = judge.header(header).and_then(|above| {
        let state = judge.opening(&above, opening)?;
        Ok((above, state))
    });
    let (above, state) = proved.map_err(|error| contradiction(OPENINGS, key, error))?;
    let reason = "the opening is another block's";
    require(above.hash() == child, OPENINGS, key, reason)?;
    // A set without nullifiers has no product.
    let is_whole = match &state.parts().nullifiers {
        Nullifiers::Product(product) => **product != MuHash::new(),
        Nullifiers::Digest(digest) => *digest == MuHash::new().finalize(),
    };
    let reason = "the product of the nullifiers is not there";
    require(is_whole, OPENINGS, key, reason)?;
    let stays = records.chain_scores(&state.block())?.daa_score % TREE_STATE_SPACING == 0;
    let reason = "the state does not stay";
    require(stays, OPENINGS, key, reason)?;
    let made = open_state(rules, records, &state.block(), &child)?;
    let same = made.is_none_or(|(header, opening)| opening.encode(&header) == value);
    let reason = "another opening than that of the block";
    require(same, OPENINGS, key, reason)
}

/// Compares a record with the one that the block gives, where it is held whole; whether it is.
fn check_made<S: Store>(
    chain: &Chain<S>,
    block: &Hash32,
    row: Option<&ChainEvidence>,
) -> Result<bool, SvcError> {
    let Some(made) = made_evidence(chain, block)? else {
        return Ok(false);
    };
    let reason = match row {
        Some(_) => "another record than that of the block",
        None => "no evidence of a judged block",
    };
    require(row == Some(&made), TABLE, block.as_bytes(), reason)?;
    Ok(true)
}

/// What the check knows where it has come to on the chain.
#[derive(Default)]
struct Walk {
    /// Key of the last index; empty before the first.
    after: Vec<u8>,
    /// The block at it.
    below: Option<Hash32>,
    /// Whether it had a record.
    has_row: bool,
    /// The accepted-id root of its header, by that header or by the records since one that is held.
    root: Option<Hash32>,
    /// The anchor log after it.
    log: Option<AnchorLog>,
}

impl Walk {
    fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer.count_u16(self.after.len()).bytes(&self.after);
        writer.u8(u8::from(self.has_row));
        for hash in [self.below, self.root] {
            writer.u8(u8::from(hash.is_some()));
            writer.hash(&hash.unwrap_or_default());
        }
        writer.u8(u8::from(self.log.is_some()));
        if let Some(log) = &self.log {
            log.encode(&mut writer);
        }
        writer.into_vec()
    }

    fn decode(cursor: &[u8]) -> Result<Self, SvcError> {
        if cursor.is_empty() {
            return Ok(Self::default());
        }
        let bad = |_| SvcError::new(Code::EngineBadCall).with("reason", "cursor of the evidence");
        Self::read(Reader::new(cursor)).map_err(bad)
    }

    fn read(mut reader: Reader<'_>) -> Result<Self, SvcError> {
        let len = reader.count_u16(STORED_KEY_BYTES, 1)?;
        let mut walk = Self {
            after: reader.take(len)?.to_vec(),
            has_row: reader.u8()? == 1,
            ..Self::default()
        };
        for hash in [&mut walk.below, &mut walk.root] {
            let is_there = reader.u8()? == 1;
            *hash = Some(reader.hash()?).filter(|_| is_there);
        }
        if reader.u8()? == 1 {
            walk.log = Some(AnchorLog::decode(&mut reader)?);
        }
        reader.finish()?;
        Ok(walk)
    }

    /// Goes to the next chain block.
    fn step<S: Store>(&mut self, chain: &Chain<S>, block: &Hash32) -> Result<(), SvcError> {
        let records = &chain.records;
        let row = records.chain_evidence(block)?;
        let is_held = check_made(chain, block, row.as_ref())?;
        let reason = "no record above a block that has one";
        let follows = row.is_some() || !self.has_row;
        require(follows, TABLE, block.as_bytes(), reason)?;
        self.check_opening_below(chain, block, row.is_some(), is_held)?;
        let log = self.log_after(chain, block, row.as_ref())?;
        self.check_path(records, block, row.as_ref())?;
        let root = self.root_after(records, block, row.as_ref())?;
        self.has_row = row.is_some();
        (self.below, self.log, self.root) = (Some(*block), log, root);
        Ok(())
    }

    /// The state after the block below has an opening under this one if it stays.
    fn check_opening_below<S: Store>(
        &self,
        chain: &Chain<S>,
        block: &Hash32,
        has_row: bool,
        is_held: bool,
    ) -> Result<(), SvcError> {
        let Chain { rules, records } = chain;
        let Some(below) = self.below.filter(|_| has_row) else {
            return Ok(());
        };
        let key = block.as_bytes();
        if records.chain_scores(&below)?.daa_score % TREE_STATE_SPACING != 0
            || records.overlay.get(tables::OPENINGS, key)?.is_some()
        {
            return Ok(());
        }
        // Whoever had the records of both blocks had what an opening takes.
        let was_due =
            self.has_row || is_held && open_state(rules, records, &below, block)?.is_some();
        require(!was_due, OPENINGS, key, NO_OPENING)
    }

    /// The anchor log after the block: what its record completes follows from the log before it, and is what its state
    /// has.
    fn log_after<S: Store>(
        &self,
        chain: &Chain<S>,
        block: &Hash32,
        row: Option<&ChainEvidence>,
    ) -> Result<Option<AnchorLog>, SvcError> {
        let Chain { rules, records } = chain;
        let state = records.kept_chain_state(block)?;
        let held = state.as_ref().map(|state| state.anchor_log.clone());
        let Some(row) = row else {
            return Ok(held);
        };
        let key = block.as_bytes();
        let entry = records.anchor_entry(block)?.map(|entry| entry.tree_root);
        let roots = [state.map(|state| state.tree_root), entry];
        let fits = roots.iter().flatten().all(|root| *root == row.tree_root);
        require(fits, TABLE, key, "another tree root than the block's")?;
        let scores = records.chain_scores(block)?;
        let mut found = None;
        if !rules.fork_active(scores.daa_score) {
            let reason = "a log before the security fork";
            require(row.log_nodes.is_empty(), TABLE, key, reason)?;
            found = Some(AnchorLog::default());
        } else if let Some(parent) = self.below {
            let entry = LogEntry {
                block: *block,
                parent,
                tree_root: row.tree_root,
                blue_score: scores.blue_score,
            };
            found = self.log.clone();
            let personals = LogPersonals::of(&rules.profile);
            let fits = match &mut found {
                Some(log) => log.append(&personals, &entry) == row.log_nodes,
                None => row.log_nodes.first() == Some(&leaf_hash(&personals, &entry)),
            };
            require(fits, TABLE, key, "nodes that do not follow in the log")?;
        }
        let fits = held.is_none() || found.is_none() || held == found;
        require(fits, TABLE, key, "another log than that of the state")?;
        Ok(held.or(found))
    }

    /// The opening of the sequencing state names the block below, where the header of that one is held.
    fn check_path<S: Store>(
        &self,
        records: &Records<S>,
        block: &Hash32,
        row: Option<&ChainEvidence>,
    ) -> Result<(), SvcError> {
        let (Some(below), Some(row)) = (self.below, row) else {
            return Ok(());
        };
        let Some(path) = &row.parent_path else {
            return Ok(());
        };
        if !records.has_header(&below)? {
            return Ok(());
        }
        let found = path.state_above(&below, &records.header(&below)?.header);
        let reason = "the opened state is of another selected parent";
        require(found == row.sequencing, TABLE, block.as_bytes(), reason)
    }

    /// The accepted-id root of the block: the records since the header that was met last lead to that of its own.
    fn root_after<S: Store>(
        &self,
        records: &Records<S>,
        block: &Hash32,
        row: Option<&ChainEvidence>,
    ) -> Result<Option<Hash32>, SvcError> {
        let led = self.root.zip(row);
        let led = led.map(|(root, row)| commitment(&root, &row.sequencing));
        if !records.has_header(block)? {
            return Ok(led);
        }
        let held = records.header(block)?.header.accepted_id_merkle_root;
        let reason = "the records do not lead to the header";
        let fits = led.is_none_or(|led| led == held);
        require(fits, TABLE, block.as_bytes(), reason)?;
        Ok(Some(held))
    }
}
