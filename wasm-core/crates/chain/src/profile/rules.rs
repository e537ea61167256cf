//! Validation of a profile's values: ranges and relations beyond the form (specification consensus 1.2 and 1.3).

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::limits::{MAX_MERGESET_WALK, MAX_PARENT_LEVELS};

use crate::bits::target_from_bits;
use crate::genesis::genesis_block;
use crate::profile::Profile;

/// Largest integer that JSON numbers carry exactly through JavaScript, 2^53 - 1.
const MAX_JSON_INTEGER: u64 = (1 << 53) - 1;

/// Checks ranges and relations, then the genesis hash.
pub(crate) fn check(profile: &Profile) -> Result<(), SvcError> {
    names(profile)?;
    positive(profile)?;
    ranges(profile)?;
    depths(profile)?;
    heights(profile)?;
    let found = genesis_block(profile).hash();
    if found != profile.genesis.hash {
        let error = SvcError::new(Code::ProfileGenesisMismatch);
        return Err(error
            .with("expected", profile.genesis.hash)
            .with("found", found));
    }
    Ok(())
}

fn names(profile: &Profile) -> Result<(), SvcError> {
    let name = &profile.network_name;
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    require(
        !name.is_empty() && name.len() <= 64 && plain(name),
        "networkName",
        "1 to 64 of a-z 0-9 -",
    )?;
    let hrp = &profile.hrp;
    let lower = hrp
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    require(
        !hrp.is_empty() && hrp.len() <= 16 && lower,
        "hrp",
        "1 to 16 of a-z 0-9",
    )?;
    let text = &profile.genesis.coinbase_text;
    // The payload holds 204 bytes, 52 of them before the text.
    require(
        text.len() <= 152 && printable(text),
        "genesis.coinbaseText",
        "at most 152 printable ASCII",
    )?;
    let bind = &profile.personalisation.aux_bind;
    require(
        !bind.is_empty() && bind.len() <= 64 && printable(bind),
        "personalisation.auxBind",
        "1 to 64 printable ASCII",
    )?;
    let seeders = &profile.seeders;
    let plain = seeders.len() <= 16
        && seeders
            .iter()
            .all(|host| host.len() <= 253 && printable(host));
    require(plain, "seeders", "at most 16 host names")
}

