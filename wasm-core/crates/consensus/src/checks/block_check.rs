//! Check of one block from its bytes: hash, work, transactions, coinbase (specification consensus 3 to 6, 9.7, 10).

use svc_chain::block::{Block, WitnessedBlock};
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::emission::subsidy;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;

use crate::checks::block_facts::{BlockFacts, block_facts};
use crate::checks::steps::{Step, Steps};
use crate::parameters::Parameters;

/// Where the work behind a block was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkKind {
    /// The network's first block has none.
    Genesis,
    /// The network asks for none.
    NotAsked,
    /// On the header itself.
    Native,
    /// On a block of the parent network that commits to this one.
    Merged,
    /// Nowhere.
    Missing,
}

impl WorkKind {
    /// The word for it in facts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Genesis => "genesis",
            Self::NotAsked => "notAsked",
            Self::Native => "native",
            Self::Merged => "merged",
            Self::Missing => "missing",
        }
    }
}

/// What a check of a block says.
pub struct BlockReport {
    /// The steps.
    pub steps: Vec<Step>,
    /// What the bytes say; none where they do not decode.
    pub facts: Option<BlockFacts>,
}

/// Checks the bytes that a node gave for a hash. Whether the block stands in the network's chain is the last step, and
/// no single block can show it.
pub fn check_block(rules: &Parameters, asked: &Hash32, bytes: &[u8]) -> BlockReport {
    let mut steps = Steps::about("block");
    let Some((incoming, work)) = sound_block(rules, asked, bytes, &mut steps) else {
        return BlockReport {
            steps: steps.into_list(),
            facts: None,
        };
    };
    network_step(rules, &incoming.block, &mut steps);
    coinbase_steps(rules, &incoming.block, work, &mut steps);
    steps.not_provable("ancestry", "oneBlock");
    BlockReport {
        facts: Some(block_facts(rules, &incoming, work)),
        steps: steps.into_list(),
    }
}

/// The steps that make bytes a block with work: they decode, they are the block asked for, work was done, and the header
/// names these transactions. `None` where they do not decode.
pub(crate) fn sound_block(
    rules: &Parameters,
    asked: &Hash32,
    bytes: &[u8],
    steps: &mut Steps,
) -> Option<(WitnessedBlock, WorkKind)> {
    let incoming = match WitnessedBlock::from_bytes(bytes) {
        Ok(incoming) => incoming,
        Err(error) => {
            steps.differs("bytes", "a block", error.code.as_str());
            return None;
        }
    };
    steps.ok("bytes", bytes.len());
    let block = &incoming.block;
    let hash = block.hash();
    steps.same("headerHash", asked, &hash);
    let work = work_step(rules, &hash, &incoming, steps);
    let root = block.merkle_root();
    steps.same("merkleRoot", &block.header.hash_merkle_root, &root);
    Some((incoming, work))
}

fn work_step(
    rules: &Parameters,
    hash: &Hash32,
    incoming: &WitnessedBlock,
    steps: &mut Steps,
) -> WorkKind {
    let header = &incoming.block.header;
    if header.direct_parents().is_empty() {
        let is_ours = steps.same("genesis", &rules.genesis_hash, hash);
        return if is_ours {
            WorkKind::Genesis
        } else {
            WorkKind::Missing
        };
    }
    if rules.profile.skip_proof_of_work {
        steps.not_provable("work", "notAsked");
        return WorkKind::NotAsked;
    }
    match rules.judge_work(header, incoming.witness.as_deref()) {
        Ok(accepted) => {
            let kind = if accepted.by_witness() {
                WorkKind::Merged
            } else {
                WorkKind::Native
            };
            steps.ok_as("work", format!("{:08x}", header.bits), kind.word());
            kind
        }
        Err(error) => {
            let (expected, found) = work_words(&error);
            steps.differs("work", expected, found);
            WorkKind::Missing
        }
    }
}

/// The block of the network that the header itself names: below the pruning depth its pruning point is genesis
/// (specification consensus 7.9). Above, only the chain leads there.
fn network_step(rules: &Parameters, block: &Block, steps: &mut Steps) {
    let (header, genesis) = (&block.header, &rules.genesis_hash);
    if header.direct_parents().is_empty() {
        return;
    }
    let is_young = header.blue_score < rules.profile.pruning_depth;
    if is_young || header.pruning_point == *genesis {
        steps.same("network", genesis, &header.pruning_point);
    } else {
        steps.not_provable("network", "pruningPoint");
    }
}

/// The target, and the value with what is wrong with the witness.
fn work_words(error: &SvcError) -> (String, String) {
    let field = |name: &str| {
        let found = error.data.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    };
    if error.code != Code::HeaderInvalidPow {
        return (String::new(), error.code.as_str().to_owned());
    }
    let found = format!("{} witness: {}", field("value"), field("witness"));
    (field("target").to_owned(), found)
}

/// The coinbase, and what it says of the block itself.
fn coinbase_steps(rules: &Parameters, block: &Block, work: WorkKind, steps: &mut Steps) {
    if work == WorkKind::Genesis {
        return;
    }
    let header = &block.header;
    let version = rules.block_version(header.daa_score);
    steps.same("version", &version, &header.version);
    let count = block.transactions.iter().filter(|one| one.is_coinbase());
    let count = count.count();
    let first = block.transactions.first().filter(|one| one.is_coinbase());
    let payload = first.map(|coinbase| CoinbasePayload::decode(&coinbase.payload));
    let Some(Ok(payload)) = payload.filter(|_| count == 1) else {
        steps.differs("coinbase", "one, first and readable", count);
        return;
    };
    steps.same("coinbase", &header.blue_score, &payload.blue_score);
    let expected = subsidy(&rules.profile, header.daa_score);
    steps.same("subsidy", &expected, &payload.subsidy);
}
