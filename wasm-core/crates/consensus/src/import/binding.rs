//! State root of the imported pruning point as the network commits to it: the root in the coinbase of its selected
//! child (specification consensus 10.2, shielded 15.3 and 25.4).

use svc_chain::block::Block;
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_dag::reachability::is_chain_ancestor;
use svc_dag::sortable_block::SortableBlock;
use svc_dag::store::DagStore;

use crate::import::{Import, Phase, about, out_of_order};
use crate::records::meta;
use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::store::Store;

impl Import {
    /// The block whose body binds the state: the pruning point's child on the chain of the heaviest header. Errors:
    /// `import/not-bound` while there is none.
    pub(super) fn selected_child<S: Store>(
        &self,
        records: &Records<S>,
    ) -> Result<Hash32, SvcError> {
        if !matches!(self.phase, Phase::Open) {
            return Err(out_of_order("binding"));
        }
        let tip = heaviest(records)?;
        if tip == self.point || !is_chain_ancestor(records, &self.point, &tip)? {
            let error = SvcError::new(Code::ImportNotBound);
            return Err(error.with("pruningPoint", self.point));
        }
        svc_dag::reachability::next_chain_ancestor(records, &tip, &self.point)
    }

    /// Takes the root from the selected child. Its header is known and bound by work; its transactions are bound by
    /// their merkle root, which is computed here.
    pub(super) fn bind<S: Store>(
        &mut self,
        records: &Records<S>,
        block: &Block,
    ) -> Result<(), SvcError> {
        let child = self.selected_child(records)?;
        let hash = block.hash();
        if hash != child {
            return Err(about(Code::ImportWrongChild, &hash).with("expected", child));
        }
        let root = block.merkle_root();
        if root != block.header.hash_merkle_root {
            let error = SvcError::new(Code::BodyBadMerkleRoot);
            return Err(error
                .with("found", block.header.hash_merkle_root)
                .with("expected", root));
        }
        let first = block.transactions.first();
        let Some(coinbase) = first.filter(|first| Transaction::is_coinbase(first)) else {
            return Err(SvcError::new(Code::BodyFirstNotCoinbase));
        };
        let committed = CoinbasePayload::decode(&coinbase.payload)?.state_root;
        if let (Some(_), Some((_, before))) = (&self.state, self.bound)
            && before != committed
        {
            let error = SvcError::new(Code::ImportWrongState).with("reason", "another root");
            return Err(error.with("found", before).with("expected", committed));
        }
        self.bound = Some((hash, committed));
        Ok(())
    }

    /// Errors: `import/wrong-child` when another block than the one that bound the state is the selected child by now;
    /// that one has to bind it as well.
    pub(super) fn check_child<S: Store>(&self, records: &Records<S>) -> Result<(), SvcError> {
        let Some((bound, _)) = self.bound else {
            return Err(out_of_order("finish"));
        };
        let child = self.selected_child(records)?;
        if bound == child {
            return Ok(());
        }
        Err(about(Code::ImportWrongChild, &bound).with("expected", child))
    }
}

/// The known block of the most blue work, body or not.
fn heaviest<S: Store>(records: &Records<S>) -> Result<Hash32, SvcError> {
    let mut heaviest: Option<SortableBlock> = None;
    let found = records.find_meta(meta::HEADERS_TIP)?;
    let header = found.map(|bytes| whole(&bytes, Reader::hash)).transpose();
    let header = stored("meta", header)?;
    for block in records.tips()?.into_iter().chain(header) {
        if records.has_reachability(&block)? {
            heaviest = heaviest.max(Some(SortableBlock::load(records, &block)?));
        }
    }
    let tip = heaviest.map(|block| block.hash);
    tip.ok_or_else(|| SvcError::new(Code::StoreMissing).with("table", "tips"))
}
