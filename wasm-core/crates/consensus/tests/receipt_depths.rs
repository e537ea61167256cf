//! Receipts far below a header, for measurements: the anchor log is made up around the one path that is shown. `SVC_WRITE_VECTORS`
//! writes them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use svc_chain::bits::target_from_bits;
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::genesis::genesis_block;
use svc_chain::header::Header;
use svc_chain::header::parents::Parents;
use svc_chain::merkle::merkle_root;
use svc_chain::muhash::MuHash;
use svc_chain::profile::Profile;
use svc_chain::subnetwork::COINBASE;
use svc_chain::transaction::Transaction;
use svc_chain::uint256::U256;
use svc_chance::chance::Chance;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_evidence::header::{Judge, WorkFloor};
use svc_evidence::membership::{LogPlace, Membership};
use svc_evidence::note::NoteOpening;
use svc_evidence::opening::{Nullifiers, OpenedLog, Opening};
use svc_evidence::receipt::Receipt;
use svc_pow::heavy_hash::PowState;
use svc_pow::judge_work::WorkNetwork;
use svc_scan::note_tree::NoteTree;
use svc_shielded::anchor_log::{AnchorLog, LogEntry, LogPersonals, leaf_hash, node_hash};
use svc_shielded::frontier::Frontier;
use svc_shielded::keys::{address_at, full_viewing_key};
use svc_shielded::note::{NoteParts, commitment};
use svc_shielded::secret::Secret32;
use svc_shielded::state_root::{Carried, Parts0, state_root};

const PROFILE: &str = include_str!("../../../../tests/vectors/simulated/profile.json");
const VECTORS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/vectors/receipt-depths.json"
);
/// Chain blocks between the payment and the header.
const DEPTHS: [u64; 2] = [1_000, 5_000_000];
/// Transactions of the block that is the header's: a full block has some 200.
const TRANSACTIONS: u64 = 200;
/// Leaves of the note tree; its paths are as long whatever they are.
const LEAVES: u64 = 1_000;
/// Block levels at which the header has parents of their own.
const PARENT_LEVELS: usize = 6;

fn draw(chance: &mut Chance) -> Hash32 {
    let mut bytes = [0; 32];
    for chunk in bytes.chunks_mut(8) {
        chunk.copy_from_slice(&chance.bits().to_le_bytes());
    }
    Hash32(bytes)
}

/// A note in a tree of many.
fn note(chance: &mut Chance) -> (Hash32, NoteOpening) {
    let viewing_key = full_viewing_key(&Secret32::new([9; 32])).unwrap();
    let parts = |leaf: u64| {
        let mut rho = [0; 32];
        rho[..8].copy_from_slice(&leaf.to_le_bytes());
        NoteParts {
            recipient: address_at(&viewing_key, 0).unwrap(),
            value: 250_000_000 + leaf,
            rho: Hash32(rho),
            rseed: [leaf as u8; 32],
        }
    };
    let leaves: Vec<Hash32> = (0..LEAVES)
        .map(|leaf| commitment(&parts(leaf).to_note().unwrap()))
        .collect();
    let mut tree = NoteTree::new(Frontier::empty()).unwrap();
    tree.append(&leaves).unwrap();
    let leaf = chance.below(LEAVES);
    let note = NoteOpening {
        parts: parts(leaf),
        position: leaf as u32,
        path: tree.path(leaf, LEAVES).unwrap().to_vec(),
    };
    (tree.root(LEAVES).unwrap(), note)
}

/// A log of `count` entries with this one at `index`, and its path. All other nodes are drawn.
fn log_around(
    personals: &LogPersonals,
    (index, entry): (u64, LogEntry),
    count: u64,
    chance: &mut Chance,
) -> (AnchorLog, Membership) {
    let place = LogPlace::of(index, count).unwrap();
    let path: Vec<Hash32> = (0..place.height).map(|_| draw(chance)).collect();
    let mut node = leaf_hash(personals, &entry);
    for (level, sibling) in path.iter().enumerate() {
        let is_right = index >> level & 1 == 1;
        node = if is_right {
            node_hash(personals, sibling, &node)
        } else {
            node_hash(personals, &node, sibling)
        };
    }
    let mut writer = Writer::new();
    writer.u64(count);
    for peak in 0..count.count_ones() as usize {
        let peak = if peak == place.peak {
            node
        } else {
            draw(chance)
        };
        writer.hash(&peak);
    }
    let bytes = writer.into_vec();
    let log = AnchorLog::decode(&mut Reader::new(&bytes)).unwrap();
    (log, Membership { index, entry, path })
}

fn transaction(payload: Vec<u8>, lock_time: u64) -> Transaction {
    Transaction {
        version: 1,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time,
        subnetwork_id: COINBASE,
        gas: 0,
        payload,
        storage_mass: 0,
    }
}

fn header(profile: &Profile, parents: Vec<Hash32>, merkle: Hash32, chance: &mut Chance) -> Header {
    let mut levels = vec![parents];
    levels.extend((0..PARENT_LEVELS).map(|_| vec![draw(chance)]));
    let mut header = Header {
        version: 2,
        parents: Parents::from_levels(&levels).unwrap(),
        hash_merkle_root: merkle,
        accepted_id_merkle_root: draw(chance),
        utxo_commitment: MuHash::empty_digest(),
        timestamp_ms: 1_800_000_000_000,
        bits: profile.max_difficulty_target_bits,
        nonce: 0,
        daa_score: 6_000_000,
        blue_work: U256::from(1_u64 << 60),
        blue_score: 6_000_000,
        pruning_point: draw(chance),
    };
    let state = PowState::new(&header);
    while state.pow(header.nonce) > target_from_bits(header.bits) {
        header.nonce += 1;
    }
    header
}

