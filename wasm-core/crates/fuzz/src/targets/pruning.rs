//! Fuzz targets of the trusted import: what a peer sends to a node that starts from a pruning point.

use std::sync::LazyLock;

use svc_chain::profile::Profile;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_consensus::export::Export;
use svc_consensus::history::stored_record::StoredRecord;
use svc_consensus::history::{HistoryRecord, Stage};
use svc_consensus::import::lanes::LanesClaim;
use svc_consensus::import::state_claim::StateClaim;
use svc_consensus::import::trusted::TrustedPage;
use svc_consensus::parameters::Parameters;
use svc_consensus::proof::Proof;
use svc_consensus::proof::build::build_proof;
use svc_consensus::proof::validate::validate_proof;
use svc_consensus::prune::kept::{Kept, NODE, PROOF};
use svc_consensus::prune::plan::{Phase, Plan};
use svc_consensus::records::anchor_entry::AnchorEntry;
use svc_consensus::records::chain::Chain;
use svc_consensus::rules::anchor_binding::AnchorBinding;
use svc_consensus::store::tables;
use svc_dag::store::DagStore;

use crate::payment_chain::{BLOCKS, SIMNET, records, store_after};
use crate::target::{Outcome, Target, strict};

/// The targets of this area.
pub(crate) const TARGETS: &[Target] = &[
    // A level is a graph of its own, and there are 251; an entry of four bytes names a header that is in many.
    Target::new("pruning/proof", || PROOFS.clone(), proof)
        .room(1 << 21, 256)
        .slow(5),
    Target::new("pruning/trusted-page", || OFFER.pages.clone(), page),
    Target::new("pruning/state-claim", || OFFER.claims.clone(), claim).room(1 << 16, 16),
    Target::new("pruning/lanes-claim", || OFFER.lanes.clone(), lanes),
    Target::new("pruning/anchor-entry", || OFFER.entries.clone(), entry),
    Target::new("pruning/anchor-binding", || OFFER.bindings.clone(), binding),
    Target::new("pruning/history", || OFFER.histories.clone(), history),
    Target::new(
        "pruning/scan-record",
        || records(tables::SCAN_RECORDS),
        scan_record,
    ),
    Target::new("pruning/kept", kept_rows, kept),
    Target::new("pruning/plan", plans, plan),
];

/// The recorded chain is short, so its proofs ask for short levels.
const SHORT: u64 = 2;

fn profile() -> Option<Profile> {
    let mut profile = SIMNET.clone()?;
    profile.pruning_proof_m = SHORT;
    Some(profile)
}

fn rules() -> Option<Parameters> {
    profile().map(Parameters::new)
}

/// The proofs of genesis, of a block in the middle and of the last one.
static PROOFS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let (Some(profile), Ok(store)) = (profile(), store_after(BLOCKS.len())) else {
        return Vec::new();
    };
    let Chain { rules, records } = Chain::new(store, profile);
    let mut points: Vec<Hash32> = vec![rules.genesis_hash];
    points.extend(BLOCKS.get(BLOCKS.len() / 2).map(|block| block.hash()));
    points.extend(BLOCKS.last().map(|block| block.hash()));
    let proofs = points
        .iter()
        .map(|point| build_proof(&rules, &records, point));
    proofs.flatten().map(|proof| proof.to_bytes()).collect()
});

/// What a node sends of a block as if it were the pruning point.
#[derive(Default)]
struct Offer {
    pages: Vec<Vec<u8>>,
    claims: Vec<Vec<u8>>,
    lanes: Vec<Vec<u8>>,
    entries: Vec<Vec<u8>>,
    bindings: Vec<Vec<u8>>,
    histories: Vec<Vec<u8>>,
}

static OFFER: LazyLock<Offer> = LazyLock::new(|| offer().unwrap_or_default());

