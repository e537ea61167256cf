//! Emission schedule: the subsidy of a block (specification consensus 10.3).

use crate::profile::Profile;

/// Seconds of one step: a quarter of the parent's month, since halvings are four times as
/// frequent here.
const STEP_SECONDS: u64 = 2_629_800 * 3 / 12;
/// Steps of one month of the calendar of the tail.
const STEPS_PER_MONTH: u64 = 4;
/// The month from which the tail is a tenth.
const TAIL_DROP_MONTH: u64 = 24;
/// Tail per second before and from [`TAIL_DROP_MONTH`], sompi.
const EARLY_TAIL: u64 = 600_000_000;
const LATE_TAIL: u64 = 60_000_000;

/// The parent's subsidy per second by month, sompi. From step 40 on the tail is larger than
/// the curve at every block rate, so the table needs no more.
const PARENT_MONTHLY: [u64; 40] = [
    44_000_000_000,
    41_530_469_757,
    39_199_543_598,
    36_999_442_271,
    34_922_823_143,
    32_962_755_691,
    31_112_698_372,
    29_366_476_791,
    27_718_263_097,
    26_162_556_530,
    24_694_165_062,
    23_308_188_075,
    22_000_000_000,
    20_765_234_878,
    19_599_771_799,
    18_499_721_135,
    17_461_411_571,
    16_481_377_845,
    15_556_349_186,
    14_683_238_395,
    13_859_131_548,
    13_081_278_265,
    12_347_082_531,
    11_654_094_037,
    11_000_000_000,
    10_382_617_439,
    9_799_885_899,
    9_249_860_567,
    8_730_705_785,
    8_240_688_922,
    7_778_174_593,
    7_341_619_197,
    6_929_565_774,
    6_540_639_132,
    6_173_541_265,
    5_827_047_018,
    5_500_000_000,
    5_191_308_719,
    4_899_942_949,
    4_624_930_283,
];

/// What a block with this DAA score mints, development fee included, sompi. Its coinbase
/// payload names the value; the block that merges it pays it out.
pub fn subsidy(profile: &Profile, daa_score: u64) -> u64 {
    let Some(elapsed) = daa_score.checked_sub(profile.emission.deflationary_phase_start_daa) else {
        return profile.emission.pre_deflationary_subsidy_sompi.0;
    };
    let rate = profile.blocks_per_second();
    let step = elapsed / rate / STEP_SECONDS;
    let month = step / STEPS_PER_MONTH;
    let tail = if month < TAIL_DROP_MONTH {
        EARLY_TAIL
    } else {
        LATE_TAIL
    };
    curve(step, rate).max(tail.div_ceil(rate))
}

/// A block from which less is minted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Reduction {
    /// The first DAA score with the lower subsidy.
    pub daa_score: u64,
    /// What a block mints from there on, development fee included, sompi.
    pub subsidy: u64,
}

/// The next lower subsidy after a DAA score; none at the floor of the tail.
pub fn next_reduction(profile: &Profile, daa_score: u64) -> Option<Reduction> {
    let start = profile.emission.deflationary_phase_start_daa;
    let length = profile.blocks_per_second().checked_mul(STEP_SECONDS)?;
    let now = subsidy(profile, daa_score);
    let step = daa_score
        .checked_sub(start)
        .map_or(0, |elapsed| elapsed / length + 1);
    // Nothing changes any more after the step at which the tail drops.
    (step..=TAIL_DROP_MONTH * STEPS_PER_MONTH)
        .filter_map(|step| start.checked_add(step.checked_mul(length)?))
        .map(|daa_score| Reduction {
            daa_score,
            subsidy: subsidy(profile, daa_score),
        })
        .find(|next| next.subsidy < now)
}

/// What the first `count` blocks that are rewarded mint by the schedule, sompi: the blocks with DAA scores 0 to `count` - 1.
pub fn scheduled_total(profile: &Profile, count: u64) -> u128 {
    let mut total: u128 = 0;
    let mut from = 0;
    while from < count {
        let next = next_change(profile, from).unwrap_or(count).min(count);
        let minted = u128::from(subsidy(profile, from)) * u128::from(next - from);
        total = total.saturating_add(minted);
        from = next;
    }
    total
}

/// Sum over all reductions below a DAA score of how much less is minted from there on, sompi.
pub fn reduced_by(profile: &Profile, daa_score: u64) -> u64 {
    let mut from = profile.emission.deflationary_phase_start_daa;
    let mut sum: u64 = 0;
    while let Some(next) = next_reduction(profile, from).filter(|next| next.daa_score < daa_score) {
        sum = sum.saturating_add(subsidy(profile, from).saturating_sub(next.subsidy));
        from = next.daa_score;
    }
    sum
}

/// The first DAA score after this one at which another amount may be minted.
fn next_change(profile: &Profile, daa_score: u64) -> Option<u64> {
    let start = profile.emission.deflationary_phase_start_daa;
    if daa_score < start {
        return Some(start);
    }
    next_reduction(profile, daa_score).map(|next| next.daa_score)
}

/// The halving curve: 60 coins per second at the start instead of the parent's 440.
fn curve(step: u64, rate: u64) -> u64 {
    let parent = usize::try_from(step)
        .ok()
        .and_then(|index| PARENT_MONTHLY.get(index));
    parent.map_or(0, |per_second| per_second.div_ceil(rate) * 3 / 22)
}
