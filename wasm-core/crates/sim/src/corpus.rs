//! Corpus writer: a simulated chain in the form of the recorded ones, gzip, one JSON object a line, field names of
//! the protobuf messages, 64-bit numbers as text.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use svc_chain::block::Block;
use svc_chain::header::Header;
use svc_chain::profile::Profile;
use svc_chain::transaction::Transaction;
use svc_codec::hash32::Hash32;
use svc_codec::hex;
use svc_consensus::questions;
use svc_dag::store::DagStore;
use svc_shielded::coinbase_note::{Minting, Source, derive_all};

use crate::fault::{Fault, Outcome};
use crate::literal::{LiteralDag, Place};
use crate::node::Node;
use crate::settings::Settings;
use crate::world::World;

/// States are recorded at every so many chain blocks.
const STATE_EVERY: usize = 20;

/// Rules of the chain that is made: work is done and retargeted, and partitions far wider than k may heal.
///
/// # Errors
/// None for the profile it starts from.
pub fn corpus_profile(base: &Profile) -> Outcome<Profile> {
    let mut json: Value =
        serde_json::from_str(&base.canonical_json()).map_err(|error| Fault(error.to_string()))?;
    for (key, value) in [
        ("networkName", json!("simulated")),
        ("skipProofOfWork", json!(false)),
        ("fixedDifficulty", json!(false)),
        ("difficultyWindowSize", json!(60)),
        ("difficultySampleRate", json!(3)),
        ("minDifficultyWindowSize", json!(12)),
        ("mergesetSizeLimit", json!(180)),
        ("mergeDepth", json!(600)),
        ("finalityDepth", json!(1_000)),
        ("pruningDepth", json!(16_000)),
    ] {
        json[key] = value;
    }
    Ok(Profile::from_json(&json.to_string())?)
}

/// The run that is recorded: honest miners, no payments (their proofs would be made up), long partitions.
pub fn corpus_settings(seed: u64, profile: Profile, blocks: usize) -> Settings {
    Settings {
        miners: 4,
        blocks,
        adversary_permille: 0,
        payments: false,
        quiet_every: 300,
        longest_partition: 280,
        real_work: true,
        ..Settings::new(seed, profile)
    }
}

/// Runs the network and writes what one of its nodes knows into a folder. The place of each block is taken from
/// the definition of GHOSTDAG, not from the engine. Returns the report as text.
///
/// # Errors
/// A disagreement in the run, or of the disk.
pub fn write_corpus(folder: &Path, settings: Settings) -> Outcome<String> {
    let mut world = World::new(settings)?;
    let report = world.run()?;
    let Some(node) = world.nodes().first() else {
        return Err(Fault("a network of no nodes".to_owned()));
    };
    std::fs::create_dir_all(folder)?;
    let profile = node.engine().rules().profile.canonical_json();
    std::fs::write(folder.join("profile.json"), profile)?;
    write_blocks(folder, &world, node)?;
    let bits = write_chain(folder, node)?;
    Ok(format!("{report}\ndifferent bits on the chain {bits}"))
}

struct Lines(GzEncoder<File>);

impl Lines {
    fn create(folder: &Path, name: &str) -> Outcome<Self> {
        let file = File::create(folder.join(format!("{name}.jsonl.gz")))?;
        Ok(Self(GzEncoder::new(file, Compression::default())))
    }

    fn write(&mut self, row: &Value) -> Outcome<()> {
        Ok(writeln!(self.0, "{row}")?)
    }

    fn finish(self) -> Outcome<()> {
        self.0.finish()?.sync_all()?;
        Ok(())
    }
}

fn texts(list: &[Hash32]) -> Vec<String> {
    list.iter().map(Hash32::to_string).collect()
}

fn write_blocks(folder: &Path, world: &World, node: &Node) -> Outcome<()> {
    let chain = node.engine().chain();
    let genesis = chain.rules.genesis_hash;
    let (k, bits) = (
        chain.rules.profile.ghostdag_k,
        chain.rules.profile.genesis.bits,
    );
    let mut dag = LiteralDag::new(k, genesis, bits);
    let mut lines = Lines::create(folder, "blocks")?;
    let first = chain
        .records
        .block(&genesis)?
        .ok_or_else(|| Fault("genesis is not stored".to_owned()))?;
    lines.write(&block_row(&first, None, true))?;
    for sent in world.made() {
        let Some(place) = dag.add(sent.hash, &sent.block.header) else {
            return Err(Fault(format!("{} came before its parents", sent.hash)));
        };
        let is_chain_block = chain.records.chain_index(&sent.hash)?.is_some();
        lines.write(&block_row(&sent.block, Some(&place), is_chain_block))?;
    }
    lines.finish()
}

/// A block with its place; `None` for genesis.
fn block_row(block: &Block, place: Option<&Place>, is_chain_block: bool) -> Value {
    let hash = block.hash().to_string();
    let transactions: Vec<Value> = block.transactions.iter().map(transaction_row).collect();
    let ids: Vec<String> = block
        .transactions
        .iter()
        .map(|transaction| transaction.id().to_string())
        .collect();
    let selected = place.map_or(Hash32::ORIGIN, |place| place.selected_parent);
    let (blues, reds) = place.map_or((Vec::new(), Vec::new()), |place| {
        (texts(&place.blues), texts(&place.reds))
    });
    json!({
        "header": header_row(&block.header, place),
        "transactions": transactions,
        "verboseData": {
            "hash": hash,
            "transactionIds": ids,
            "selectedParentHash": selected.to_string(),
            "mergeSetBluesHashes": blues,
            "mergeSetRedsHashes": reds,
            "isChainBlock": is_chain_block,
        },
    })
}

