//! Fuzz targets of evidence: each piece by itself, and pieces that belong together, of which no other bytes are accepted.

use std::sync::LazyLock;

use serde_json::Value;
use svc_chain::genesis::genesis_block;
use svc_chain::profile::Profile;
use svc_chain::transaction::Transaction;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::membership::Membership;
use svc_evidence::note::{NoteOpening, prove_note};
use svc_evidence::opening::Opening;
use svc_evidence::payload::{PayloadOpening, prove_payload};
use svc_evidence::receipt::Receipt;
use svc_evidence::run::Run;
use svc_evidence::tip::ProvedTip;
use svc_pow::judge_work::WorkNetwork;
use svc_shielded::bundle::{Action, Bundle};
use svc_shielded::note::NoteParts;

use crate::target::{NONE, Outcome, Target, refused, strict};

const TOLD: &str = include_str!("../../../../../tests/vectors/evidence.json");
const RECEIPTS: &str = include_str!("../../../../../tests/vectors/receipt.json");
const PROFILE: &str = include_str!("../../../../../tests/vectors/simulated/profile.json");

/// The targets of this area. A header allocates for its parents, and its work is judged, which takes a matrix.
pub(crate) const TARGETS: &[Target] = &[
    Target::new("evidence/opening", openings, opening),
    Target::new("evidence/membership", memberships, membership),
    Target::new("evidence/run", runs, run),
    // The note tree has tables of its own.
    Target::new("evidence/note", notes, note)
        .room(1 << 22, 16)
        .slow(4),
    Target::new("evidence/payload", payloads, payload).pinned(),
    Target::new("evidence/tip", tips, tip)
        .pinned()
        .room(1 << 16, 64)
        .slow(10),
    Target::new("evidence/older", older_states, older)
        .pinned()
        .room(1 << 16, 64)
        .slow(4),
    Target::new("evidence/receipt-form", receipts, receipt_form),
    // The note tree and the addresses have tables of their own.
    Target::new("evidence/receipt", receipts, receipt)
        .pinned()
        .room(1 << 22, 64)
        .slow(10),
    Target::new(
        "evidence/receipt-in-chain",
        anchored_receipts,
        anchored_receipt,
    )
    .pinned()
    .room(1 << 22, 64)
    .slow(10),
];

static VECTORS: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(TOLD).unwrap_or_default());
static RECEIPT_VECTORS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(RECEIPTS).unwrap_or_default());

/// The network of the vectors.
struct Network {
    profile: Profile,
    genesis: Hash32,
}

static NETWORK: LazyLock<Option<Network>> = LazyLock::new(|| {
    let profile = Profile::from_json(PROFILE).ok()?;
    let genesis = genesis_block(&profile).hash();
    Some(Network { profile, genesis })
});

fn judge() -> Option<Judge<'static>> {
    let network = NETWORK.as_ref()?;
    Some(Judge {
        network: WorkNetwork {
            profile: &network.profile,
            genesis: &network.genesis,
        },
        floor: WorkFloor::of_network(&network.profile),
    })
}

fn told(part: &str, piece: &str) -> Vec<u8> {
    let text = VECTORS[part][piece].as_str().unwrap_or_default();
    hex::decode(text).unwrap_or_default()
}

fn openings() -> Vec<Vec<u8>> {
    vec![told("tip", "opening"), told("older", "opening")]
}

fn opening(bytes: &[u8]) -> Outcome {
    strict(bytes, Opening::decode(bytes), |(header, opening)| {
        opening.encode(header)
    })
}

fn memberships() -> Vec<Vec<u8>> {
    vec![told("older", "membership")]
}

fn membership(bytes: &[u8]) -> Outcome {
    strict(bytes, Membership::decode(bytes), Membership::encode)
}

fn runs() -> Vec<Vec<u8>> {
    vec![told("tip", "run")]
}

fn run(bytes: &[u8]) -> Outcome {
    strict(bytes, Run::decode(bytes), Run::encode)
}

fn notes() -> Vec<Vec<u8>> {
    let opening = NoteOpening {
        parts: NoteParts {
            recipient: [0; 43],
            value: 1,
            rho: Hash32::ZERO,
            rseed: [0; 32],
        },
        position: 7,
        path: vec![Hash32::ZERO; 32],
    };
    vec![opening.encode()]
}

/// No note has such parts or stands under such a root.
fn note(bytes: &[u8]) -> Outcome {
    let decoded = NoteOpening::decode(bytes);
    if let Ok(told) = &decoded {
        let proved = prove_note(&Hash32([7; 32]), told.clone());
        assert!(proved.is_err(), "a note of nowhere was proved");
    }
    strict(bytes, decoded, NoteOpening::encode)
}

/// A payment of two actions, the fourth of its lane and the fifth of all, beside another lane.
static PAYMENT: LazyLock<Option<PayloadOpening>> = LazyLock::new(|| {
    let (header, _) = Opening::decode(&told("tip", "opening")).ok()?;
    let action = Action {
        nullifier: Hash32([1; 32]),
        rk: [2; 32],
        cmx: Hash32([3; 32]),
        cv_net: [4; 32],
        epk: [5; 32],
        enc_ciphertext: [6; 580],
        out_ciphertext: [7; 80],
        signature: [8; 64],
    };
    let bundle = Bundle {
        flags: 3,
        value_balance: 9,
        anchor: Hash32([10; 32]),
        binding_signature: [11; 64],
        actions: vec![action.clone(), action],
        proof: vec![12; 40],
        anchor_block: None,
    };
    let transaction = Transaction {
        version: 2,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: [0; 20],
        gas: 0,
        payload: bundle.encode(),
        storage_mass: 0,
    };
    let mut opening = PayloadOpening {
        header: (header.0, None),
        parent: Hash32([13; 32]),
        shortcut: Hash32([14; 32]),
        context: Hash32([15; 32]),
        payload_root: Hash32([16; 32]),
        lanes: vec![(Hash32([17; 32]), Hash32([18; 32]))],
        lane_tip: Hash32([19; 32]),
        index: 4,
        place: 3,
        path: vec![Hash32([20; 32]), Hash32([21; 32])],
        transaction,
    };
    opening.header.0.accepted_id_merkle_root = opening.commitment();
    Some(opening)
});

