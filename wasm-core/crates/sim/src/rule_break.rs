//! Malicious blocks: a sound block with one rule broken, and what every node must make of it.

use svc_chain::block::Block;
use svc_chain::coinbase_payload::CoinbasePayload;
use svc_chain::header::parents::Parents;
use svc_chain::profile::Profile;
use svc_codec::hash32::Hash32;
use svc_dag::store::DagStore;

use crate::node::Node;
use crate::payment::Payment;
use crate::traffic;
use svc_chance::chance::Chance;

/// What becomes of a block everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Every node takes it in.
    Accepted,
    /// Every node takes it in, and it is never on a selected chain.
    NeverChain,
    /// No node takes it in.
    Refused,
}

/// One way to break a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the names are the rules of specification consensus 8"
)]
pub enum RuleBreak {
    BlueScore,
    BlueWork,
    DaaScore,
    Bits,
    OldTime,
    FutureTime,
    MerkleRoot,
    DeclaredSubsidy,
    BurnFlag,
    CoinbaseGas,
    CoinbaseOneMore,
    StateRoot,
    AcceptedIds,
    UtxoCommitment,
    PruningPoint,
    BrokenProof,
    ParentOrder,
    OddFlags,
}

/// All rules that can be broken.
pub const RULE_BREAKS: [RuleBreak; 18] = [
    RuleBreak::BlueScore,
    RuleBreak::BlueWork,
    RuleBreak::DaaScore,
    RuleBreak::Bits,
    RuleBreak::OldTime,
    RuleBreak::FutureTime,
    RuleBreak::MerkleRoot,
    RuleBreak::DeclaredSubsidy,
    RuleBreak::BurnFlag,
    RuleBreak::CoinbaseGas,
    RuleBreak::CoinbaseOneMore,
    RuleBreak::StateRoot,
    RuleBreak::AcceptedIds,
    RuleBreak::UtxoCommitment,
    RuleBreak::PruningPoint,
    RuleBreak::BrokenProof,
    RuleBreak::ParentOrder,
    RuleBreak::OddFlags,
];

/// A day, further ahead than any clock allows.
const DAY_MS: u64 = 86_400_000;
/// A flag of the bundle no rule knows, and the one of burning.
const ODD_FLAG: u8 = 0b1_0000;
const BURN_FLAG: u8 = 0b100;

impl RuleBreak {
    /// The expected fate of a block that breaks this rule.
    pub fn fate(self) -> Fate {
        match self {
            Self::BlueScore
            | Self::BlueWork
            | Self::DaaScore
            | Self::Bits
            | Self::OldTime
            | Self::FutureTime
            | Self::MerkleRoot
            | Self::DeclaredSubsidy
            | Self::BurnFlag
            | Self::CoinbaseGas => Fate::Refused,
            _ => Fate::NeverChain,
        }
    }

    /// Breaks the rule in a sound block. `None` where this block gives no opportunity.
    pub fn apply(self, block: &Block, node: &Node) -> Option<Block> {
        let mut block = block.clone();
        let profile = &node.engine().rules().profile;
        let header = &mut block.header;
        match self {
            Self::BlueScore => header.blue_score += 1,
            Self::BlueWork => header.blue_work += 1.into(),
            Self::DaaScore => header.daa_score += 1,
            Self::Bits => header.bits -= 1,
            Self::OldTime => header.timestamp_ms = profile.genesis.timestamp_ms,
            Self::FutureTime => header.timestamp_ms += DAY_MS,
            Self::MerkleRoot => header.hash_merkle_root.0[0] ^= 1,
            Self::AcceptedIds => header.accepted_id_merkle_root.0[0] ^= 1,
            Self::UtxoCommitment => header.utxo_commitment.0[0] ^= 1,
            Self::PruningPoint => {
                header.pruning_point = sink_other_than(node, &header.pruning_point)?
            }
            Self::ParentOrder => header.parents = turned(&header.parents)?,
            Self::CoinbaseGas => block.transactions.first_mut()?.gas = 1,
            Self::CoinbaseOneMore => {
                let coinbase = block.transactions.first_mut()?;
                coinbase.outputs.first_mut()?.value += 1;
            }
            Self::DeclaredSubsidy => edit_payload(&mut block, |payload| payload.subsidy += 1)?,
            Self::StateRoot => edit_payload(&mut block, |payload| payload.state_root.0[0] ^= 1)?,
            Self::BrokenProof | Self::OddFlags | Self::BurnFlag => {
                self.carry(&mut block, profile);
            }
        }
        if self != Self::MerkleRoot {
            block.header.hash_merkle_root = block.merkle_root();
        }
        Some(block)
    }

    /// Adds a payment that breaks the rule.
    fn carry(self, block: &mut Block, profile: &Profile) {
        let named = traffic::names_anchor(profile, block.header.daa_score);
        let mut payment = Payment::of(vec![block.header.blue_score]);
        payment.anchor_block = payment.anchor_block.filter(|_| named);
        payment.salt = block.header.timestamp_ms;
        match self {
            Self::OddFlags => payment.odd_flags = ODD_FLAG,
            Self::BurnFlag => payment.odd_flags = BURN_FLAG,
            _ => payment.proof_holds = false,
        }
        block.transactions.push(payment.build());
    }
}

fn edit_payload(block: &mut Block, edit: impl FnOnce(&mut CoinbasePayload)) -> Option<()> {
    let coinbase = block.transactions.first_mut()?;
    let mut payload = CoinbasePayload::decode(&coinbase.payload).ok()?;
    edit(&mut payload);
    coinbase.payload = payload.encode().ok()?;
    Some(())
}

/// The same direct parents with another one first.
fn turned(parents: &Parents) -> Option<Parents> {
    let mut levels: Vec<Vec<Hash32>> = parents.expanded().map(<[Hash32]>::to_vec).collect();
    let direct = levels.first_mut()?;
    if direct.len() < 2 {
        return None;
    }
    direct.rotate_left(1);
    Parents::from_levels(&levels).ok()
}

fn sink_other_than(node: &Node, point: &Hash32) -> Option<Hash32> {
    let sink = node.sink().ok()?;
    let records = node.engine().records();
    (sink != *point && records.has_header(&sink).ok()?).then_some(sink)
}

/// Any of the rules.
pub fn any(chance: &mut Chance) -> RuleBreak {
    RULE_BREAKS[chance.below(RULE_BREAKS.len() as u64) as usize]
}