fn header_row(header: &Header, place: Option<&Place>) -> Value {
    let parents: Vec<Value> = header
        .parents
        .expanded()
        .map(|level| json!({ "parentHashes": texts(level) }))
        .collect();
    let (score, work) = place.map_or((header.blue_score, header.blue_work), |place| {
        (place.blue_score, place.blue_work)
    });
    json!({
        "hash": header.hash().to_string(),
        "parents": parents,
        "version": header.version,
        "hashMerkleRoot": header.hash_merkle_root.to_string(),
        "acceptedIdMerkleRoot": header.accepted_id_merkle_root.to_string(),
        "utxoCommitment": header.utxo_commitment.to_string(),
        "timestamp": header.timestamp_ms.to_string(),
        "bits": header.bits,
        "nonce": header.nonce.to_string(),
        "daaScore": header.daa_score.to_string(),
        "blueWork": format!("{work:x}"),
        "blueScore": score.to_string(),
        "pruningPoint": header.pruning_point.to_string(),
        "auxPow": "",
    })
}

fn transaction_row(transaction: &Transaction) -> Value {
    let outputs: Vec<Value> = transaction
        .outputs
        .iter()
        .map(|output| {
            json!({
                "amount": output.value.to_string(),
                "scriptPublicKey": {
                    "version": output.script_version,
                    "scriptPublicKey": hex::encode(&output.script),
                },
            })
        })
        .collect();
    json!({
        "version": transaction.version,
        "inputs": [],
        "outputs": outputs,
        "lockTime": transaction.lock_time.to_string(),
        "subnetworkId": hex::encode(&transaction.subnetwork_id),
        "gas": transaction.gas.to_string(),
        "payload": hex::encode(&transaction.payload),
        "storageMass": transaction.storage_mass.to_string(),
        "verboseData": {
            "transactionId": transaction.id().to_string(),
            "hash": transaction.hash().to_string(),
        },
    })
}

/// Writes the selected chain and the states; returns how many different targets it has.
fn write_chain(folder: &Path, node: &Node) -> Outcome<usize> {
    let chain = node.engine().chain();
    let mut lines = Lines::create(folder, "chain")?;
    let mut states = Lines::create(folder, "states")?;
    let mut bits = std::collections::BTreeSet::new();
    let mut index = 1_usize;
    while let Some(hash) = chain.records.chain_at(index as u64)? {
        let header = &chain.records.header(&hash)?.header;
        bits.insert(header.bits);
        lines.write(&chain_row(node, &hash, header)?)?;
        if index.is_multiple_of(STATE_EVERY) || hash == node.sink()? {
            let facts = questions::shielded_facts(chain, &hash)?;
            let mut row = json!({ "blockHash": hash.to_string() });
            for key in [
                "daaScore",
                "size",
                "leaf",
                "ommers",
                "cumulativeCoinbase",
                "cumulativeFees",
                "poolValue",
                "noteCount",
            ] {
                row[key] = facts[key].clone();
            }
            states.write(&row)?;
        }
        index += 1;
    }
    lines.finish()?;
    states.finish()?;
    Ok(bits.len())
}

fn chain_row(node: &Node, hash: &Hash32, header: &Header) -> Outcome<Value> {
    let body = node.engine().records().body(hash)?;
    let Some(coinbase) = body.first() else {
        return Err(Fault(format!("{hash} has no coinbase")));
    };
    Ok(json!({
        "hash": hash.to_string(),
        "blueScore": header.blue_score.to_string(),
        "daaScore": header.daa_score.to_string(),
        "timestamp": header.timestamp_ms.to_string(),
        "coinbaseTxid": coinbase.id().to_string(),
        "coinbaseOutputs": coinbase_rows(&node.engine().rules().profile, (hash, header), coinbase)?,
        "acceptedActions": [],
        "acceptedTxids": [],
    }))
}

fn coinbase_rows(
    profile: &Profile,
    (hash, header): (&Hash32, &Header),
    coinbase: &Transaction,
) -> Outcome<Vec<Value>> {
    let mut mintings = Vec::new();
    for (index, output) in coinbase.outputs.iter().enumerate() {
        let script = output.script.as_slice();
        let recipient = script
            .try_into()
            .map_err(|_| Fault("not an address".to_owned()))?;
        mintings.push(Minting {
            source: Source {
                block: *hash,
                txid: coinbase.id(),
                daa_score: header.daa_score,
                index: index as u32,
            },
            recipient,
            value: output.value,
        });
    }
    let notes = derive_all(profile, &mintings)?;
    let rows = mintings.iter().zip(notes).map(|(minting, note)| {
        json!({
            "scriptPublicKey": hex::encode(&minting.recipient),
            "value": minting.value.to_string(),
            "commitment": base64(note.cmx.as_bytes()),
        })
    });
    Ok(rows.collect())
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0_u32, |word, index| {
            word << 8 | u32::from(chunk.get(index).copied().unwrap_or(0))
        });
        for index in 0..4 {
            let letter = ALPHABET[(word >> (18 - 6 * index)) as usize & 63];
            encoded.push(if index > chunk.len() {
                '='
            } else {
                char::from(letter)
            });
        }
    }
    encoded
}
