//! JSON forms of the engine's results for the binding (docs/formats.md 3).

use serde_json::{Value, json};
use svc_codec::hash32::Hash32;

use crate::engine::{PruneProgress, Resolved};
use crate::pipeline::event::{Event, hex_list};
use crate::pipeline::inserted::Inserted;
use crate::rules::acceptance::Job;

/// A verification job in the form of docs/formats.md 3.
pub fn job_json(job: &Job) -> Value {
    json!({
        "block": job.block.to_string(),
        "index": job.index,
        "txid": job.txid.to_string(),
        "format": job.format.number(),
    })
}

/// InsertOutcome of docs/formats.md 3.
pub fn inserted_json(hash: &Hash32, inserted: &Inserted) -> Value {
    let hash = hash.to_string();
    match inserted {
        Inserted::Accepted { new, jobs } => {
            let jobs: Vec<Value> = jobs.iter().map(job_json).collect();
            json!({ "kind": "accepted", "hash": hash, "new": new, "needVerdicts": jobs })
        }
        Inserted::MissingParents(parents) => {
            json!({ "kind": "missingParents", "hash": hash, "parents": hex_list(parents) })
        }
        Inserted::Rejected(error) => {
            let data: serde_json::Map<String, Value> = error
                .data
                .iter()
                .map(|(key, value)| ((*key).to_owned(), value.as_str().into()))
                .collect();
            json!({ "kind": "rejected", "hash": hash, "code": error.code.as_str(), "data": data })
        }
    }
}

/// ResolveOutcome of docs/formats.md 3.
pub fn resolved_json(resolved: &Resolved) -> Value {
    let jobs: Vec<Value> = resolved.jobs.iter().map(job_json).collect();
    let events: Vec<Value> = resolved.events.iter().map(Event::to_json).collect();
    json!({ "done": resolved.done, "needVerdicts": jobs, "events": events })
}

/// PruneOutcome of docs/formats.md 3.
pub fn pruned_json(progress: &PruneProgress) -> Value {
    let events: Vec<Value> = progress.events.iter().map(Event::to_json).collect();
    json!({ "done": progress.done, "blocks": progress.blocks, "events": events })
}
