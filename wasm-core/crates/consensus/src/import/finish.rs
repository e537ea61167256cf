//! Last step of an import: one commit makes the pruning point the position, the sink and the first block of the
//! chain.

use svc_codec::code::Code;
use svc_codec::error::SvcError;

use crate::import::state::StateImport;
use crate::import::{Import, out_of_order};
use crate::imported_log::LogRecord;
use crate::records::Records;
use crate::records::block_status::{BlockStatus, Stage};
use crate::records::chain::Chain;
use crate::records::meta::{self, PruningRecord, VirtualRecord};
use crate::store::{Store, tables};

impl Import {
    /// Writes the state when all of it has come.
    pub(super) fn finish<S: Store>(&mut self, chain: &mut Chain<S>) -> Result<(), SvcError> {
        let Chain { rules, records } = chain;
        let lanes = self.lanes.take().filter(|lanes| lanes.is_done());
        let (Some(lanes), Some(import)) = (lanes, self.state.take()) else {
            return Err(out_of_order("finish"));
        };
        import.check_nullifiers()?;
        if !import.older.are_settled() {
            return Err(SvcError::new(Code::ImportUnbound).with("pruningPoint", self.point));
        }
        let digest = meta::encode_hashes(&[self.point, lanes.claim.payload_digest]);
        records.put_meta(meta::PAYLOAD_DIGEST, digest);
        write_anchors(records, &import);
        let point = self.point;
        LogRecord::begin(records, &point, &import.state.anchor_log);
        records.put_meta(meta::BEGINNING, point.as_bytes().to_vec());
        let status = records.known_status(&point)?.as_ref().clone();
        let stage = Stage::Valid;
        records.put_status(&point, BlockStatus { stage, ..status });
        records.put_chain_state(&point, import.state);
        records.put_position(&point);
        let parents = vec![point];
        let sink = point;
        records.put_meta(meta::VIRTUAL, VirtualRecord { sink, parents }.encode());
        // What lies between genesis and the pruning point is not here: only the claim says how many blocks that is.
        records.set_chain(0, &rules.genesis_hash, false);
        records.set_chain(import.chain_index, &point, true);
        let pruning = records.pruning()?;
        records.put_pruning(&PruningRecord {
            flags: pruning.flags & !PruningRecord::STATE_MISSING,
            ..pruning
        });
        Ok(())
    }
}

fn write_anchors<S: Store>(records: &mut Records<S>, import: &StateImport) {
    for (block, entry) in &import.anchors {
        records.put_anchor_entry(block, entry);
        let key = meta::encode_hashes(&[entry.tree_root, *block]);
        records
            .overlay
            .put(tables::ANCHOR_PRODUCERS, &key, Vec::new());
    }
}
