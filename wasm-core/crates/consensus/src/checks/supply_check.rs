//! Supply audit: minted coins, fees and pool after a chain block, from what the coinbase of the next one commits to, held
//! against the emission schedule (specification shielded 10 and 11.1, consensus 10.3 to 10.6).

use serde::{Deserialize, Serialize};
use svc_chain::emission::{reduced_by, scheduled_total};
use svc_codec::error::SvcError;
use svc_codec::hash32::Hash32;
use svc_shielded::json::decimal;

use crate::checks::acceptance_check::state_root_in;
use crate::checks::acceptance_proof::{ClaimedFrontier, read_claim};
use crate::checks::block_check::sound_block;
use crate::checks::committed_state::{CommittedState, commits_to_carried, wide_decimal};
use crate::checks::steps::{Step, Steps};
use crate::checks::verifying_key::VERIFYING_KEY_FINGERPRINT;
use crate::parameters::Parameters;

/// The state after a chain block as a node tells it. Nothing in it is believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SupplyProof {
    /// The chain block.
    pub block: Hash32,
    /// The chain block above it, whose coinbase commits to the state; null at the tip.
    pub child: Option<Hash32>,
    /// DAA score of the block.
    #[serde(with = "decimal")]
    pub daa_score: u64,
    /// Blue score of the block.
    #[serde(with = "decimal")]
    pub blue_score: u64,
    /// The state in the parts that are hashed.
    pub state: CommittedState,
    /// Right edge of the note tree.
    pub frontier: ClaimedFrontier,
    /// Number of spent nullifiers.
    #[serde(with = "decimal")]
    pub nullifier_count: u64,
}

impl SupplyProof {
    /// Reads the JSON of a proof. Errors: `codec/count-too-large`, `codec/bad-json`.
    pub fn from_json(json: &str) -> Result<Self, SvcError> {
        read_claim(json)
    }
}

/// What an audit says.
#[derive(Debug, Serialize)]
pub struct SupplyReport {
    /// The steps.
    pub steps: Vec<Step>,
    /// The figures, by the claim; the steps say which of them are proven.
    pub figures: SupplyFigures,
}

/// Figures of an audit, in sompi unless the name says otherwise.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SupplyFigures {
    /// All that coinbases minted, fees that they paid out again among it.
    #[serde(with = "wide_decimal")]
    minted: u128,
    /// All fees that payments gave up.
    #[serde(with = "wide_decimal")]
    fees: u128,
    /// What the pool holds: minted less fees; zero where the fees are more.
    #[serde(with = "wide_decimal")]
    pool: u128,
    /// What the schedule has for as many rewarded blocks.
    #[serde(with = "wide_decimal")]
    scheduled: u128,
    /// Development fee that is carried on.
    #[serde(with = "decimal")]
    carried_fee: u64,
    /// What the miner slot holds.
    #[serde(with = "decimal")]
    slot: u64,
    /// Schedule less pool, carried fee and slot: zero unless fees were lost or blocks stood beside a reduction.
    unexplained: String,
    /// Notes in the tree.
    #[serde(with = "decimal")]
    note_count: u64,
    /// Fingerprint of the verifying key that this build was made for.
    verifying_key: &'static str,
}

/// Bytes of the blocks that a proof names.
pub struct SupplyBlocks<'a> {
    /// The chain block.
    pub block: &'a [u8],
    /// The chain block above it; none at the tip.
    pub child: Option<&'a [u8]>,
}