fn offer() -> Result<Offer, SvcError> {
    let mut offer = Offer::default();
    let Some(profile) = profile() else {
        return Ok(offer);
    };
    let chain = Chain::new(store_after(BLOCKS.len())?, profile);
    let records = &chain.records;
    let sink = records.virtual_record()?.sink;
    let below = records.ghostdag(&sink)?.selected_parent;
    for point in [sink, below] {
        let mut export = Export::begin(records, &point)?;
        while !export.step(&chain, 1)? {}
        for limit in [1, 4] {
            offer
                .pages
                .push(export.trusted(records, 0, limit)?.to_bytes());
        }
        let claim = export.state_claim(records)?;
        offer.claims.push(claim.to_bytes());
        offer.lanes.push(export.lanes_claim(records)?.to_bytes());
        let at = records.chain_state(&point)?;
        let history = HistoryRecord {
            stage: Stage::Verify,
            base: point,
            below: 7,
            next: 3,
            first_leaf: 5,
            blue_score: 6,
            frontier: at.frontier.clone(),
            log: at.anchor_log.clone(),
            parent: sink,
        };
        offer.histories.push(history.encode());
        offer
            .entries
            .extend(records.entry_of(&point)?.map(|entry| entry.encode()));
        let parent = records.ghostdag(&point)?.selected_parent;
        let binding = records.anchor_binding(&parent, &point)?;
        let binding = binding.map(|binding| binding.to_bytes());
        offer.bindings.extend(binding);
    }
    Ok(offer)
}

fn page(bytes: &[u8]) -> Outcome {
    strict(bytes, TrustedPage::from_bytes(bytes), TrustedPage::to_bytes)
}

fn claim(bytes: &[u8]) -> Outcome {
    strict(bytes, StateClaim::from_bytes(bytes), StateClaim::to_bytes)
}

fn lanes(bytes: &[u8]) -> Outcome {
    strict(bytes, LanesClaim::from_bytes(bytes), LanesClaim::to_bytes)
}

fn entry(bytes: &[u8]) -> Outcome {
    strict(bytes, AnchorEntry::decode(bytes), AnchorEntry::encode)
}

fn binding(bytes: &[u8]) -> Outcome {
    let decoded = AnchorBinding::from_bytes(bytes);
    if let (Ok(binding), Some(rules)) = (&decoded, rules()) {
        let _ = binding.check(&rules.profile, &rules.genesis.header);
    }
    strict(bytes, decoded, AnchorBinding::to_bytes)
}

fn history(bytes: &[u8]) -> Outcome {
    strict(bytes, HistoryRecord::decode(bytes), HistoryRecord::encode)
}

/// A record is stored as it came, so there is nothing to encode.
fn scan_record(bytes: &[u8]) -> Outcome {
    strict(bytes, StoredRecord::decode(bytes), |record| {
        assert!(record.leaves().len() <= bytes.len() / 32);
        bytes.to_vec()
    })
}

fn proof(bytes: &[u8]) -> Outcome {
    strict(bytes, Proof::from_bytes(bytes), |proof| {
        // Whether it holds does not matter here, only that the question ends.
        if let Some(rules) = rules() {
            drop(validate_proof(&rules, proof.clone()));
        }
        proof.to_bytes()
    })
}

fn kept_rows() -> Vec<Vec<u8>> {
    let row = |reasons, index| Kept { reasons, index }.encode();
    vec![row(NODE, 1), row(PROOF, 1 << 40)]
}

fn kept(bytes: &[u8]) -> Outcome {
    strict(bytes, Kept::decode(bytes), |kept| kept.encode())
}

fn plans() -> Vec<Vec<u8>> {
    let mut plan = Plan::new(Hash32([7; 32]), 3);
    let first = plan.encode();
    while plan.phase != Phase::Headers {
        plan.advance();
    }
    plan.cursor = vec![9; 33];
    vec![first, plan.encode()]
}

fn plan(bytes: &[u8]) -> Outcome {
    strict(bytes, Plan::decode(bytes), Plan::encode)
}