fn printable(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

fn positive(profile: &Profile) -> Result<(), SvcError> {
    let fields = [
        (
            "pastMedianTimeSampleRate",
            profile.past_median_time_sample_rate,
        ),
        (
            "pastMedianTimeWindowSize",
            profile.past_median_time_window_size,
        ),
        ("difficultySampleRate", profile.difficulty_sample_rate),
        ("difficultyWindowSize", profile.difficulty_window_size),
        ("pruningProofM", profile.pruning_proof_m),
        ("mergeDepth", profile.merge_depth),
        ("finalityDepth", profile.finality_depth),
        ("mergesetSizeLimit", profile.mergeset_size_limit),
        (
            "devFee.payoutIntervalDaa",
            profile.dev_fee.payout_interval_daa,
        ),
        (
            "minerSlotPayoutIntervalDaa",
            profile.miner_slot_payout_interval_daa,
        ),
        ("massLimits.compute", profile.mass_limits.compute),
        ("massLimits.storage", profile.mass_limits.storage),
        ("massLimits.transient", profile.mass_limits.transient),
        ("wallet.grid", profile.wallet.grid),
    ];
    for (field, value) in fields {
        require(value > 0, field, "above 0")?;
        exact(field, value)?;
    }
    Ok(())
}

fn ranges(profile: &Profile) -> Result<(), SvcError> {
    let time = profile.target_time_per_block_ms;
    require(
        (1..=1000).contains(&time) && 1000 % time == 0,
        "targetTimePerBlockMs",
        "a divisor of 1000",
    )?;
    require(
        (1..=1000).contains(&profile.ghostdag_k),
        "ghostdagK",
        "1 to 1000",
    )?;
    require(
        (1..=64).contains(&profile.max_block_parents),
        "maxBlockParents",
        "1 to 64",
    )?;
    require(
        profile.difficulty_window_size <= 100_000,
        "difficultyWindowSize",
        "at most 100000",
    )?;
    require(
        profile.past_median_time_window_size <= 10_000,
        "pastMedianTimeWindowSize",
        "at most 10000",
    )?;
    require(
        profile.min_difficulty_window_size >= 2,
        "minDifficultyWindowSize",
        "at least 2",
    )?;
    require(
        usize::from(profile.max_block_level) < MAX_PARENT_LEVELS,
        "maxBlockLevel",
        "at most 254",
    )?;
    require(
        profile.dev_fee.permille <= 1000,
        "devFee.permille",
        "at most 1000",
    )?;
    require(
        !profile.skip_proof_of_work || profile.minimum_work.0.is_zero(),
        "minimumWork",
        "0 where no work is judged",
    )?;
    let easiest = target_from_bits(profile.max_difficulty_target_bits);
    require(
        !easiest.is_zero(),
        "maxDifficultyTargetBits",
        "a target above 0",
    )?;
    let genesis = target_from_bits(profile.genesis.bits);
    require(
        !genesis.is_zero() && genesis <= easiest,
        "genesis.bits",
        "a target the network allows",
    )
}

fn depths(profile: &Profile) -> Result<(), SvcError> {
    // A larger mergeset is refused unseen, which must never fall on a header that the limit allows.
    require(
        profile.mergeset_size_limit <= MAX_MERGESET_WALK as u64,
        "mergesetSizeLimit",
        "at most 4096",
    )?;
    let age = profile.max_shielded_anchor_age;
    require(
        profile.shielded_anchor_depth < age,
        "shieldedAnchorDepth",
        "below maxShieldedAnchorAge",
    )?;
    require(
        age < profile.finality_depth,
        "maxShieldedAnchorAge",
        "below finalityDepth",
    )?;
    let unpruned = profile.pruning_depth.checked_sub(profile.finality_depth);
    require(
        unpruned.is_some_and(|left| age < left),
        "pruningDepth",
        "above finalityDepth + maxShieldedAnchorAge",
    )?;
    require(
        profile.merge_depth <= profile.finality_depth,
        "mergeDepth",
        "at most finalityDepth",
    )?;
    require(
        profile.pruning_depth >= least_pruning_depth(profile),
        "pruningDepth",
        "at least F + 2 merge + 4 mergeset k + 2 k + 2 and 2 F + 2 k + 3",
    )
}

/// What may still be merged or reorganised must not be below the pruning point (specification consensus 1.2), nor what
/// judging it looks up: a block of a reorganisation lies at most F below the sink, and its shortcut F + 1 blue blocks,
/// with what two chain blocks merge, below its selected parent.
fn least_pruning_depth(profile: &Profile) -> u64 {
    let k = u64::from(profile.ghostdag_k);
    let mergesets = profile.mergeset_size_limit.saturating_mul(4 * k);
    profile
        .finality_depth
        .saturating_add(profile.merge_depth.saturating_mul(2))
        .saturating_add(mergesets)
        .saturating_add(2 * k + 2)
        .max(
            profile
                .finality_depth
                .saturating_mul(2)
                .saturating_add(2 * k + 3),
        )
}

fn heights(profile: &Profile) -> Result<(), SvcError> {
    let activations = &profile.activations;
    let all = [
        ("activations.mergedMining", activations.merged_mining),
        (
            "activations.multiProducerAnchors",
            activations.multi_producer_anchors,
        ),
        ("activations.devFeeAccrual", activations.dev_fee_accrual),
        (
            "activations.coinbaseSeedByBlockHash",
            activations.coinbase_seed_by_block_hash,
        ),
        ("activations.securityFork", activations.security_fork),
        ("activations.devFeeEnd", activations.dev_fee_end),
        ("activations.commitmentBan", activations.commitment_ban),
        (
            "activations.boundMergeMining",
            activations.bound_merge_mining,
        ),
        (
            "emission.deflationaryPhaseStartDaa",
            Some(profile.emission.deflationary_phase_start_daa),
        ),
        ("genesis.timestampMs", Some(profile.genesis.timestamp_ms)),
        ("genesis.nonce", Some(profile.genesis.nonce)),
        ("pruningDepth", Some(profile.pruning_depth)),
        ("coinbaseMaturity", Some(profile.coinbase_maturity)),
        (
            "timestampDeviationToleranceMs",
            Some(profile.timestamp_deviation_tolerance_ms),
        ),
        (
            "minDifficultyWindowSize",
            Some(profile.min_difficulty_window_size),
        ),
        (
            "launchRamp.lowDifficultyBlocks",
            Some(profile.launch_ramp.low_difficulty_blocks),
        ),
        (
            "launchRamp.rampBlocks",
            Some(profile.launch_ramp.ramp_blocks),
        ),
        ("wallet.slack", Some(profile.wallet.slack)),
        ("wallet.settleDepth", Some(profile.wallet.settle_depth)),
    ];
    for (field, height) in all {
        exact(field, height.unwrap_or(0))?;
    }
    forks(profile)
}

fn forks(profile: &Profile) -> Result<(), SvcError> {
    let activations = &profile.activations;
    // The rules of the time before it, an acceptance commitment of another form among them, are not here.
    require(
        activations.toccata == Some(0),
        "activations.toccata",
        "0: earlier rules are not supported",
    )?;
    // The fork brings bound witnesses at the latest (specification consensus 13).
    require(
        is_by(activations.bound_merge_mining, activations.security_fork),
        "activations.boundMergeMining",
        "at or before the security fork",
    )?;
    // A block mined before witnesses are bound must not serve as parent of one mined after it.
    require(
        is_by(activations.commitment_ban, activations.bound_merge_mining),
        "activations.commitmentBan",
        "at or before boundMergeMining",
    )
}

/// Whether a rule holds wherever a later one does.
fn is_by(height: Option<u64>, later: Option<u64>) -> bool {
    match (height, later) {
        (_, None) => true,
        (Some(height), Some(later)) => height <= later,
        (None, Some(_)) => false,
    }
}

fn exact(field: &'static str, value: u64) -> Result<(), SvcError> {
    require(value <= MAX_JSON_INTEGER, field, "at most 2^53 - 1")
}

fn require(holds: bool, field: &'static str, reason: &'static str) -> Result<(), SvcError> {
    if holds {
        return Ok(());
    }
    Err(SvcError::new(Code::ProfileBadValue)
        .with("field", field)
        .with("reason", reason))
}
