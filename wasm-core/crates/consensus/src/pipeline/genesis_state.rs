//! Store initialisation: writes genesis into an empty store, and checks that a used one belongs to this network.

use svc_chain::transaction::Transaction;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_codec::reader::Reader;
use svc_dag::ghostdag::genesis_ghostdag;
use svc_dag::reachability;
use svc_dag::records::{DepthRecord, HeaderRecord};

use crate::migration::migrate;
use crate::records::acceptance_record::AcceptanceRecord;
use crate::records::block_status::{BlockStatus, Stage};
use crate::records::body::Body;
use crate::records::chain::Chain;
use crate::records::chain_state::ChainState;
use crate::records::meta::{self, Counters, PruningRecord, VirtualRecord};
use crate::records::record_fields::whole;
use crate::records::{Depths, stored};
use crate::rules::scan_record::{encode_record, head_of};
use crate::store::{Store, tables};

/// Writes genesis into an empty store, or checks version and network of a used one and brings it up to the
/// present layout. Errors: `store/version`, `store/profile-mismatch`, `store/corrupt`, those of the store.
pub fn open<S: Store>(chain: &mut Chain<S>) -> Result<(), SvcError> {
    let Some(version) = chain.records.find_meta(meta::VERSION)? else {
        write_genesis(chain)?;
        return chain.records.overlay.commit();
    };
    let version = stored("meta", whole(&version, Reader::u32))?;
    if !(1..=meta::LAYOUT_VERSION).contains(&version) {
        return Err(SvcError::new(Code::StoreVersion)
            .with("found", version)
            .with("expected", meta::LAYOUT_VERSION));
    }
    let expected = chain.rules.profile.digest();
    let found = chain
        .records
        .find_meta(meta::PROFILE_DIGEST)?
        .unwrap_or_default();
    if found != expected.as_bytes() {
        let got = Reader::new(&found).hash().unwrap_or(Hash32::ZERO);
        return Err(SvcError::new(Code::StoreProfileMismatch)
            .with("found", got)
            .with("expected", expected));
    }
    migrate(chain, version)
}

fn write_genesis<S: Store>(chain: &mut Chain<S>) -> Result<(), SvcError> {
    let Chain { rules, records } = &mut *chain;
    let hash = rules.genesis_hash;
    let block = &rules.genesis;
    records.put_meta(meta::VERSION, meta::LAYOUT_VERSION.to_le_bytes().to_vec());
    records.put_meta(
        meta::PROFILE_DIGEST,
        rules.profile.digest().as_bytes().to_vec(),
    );
    records.put_header(HeaderRecord {
        header: block.header.clone(),
        hash,
        level: rules.profile.max_block_level,
    });
    records.put_ghostdag(&hash, genesis_ghostdag());
    records.put_daa_excluded(&hash, Vec::new());
    let depth = DepthRecord {
        merge_depth_root: Hash32::ORIGIN,
        finality_point: Hash32::ORIGIN,
    };
    records.put_depths(
        &hash,
        Depths {
            depth,
            pruning_sample: hash,
        },
    );
    records.put_body(&hash, Body::new(block.transactions.clone()));
    records.put_status(&hash, BlockStatus::new(Stage::Valid));
    reachability::init(records, hash)?;
    records.put_pruning(&PruningRecord::genesis(hash));
    records.put_pruning_point_at(0, &hash);
    write_genesis_chain(chain);
    Ok(())
}

/// Genesis as the first block of the selected chain, and the virtual block on top of it.
fn write_genesis_chain<S: Store>(chain: &mut Chain<S>) {
    let Chain { rules, records } = chain;
    let hash = rules.genesis_hash;
    let block = &rules.genesis;
    let chain_state = ChainState::genesis(hash);
    let coinbase = block.transactions.first();
    let coinbase_txid = coinbase.map(Transaction::id).unwrap_or_default();
    let head = head_of(&hash, &block.header, 0, coinbase_txid);
    let record = encode_record(&head, &[], &[]);
    records
        .overlay
        .put(tables::SCAN_RECORDS, hash.as_bytes(), record);
    records.put_acceptance(&hash, AcceptanceRecord::default());
    records.put_chain_state(&hash, chain_state);
    records.set_chain(0, &hash, true);
    records.put_position(&hash);
    records.put_meta(meta::TIPS, meta::encode_hashes(&[hash]));
    records.put_meta(
        meta::VIRTUAL,
        VirtualRecord {
            sink: hash,
            parents: vec![hash],
        }
        .encode(),
    );
    records.put_meta(
        meta::COUNTERS,
        Counters {
            headers: 1,
            bodies: 1,
        }
        .encode(),
    );
}