/// Audits the supply after a block.
pub fn check_supply(
    rules: &Parameters,
    proof: &SupplyProof,
    bytes: &SupplyBlocks<'_>,
) -> SupplyReport {
    let figures = figures(rules, proof);
    let mut steps = Steps::about("block");
    block_steps(rules, proof, bytes.block, &mut steps);
    steps.turn_to("child");
    committed_steps(rules, proof, bytes.child, &mut steps);
    steps.turn_to("supply");
    match proof.frontier.tree() {
        Ok(tree) => {
            steps.same("noteCount", &proof.state.tree_root, &tree.root());
        }
        Err(error) => steps.differs("noteCount", proof.state.tree_root, error.code.as_str()),
    }
    let (minted, fees) = (figures.minted, figures.fees);
    if fees > minted {
        steps.differs("pool", "at least 0", format!("{minted} - {fees}"));
    } else {
        steps.ok("pool", figures.pool);
    }
    schedule_step(rules, proof, &figures, &mut steps);
    if commits_to_carried(&rules.profile, proof.daa_score) {
        steps.ok(
            "carried",
            u128::from(figures.carried_fee) + u128::from(figures.slot),
        );
    } else {
        steps.not_provable("carried", "notCommitted");
    }
    steps.not_provable("nullifierCount", "notCommitted");
    steps.not_provable("hiddenValues", "noChainShows");
    steps.turn_to("block");
    steps.not_provable("chain", "onlyTheChain");
    SupplyReport {
        steps: steps.into_list(),
        figures,
    }
}

fn block_steps(rules: &Parameters, proof: &SupplyProof, bytes: &[u8], steps: &mut Steps) {
    let Some((found, _)) = sound_block(rules, &proof.block, bytes, steps) else {
        return;
    };
    let header = &found.block.header;
    steps.same("daaScore", &header.daa_score, &proof.daa_score);
    steps.same("blueScore", &header.blue_score, &proof.blue_score);
}

/// The block above and the state root in its coinbase.
fn committed_steps(
    rules: &Parameters,
    proof: &SupplyProof,
    bytes: Option<&[u8]>,
    steps: &mut Steps,
) {
    let (Some(hash), Some(bytes)) = (&proof.child, bytes) else {
        steps.not_provable("statePreimage", "noBlockAbove");
        return;
    };
    let Some((child, _)) = sound_block(rules, hash, bytes, steps) else {
        return;
    };
    let first = child.block.header.direct_parents().first().copied();
    steps.same("child", &proof.block, &first.unwrap_or_default());
    let found = proof.state.root(&rules.profile, proof.daa_score);
    steps.same("statePreimage", &state_root_in(&child.block), &found);
}

fn figures(rules: &Parameters, proof: &SupplyProof) -> SupplyFigures {
    let state = &proof.state;
    let pool = state
        .cumulative_coinbase
        .saturating_sub(state.cumulative_fees);
    let scheduled = scheduled_total(&rules.profile, proof.daa_score);
    let held = held(proof, pool);
    let unexplained = if scheduled >= held {
        (scheduled - held).to_string()
    } else {
        format!("-{}", held - scheduled)
    };
    SupplyFigures {
        minted: state.cumulative_coinbase,
        fees: state.cumulative_fees,
        pool,
        scheduled,
        carried_fee: state.dev_accrued,
        slot: state.slot.amount,
        unexplained,
        note_count: proof.frontier.size,
        verifying_key: VERIFYING_KEY_FINGERPRINT,
    }
}

/// The pool and what is minted but not paid out yet.
fn held(proof: &SupplyProof, pool: u128) -> u128 {
    pool.saturating_add(u128::from(proof.state.dev_accrued))
        .saturating_add(u128::from(proof.state.slot.amount))
}

/// A block's DAA score is the number of rewarded blocks below it, so the schedule fixes the sum. Two things move it: fees
/// of blue blocks outside the window are lost, so less is held; and a block mined beside a reduction still has the subsidy
/// from before it, so more is. The second is bounded by one mergeset for each reduction.
fn schedule_step(
    rules: &Parameters,
    proof: &SupplyProof,
    figures: &SupplyFigures,
    steps: &mut Steps,
) {
    let held = held(proof, figures.pool);
    if held == figures.scheduled {
        steps.ok("schedule", held);
        return;
    }
    let beside = u128::from(reduced_by(&rules.profile, proof.daa_score))
        .saturating_mul(u128::from(rules.profile.mergeset_size_limit));
    let most = figures.scheduled.saturating_add(beside);
    let least = figures.scheduled.saturating_sub(figures.fees);
    if (least..=most).contains(&held) {
        steps.ok_as("schedule", held, "withinBounds");
    } else {
        steps.differs("schedule", figures.scheduled, held);
    }
}
