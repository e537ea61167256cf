//! First pruning point of an imported store, and whether what came after it speaks against it (decision record 28).

use serde_json::{Value, json};
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_dag::store::DagStore;

use crate::pipeline::headers::headers_tip;
use crate::records::block_status::Stage;
use crate::records::chain::Chain;
use crate::records::meta;
use crate::records::record_fields::whole;
use crate::records::{Records, stored};
use crate::store::Store;

/// The pruning point that the store began at, as BeginningFacts: `{"point","isRecent","doubt"}`; `point` is null
/// where the store began at genesis. `isRecent` until the pruning point has moved on from there. `doubt` is null, or
/// the lowest block of the heaviest chain that was refused as a chain block: `{"block","reason","above"}` with the
/// blue score of the chain above it.
///
/// # Errors
/// `engine/not-imported`, `store/*`.
pub fn beginning<S: Store>(chain: &Chain<S>) -> Result<Value, SvcError> {
    let records = &chain.records;
    records.require_state()?;
    let Some(point) = begun_at(records)? else {
        return Ok(json!({ "point": null, "isRecent": false, "doubt": null }));
    };
    let is_recent = records.pruning_point()? == point;
    let doubt = if is_recent {
        doubt(chain, &point)?
    } else {
        None
    };
    Ok(json!({ "point": point.to_string(), "isRecent": is_recent, "doubt": doubt }))
}

fn begun_at<S: Store>(records: &Records<S>) -> Result<Option<Hash32>, SvcError> {
    let found = records.find_meta(meta::BEGINNING)?;
    let point = found.map(|bytes| whole(&bytes, Reader::hash)).transpose();
    stored("meta", point)
}

/// What was taken on a peer's word reaches no further above the point than an anchor may be old: a refusal in that reach,
/// on which others build the heaviest chain, may be due to it.
fn doubt<S: Store>(chain: &Chain<S>, point: &Hash32) -> Result<Option<Value>, SvcError> {
    let Chain { rules, records } = chain;
    let tip = headers_tip(records)?;
    let work = |block: &Hash32| -> Result<_, SvcError> { Ok(records.ghostdag(block)?.blue_work) };
    // Marks come from below, so a tip that waits for its own says nothing yet.
    let is_refused = records.stage(&tip)? == Some(Stage::Disqualified);
    if !is_refused || work(&tip)? <= work(&records.virtual_record()?.sink)? {
        return Ok(None);
    }
    let top = records.ghostdag(&tip)?.blue_score;
    let reach = rules.profile.max_shielded_anchor_age;
    let limit = records.ghostdag(point)?.blue_score.saturating_add(reach);
    let mut block = tip;
    loop {
        let below = records.ghostdag(&block)?.selected_parent;
        if below == *point || records.stage(&below)? != Some(Stage::Disqualified) {
            break;
        }
        block = below;
    }
    let blue_score = records.ghostdag(&block)?.blue_score;
    if blue_score > limit {
        return Ok(None);
    }
    Ok(Some(json!({
        "block": block.to_string(),
        "reason": records.known_status(&block)?.reason,
        "above": (top - blue_score).to_string(),
    })))
}
