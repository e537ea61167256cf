//! Fixture for the targets of stored records: the recorded chain with payments in an engine's store.

use std::sync::LazyLock;

use svc_chain::block::Block;
use svc_chain::profile::Profile;
use svc_codec::error::SvcError;
use svc_consensus::engine::Engine;
use svc_consensus::pipeline::inserted::Inserted;
use svc_consensus::rules::acceptance::Job;
use svc_consensus::store::{MemoryStore, tables};

use crate::vectors;

/// Steps of judging after a block: there are a dozen blocks to judge at most.
const MAX_STEPS: usize = 64;

/// The network of the recorded payments.
pub static SIMNET: LazyLock<Option<Profile>> = LazyLock::new(|| Profile::built_in("simnet"));

/// The blocks of the recorded payments: a trunk, then a longer branch.
pub static BLOCKS: LazyLock<Vec<Block>> = LazyLock::new(|| {
    let (blocks, _) = vectors::payment_parts();
    let read = |bytes: &Vec<u8>| Block::from_bytes(bytes).ok();
    blocks.iter().filter_map(read).collect()
});

static STORE: LazyLock<MemoryStore> =
    LazyLock::new(|| store_after(BLOCKS.len()).unwrap_or_default());

/// An engine over `store` that takes blocks in and finds every proof good.
///
/// # Errors
/// Those of the engine.
pub fn feed(engine: &mut Engine<MemoryStore>, blocks: &[Block]) -> Result<(), SvcError> {
    for block in blocks {
        let now_ms = block.header.timestamp_ms;
        if let Inserted::Accepted { jobs, .. } = engine.insert_block(block.clone(), now_ms)? {
            approve(engine, &jobs)?;
        }
        settle(engine)?;
    }
    Ok(())
}

/// Judges until nothing is left.
///
/// # Errors
/// Those of the engine.
pub fn settle(engine: &mut Engine<MemoryStore>) -> Result<(), SvcError> {
    for _ in 0..MAX_STEPS {
        let resolved = engine.resolve(8)?;
        approve(engine, &resolved.jobs)?;
        if resolved.done && resolved.jobs.is_empty() {
            break;
        }
    }
    Ok(())
}

fn approve(engine: &mut Engine<MemoryStore>, jobs: &[Job]) -> Result<(), SvcError> {
    jobs.iter()
        .try_for_each(|job| engine.note_verdict(job.txid, job.format, true))
}

/// The store after the first `count` of [`BLOCKS`].
///
/// # Errors
/// Those of the engine; none while the recording is sound.
pub fn store_after(count: usize) -> Result<MemoryStore, SvcError> {
    let Some(profile) = SIMNET.as_ref() else {
        return Ok(MemoryStore::new());
    };
    let mut engine = Engine::open(MemoryStore::new(), profile.clone())?;
    feed(&mut engine, &BLOCKS[..count.min(BLOCKS.len())])?;
    Ok(engine.records().overlay.store().clone())
}

/// A few values of a table, long and short ones.
pub fn records(table: u8) -> Vec<Vec<u8>> {
    let mut values: Vec<Vec<u8>> = STORE
        .dump()
        .into_iter()
        .filter(|(of, _, value)| *of == table && !value.is_empty())
        .map(|(_, _, value)| value)
        .collect();
    values.sort_by_key(Vec::len);
    values.dedup();
    let step = values.len().div_ceil(12).max(1);
    let longest = values.last().cloned();
    let mut some: Vec<Vec<u8>> = values.into_iter().step_by(step).collect();
    some.extend(longest);
    some
}

/// The value of one META key.
pub fn meta(key: &[u8]) -> Vec<Vec<u8>> {
    STORE
        .dump()
        .into_iter()
        .filter(|(table, found, _)| *table == tables::META && found == key)
        .map(|(_, _, value)| value)
        .collect()
}
