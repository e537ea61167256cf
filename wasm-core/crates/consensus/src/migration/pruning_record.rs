//! Migration from layout 2, where every store began at genesis, to 3, which says where it begins.

use svc_codec::hash32::Hash32;

use crate::records::Records;
use crate::records::meta::PruningRecord;
use crate::store::Store;

/// Writes that the store begins at `genesis`: before layout 3 nothing was ever pruned.
pub fn pruning_record<S: Store>(records: &mut Records<S>, genesis: &Hash32) {
    records.put_pruning(&PruningRecord::genesis(*genesis));
    records.put_pruning_point_at(0, genesis);
}