/// A header that commits to the state after a block with this log before it, and the opening of that state.
fn opened(profile: &Profile, before: AnchorLog, chance: &mut Chance) -> (Header, Opening) {
    let personals = LogPersonals::of(profile);
    let (parent, other) = (draw(chance), draw(chance));
    let entry = LogEntry {
        block: parent,
        parent: draw(chance),
        tree_root: draw(chance),
        blue_score: 5_999_999,
    };
    let told = OpenedLog {
        parent: entry.parent,
        blue_score: entry.blue_score,
        before,
        dev_accrued: 1,
        slot_script_version: 0,
        slot_script: vec![7; 43],
        slot_amount: 1,
    };
    let mut log = told.before.clone();
    log.append(&personals, &entry);
    let parts = Parts0 {
        tree_root: entry.tree_root,
        nullifier_root: draw(chance),
        cumulative_coinbase: 1 << 60,
        cumulative_fees: 1 << 40,
        burn_root: Hash32::ZERO,
    };
    let carried = Carried {
        dev_accrued: told.dev_accrued,
        anchor_commitment: log.commitment(&personals),
        slot_script_version: told.slot_script_version,
        slot_script: told.slot_script.clone(),
        slot_amount: told.slot_amount,
    };
    let transactions = transactions(state_root(profile, &parts, Some(&carried)));
    let leaves: Vec<Hash32> = transactions.iter().map(Transaction::hash).collect();
    let header = header(profile, vec![parent, other], merkle_root(&leaves), chance);
    let opening = Opening {
        coinbase: transactions[0].clone(),
        branch: Opening::branch_in(&transactions),
        tree_root: parts.tree_root,
        nullifiers: Nullifiers::Digest(parts.nullifier_root),
        cumulative_coinbase: parts.cumulative_coinbase,
        cumulative_fees: parts.cumulative_fees,
        log: Some(told),
    };
    (header, opening)
}

/// A full block whose coinbase has this state root.
fn transactions(state_root: Hash32) -> Vec<Transaction> {
    let payload = CoinbasePayload {
        blue_score: 6_000_000,
        subsidy: 600,
        state_root,
        script_version: 0,
        script: vec![3; 43],
        extra: vec![0; 40],
    };
    let coinbase = transaction(payload.encode().unwrap(), 0);
    let others = (1..TRANSACTIONS).map(|time| transaction(Vec::new(), time));
    [coinbase].into_iter().chain(others).collect()
}

/// A receipt whose block stands `depth` chain blocks below its header.
fn receipt(profile: &Profile, depth: u64) -> Receipt {
    let mut chance = Chance::new(depth);
    let (tree_root, note) = note(&mut chance);
    let parents = vec![draw(&mut chance)];
    let paid = header(profile, parents, draw(&mut chance), &mut chance);
    let entry = LogEntry {
        block: paid.hash(),
        parent: draw(&mut chance),
        tree_root,
        blue_score: 6_000_000 - depth,
    };
    // The longest opening there is at such a length: as many peaks as fit. The opened block is the last entry, and leaves the
    // highest peak as it is.
    let count = depth.next_power_of_two() - 2;
    let personals = LogPersonals::of(profile);
    let place = (count + 1 - depth, entry);
    let (before, membership) = log_around(&personals, place, count, &mut chance);
    let (header, opening) = opened(profile, before, &mut chance);
    Receipt {
        network: genesis_block(profile).hash(),
        note,
        opening: ((header, None), opening),
        membership: Some(membership),
        block: Some(paid),
        disclosure: None,
        challenge: None,
    }
}

#[test]
fn receipts_at_any_depth_are_about_as_small() {
    let profile = Profile::from_json(PROFILE).unwrap();
    let genesis = genesis_block(&profile).hash();
    let judge = Judge {
        network: WorkNetwork {
            profile: &profile,
            genesis: &genesis,
        },
        floor: WorkFloor::of_network(&profile),
    };
    let mut told = Vec::new();
    for depth in DEPTHS {
        let bytes = receipt(&profile, depth).encode().unwrap();
        assert!(bytes.len() <= 8 * 1_024, "{} bytes", bytes.len());
        let proved = judge.receipt(&bytes, None).unwrap();
        assert_eq!(proved.blue_score(), Some(6_000_000 - depth));
        assert_eq!(proved.depth(), depth);
        println!("depth {depth}: {} bytes", bytes.len());
        told.push(json!({ "depth": depth, "receipt": hex::encode(&bytes) }));
    }
    let vectors: Value = json!({
        "origin": "made by this project: crates/consensus/tests/receipt_depths.rs makes them anew and compares",
        "profile": "simulated/profile.json",
        "receipts": told,
    });
    let text = serde_json::to_string_pretty(&vectors).unwrap() + "\n";
    if std::env::var_os("SVC_WRITE_VECTORS").is_some() {
        std::fs::write(VECTORS, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(VECTORS).unwrap() == text,
        "the vectors are others"
    );
}
