//! Genesis block of a network (specification consensus 1.5).

use svc_codec::hash32::Hash32;
use svc_codec::writer::Writer;

use crate::block::Block;
use crate::header::Header;
use crate::header::parents::Parents;
use crate::muhash::MuHash;
use crate::profile::Profile;
use crate::subnetwork::COINBASE;
use crate::transaction::Transaction;
use crate::uint256::U256;

/// The subsidy the genesis payload names. It is never minted.
const GENESIS_SUBSIDY: u64 = 100_000_000;

/// Builds genesis from the profile: one coinbase without outputs, no parents, empty sets.
pub fn genesis_block(profile: &Profile) -> Block {
    let coinbase = coinbase(&profile.genesis.coinbase_text);
    let header = Header {
        version: 0,
        parents: Parents::default(),
        hash_merkle_root: coinbase.hash(),
        accepted_id_merkle_root: Hash32::ZERO,
        utxo_commitment: MuHash::empty_digest(),
        timestamp_ms: profile.genesis.timestamp_ms,
        bits: profile.genesis.bits,
        nonce: profile.genesis.nonce,
        daa_score: 0,
        blue_work: U256::zero(),
        blue_score: 0,
        pruning_point: Hash32::ZERO,
    };
    Block {
        header,
        transactions: vec![coinbase],
    }
}

fn coinbase(text: &str) -> Transaction {
    let mut payload = Writer::new();
    // Blue score, subsidy, state root, script version, script of one zero byte, text.
    payload
        .u64(0)
        .u64(GENESIS_SUBSIDY)
        .hash(&Hash32::ZERO)
        .u16(0)
        .u8(1)
        .u8(0);
    payload.bytes(text.as_bytes());
    Transaction {
        version: 0,
        inputs: Vec::new(),
        outputs: Vec::new(),
        lock_time: 0,
        subnetwork_id: COINBASE,
        gas: 0,
        payload: payload.into_vec(),
        storage_mass: 0,
    }
}
