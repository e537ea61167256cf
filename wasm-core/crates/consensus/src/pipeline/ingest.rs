//! Block ingestion: header stage, body stage, and what is remembered when one fails.

use svc_chain::block::{Block, HashedBlock, WitnessedBlock};
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;
use svc_dag::windows::DaaData;

use crate::failure::Failure;
use crate::parameters::Parameters;
use crate::pipeline::headers::{admit_header, known_stage};
use crate::pipeline::inserted::{Inserted, refused};
use crate::pipeline::resolve::update_tips;
use crate::records::block_status::{BlockStatus, Stage, Verdict};
use crate::records::body::Body;
use crate::records::chain::Chain;
use crate::records::meta;
use crate::rules::acceptance::unknown_verdicts;
use crate::rules::body_rules::{check_body, check_merkle_root};
use crate::rules::header_rules::{Incoming, check_parent_count};
use crate::rules::reach::is_out_of_reach;
use crate::rules::tx_rules::{check_value, needs_past_median};
use crate::store::Store;

/// Looks up whether a proof is already known to hold.
pub type VerdictLookup<'a> = &'a dyn Fn(&Hash32, svc_shielded::bundle::BundleFormat) -> bool;

/// Reads a `RawBlock` for [`insert`].
///
/// # Errors
/// As [`WitnessedBlock::from_bytes`], and `header/too-many-parents` before anything is hashed.
pub fn read_incoming(rules: &Parameters, raw: &[u8]) -> Result<HashedBlock, SvcError> {
    let incoming = WitnessedBlock::from_bytes(raw)?;
    check_parent_count(rules, &incoming.block.header)?;
    Ok(incoming.into())
}

/// Takes a block in. Errors are store errors only.
pub fn insert<S: Store>(
    chain: &mut Chain<S>,
    incoming: HashedBlock,
    now_ms: u64,
    is_verified: VerdictLookup<'_>,
) -> Result<Inserted, SvcError> {
    let hash = incoming.hash();
    match insert_stages(chain, incoming, now_ms, is_verified) {
        Ok(new) => Ok(Inserted::Accepted {
            new,
            jobs: unknown_verdicts(chain, &hash)?,
        }),
        Err(failure) => refused(&mut chain.records, &hash, failure),
    }
}

/// Returns whether the block is new.
fn insert_stages<S: Store>(
    chain: &mut Chain<S>,
    incoming: HashedBlock,
    now_ms: u64,
    is_verified: VerdictLookup<'_>,
) -> Result<bool, Failure> {
    let (hash, WitnessedBlock { block, witness }) = incoming.into_parts();
    let header = Incoming {
        hash,
        header: &block.header,
        witness: witness.as_deref(),
    };
    let past_median_ms = match known_stage(&chain.records, &header)? {
        Some(stage) if stage.has_body() => return Ok(false),
        Some(_) if is_out_of_reach(&chain.records, &hash)? => {
            let error = SvcError::new(Code::BodyPruned).with("hash", hash);
            return Err(Failure::Passing(error));
        }
        Some(_) => past_median_for(chain, &hash, &block)?,
        None => match admit_header(chain, header, now_ms) {
            // Such a block is kept by its id until its parents come, and must not keep the right body out.
            Err(waits @ Failure::MissingParents(_)) => {
                check_merkle_root(&block)?;
                return Err(waits);
            }
            admitted => admitted?,
        },
    };
    let txids = check_body(chain, &block, past_median_ms, true)?;
    let checked = CheckedBlock { hash, block, txids };
    commit_body(chain, checked, is_verified)?;
    Ok(true)
}

/// Past median time of a block whose header is stored, for the checks of its body; 0 when none of them compares with it:
/// what it is made of was read long ago, when the header came.
pub(crate) fn past_median_for<S: Store>(
    chain: &Chain<S>,
    hash: &Hash32,
    block: &Block,
) -> Result<u64, SvcError> {
    let Chain { rules, records } = chain;
    if !block.transactions.iter().any(needs_past_median) {
        return Ok(0);
    }
    let data = records.ghostdag(hash)?;
    let daa = DaaData {
        daa_score: records.header(hash)?.header.daa_score,
        excluded: records.daa_excluded(hash)?.as_ref().clone(),
    };
    rules
        .windows
        .past_median_time(records, &rules.profile, &data, &daa)
}

/// A block that passed all checks of its body.
pub(crate) struct CheckedBlock {
    /// Its hash.
    pub(crate) hash: Hash32,
    /// Header and transactions.
    pub(crate) block: Block,
    /// Ids of the transactions, in order.
    pub(crate) txids: Vec<Hash32>,
}

/// Writes the body of a block and what is known of its proofs; the block becomes a tip.
pub(crate) fn commit_body<S: Store>(
    chain: &mut Chain<S>,
    checked: CheckedBlock,
    is_verified: VerdictLookup<'_>,
) -> Result<(), SvcError> {
    let Chain { rules, records } = chain;
    let CheckedBlock { hash, block, txids } = checked;
    let format = rules.bundle_format(block.header.daa_score);
    let verdict = |(transaction, txid): (&Transaction, &Hash32)| {
        if !transaction.is_shielded() || check_value(transaction, format).is_err() {
            // Spends an output that cannot exist on a network without transparent outputs, or is never accepted
            // whatever its proof is.
            Verdict::Invalid
        } else if is_verified(txid, format) {
            Verdict::Valid
        } else {
            Verdict::Unknown
        }
    };
    let verdicts = block
        .transactions
        .iter()
        .zip(&txids)
        .skip(1)
        .map(verdict)
        .collect();
    let status = BlockStatus {
        stage: Stage::Pending,
        verdicts,
        reason: String::new(),
    };
    records.put_status(&hash, status);
    update_tips(records, &hash, block.header.direct_parents())?;
    records.put_body(&hash, Body::with_txids(block.transactions, txids));
    let mut counters = records.counters()?;
    counters.bodies += 1;
    records.put_meta(meta::COUNTERS, counters.encode());
    Ok(())
}
