//! Payload digest of a pruning point: what its sequencing commitment covers of the merged blocks, kept for nodes that
//! start there.

use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::seq_commit;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;

use crate::records::meta;
use crate::records::{Records, stored};
use crate::store::Store;

/// Stores the payload digest of a new pruning point, before the bodies of the blocks that it merged are deleted.
///
/// # Errors
/// `store/*`.
pub(crate) fn remember_payloads<S: Store>(
    records: &mut Records<S>,
    point: &Hash32,
) -> Result<(), SvcError> {
    match payload_digest(records, point) {
        Ok(digest) => {
            let row = meta::encode_hashes(&[*point, digest]);
            records.put_meta(meta::PAYLOAD_DIGEST, row);
            Ok(())
        }
        // A body is gone already: this pruning point is not served.
        Err(error) if error.code == Code::ChainUnknownBlock => Ok(()),
        Err(error) => Err(error),
    }
}

/// The digest over payloads and context in the sequencing commitment of a chain block (specification consensus 12,
/// steps 1, 7 and 9): as an import brought it, or of the blocks it merged, whose bodies must be held.
///
/// # Errors
/// `chain/unknown-block` naming a merged block without body, `store/*`.
pub fn payload_digest<S: Store>(records: &Records<S>, block: &Hash32) -> Result<Hash32, SvcError> {
    if let Some(bytes) = records.find_meta(meta::PAYLOAD_DIGEST)?
        && let [of, digest] = stored("meta", meta::decode_hashes(&bytes))?[..]
        && of == *block
    {
        return Ok(digest);
    }
    let data = records.ghostdag(block)?;
    let header = &records.header(block)?.header;
    let parent = records.header(&data.selected_parent)?;
    let mut leaves = Vec::new();
    for merged in data.consensus_ordered_mergeset(records)? {
        let unknown = || SvcError::new(Code::ChainUnknownBlock).with("hash", merged);
        let coinbase = records.transaction(&merged, 0)?.ok_or_else(unknown)?;
        stored("bodies", CoinbasePayload::decode(&coinbase.payload))?;
        let work = records.header(&merged)?.header.blue_work;
        let leaf = seq_commit::miner_payload_leaf(&merged, work, &coinbase.payload);
        leaves.push(leaf);
    }
    let context = seq_commit::mergeset_context(
        parent.header.timestamp_ms,
        header.daa_score,
        header.blue_score,
    );
    let root = seq_commit::payload_root(&leaves);
    Ok(seq_commit::payload_and_context_digest(&context, &root))
}