fn payloads() -> Vec<Vec<u8>> {
    PAYMENT.iter().map(PayloadOpening::encode).collect()
}

/// One payment is bound to the block, by these bytes alone.
fn payload(bytes: &[u8]) -> Outcome {
    let Some(known) = PAYMENT.as_ref() else {
        return NONE;
    };
    let block = known.header.0.hash();
    match PayloadOpening::decode(bytes).and_then(|told| prove_payload(&block, &told)) {
        Ok(_) => accepted(bytes, &payloads()),
        Err(error) => refused(&error),
    }
}

/// Two pieces in one input, the first behind its length.
fn joined(first: &[u8], second: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.count_u16(first.len()).bytes(first).bytes(second);
    writer.into_vec()
}

fn parted(bytes: &[u8]) -> Result<(&[u8], &[u8]), SvcError> {
    let mut reader = Reader::new(bytes);
    let count = reader.count_u16(usize::from(u16::MAX), 1)?;
    let first = reader.take(count)?;
    let rest = reader.remaining();
    Ok((first, reader.take(rest)?))
}

fn tips() -> Vec<Vec<u8>> {
    vec![joined(&told("tip", "opening"), &told("tip", "run"))]
}

/// Work as easy as that of the vectors is found by chance. Then the tip is another block, which was mined.
fn tip(bytes: &[u8]) -> Outcome {
    let Some(judge) = judge() else { return NONE };
    let proved = parted(bytes).and_then(|(opening, run)| judge.tip(opening, run));
    let proved = match proved {
        Ok(proved) => proved,
        Err(error) => return refused(&error),
    };
    let tip = proved.run().tip().hash().to_string();
    if VECTORS["tip"]["tip"].as_str() != Some(&tip) {
        return Outcome::Refused("another block was mined");
    }
    accepted(bytes, &tips())
}

fn older_states() -> Vec<Vec<u8>> {
    vec![joined(
        &told("older", "membership"),
        &told("older", "opening"),
    )]
}

fn older(bytes: &[u8]) -> Outcome {
    static TIP: LazyLock<Option<ProvedTip>> = LazyLock::new(|| {
        let (opening, run) = (told("tip", "opening"), told("tip", "run"));
        judge()?.tip(&opening, &run).ok()
    });
    let (Some(judge), Some(tip)) = (judge(), TIP.as_ref()) else {
        return NONE;
    };
    let proved = parted(bytes).and_then(|(path, opening)| judge.older(tip, path, opening));
    match proved {
        Ok(_) => accepted(bytes, &older_states()),
        Err(error) => refused(&error),
    }
}

fn told_receipt(name: &Value) -> Vec<u8> {
    hex::decode(name.as_str().unwrap_or_default()).unwrap_or_default()
}

/// One without a challenge, and one whose challenge the payee answered.
fn receipts() -> Vec<Vec<u8>> {
    let vectors = &RECEIPT_VECTORS;
    vec![
        told_receipt(&vectors["receipt"]),
        told_receipt(&vectors["challenged"]),
    ]
}

fn receipt_form(bytes: &[u8]) -> Outcome {
    strict(bytes, Receipt::decode(bytes), |receipt| {
        receipt.encode().unwrap_or_default()
    })
}

/// Every byte is bound: by the tree, by the log, by the work of the header, and the challenge by the payee's answer. A header that
/// was mined anew, which takes a few thousand tries here, commits to the same state.
fn receipt(bytes: &[u8]) -> Outcome {
    let Some(judge) = judge() else { return NONE };
    match judge.receipt(bytes, None) {
        Ok(proved) => {
            let header = RECEIPT_VECTORS["header"].as_str().unwrap_or_default();
            if proved.header().hash().to_string() != header {
                return Outcome::Refused("another block was mined");
            }
            accepted(bytes, &receipts())
        }
        Err(error) => refused(&error),
    }
}

fn anchored_receipts() -> Vec<Vec<u8>> {
    let path = told_receipt(&RECEIPT_VECTORS["tip"]["membership"]);
    let receipts = receipts();
    receipts.iter().map(|one| joined(&path, one)).collect()
}

fn anchored_receipt(bytes: &[u8]) -> Outcome {
    static TIP: LazyLock<Option<ProvedTip>> = LazyLock::new(|| {
        let piece = |name: &str| told_receipt(&RECEIPT_VECTORS["tip"][name]);
        judge()?.tip(&piece("opening"), &piece("run")).ok()
    });
    let (Some(judge), Some(tip)) = (judge(), TIP.as_ref()) else {
        return NONE;
    };
    let proved =
        parted(bytes).and_then(|(path, receipt)| judge.receipt_in_chain(receipt, None, tip, path));
    match proved {
        Ok(_) => accepted(bytes, &anchored_receipts()),
        Err(error) => refused(&error),
    }
}

fn accepted(bytes: &[u8], seeds: &[Vec<u8>]) -> Outcome {
    assert!(
        seeds.iter().any(|seed| seed == bytes),
        "other evidence was accepted"
    );
    Outcome::Taken
}
