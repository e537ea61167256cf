//! Difficulty adjustment: the target of the next block from a window of samples (specification consensus 7.5).

use svc_chain::bits::{bits_from_target, target_from_bits};
use svc_chain::profile::Profile;
use svc_chain::uint256::U256;

use crate::sampled_window::{Sample, Samples};

// The lint fires inside the macro.
#[allow(clippy::manual_div_ceil)]
mod wide {
    uint::construct_uint! {
        /// 320 bits: a target times a duration, or the sum of 2^64 targets.
        pub(super) struct U320(5);
    }
}
use wide::U320;

/// Bits of a block of this blue score after a window with enough samples, launch ramp included.
pub(crate) fn next_bits(profile: &Profile, window: &Samples, blue_score: u64) -> u32 {
    if window.is_empty() {
        return profile.genesis.bits;
    }
    let target = *window.target.get_or_init(|| window_target(profile, window));
    bits_from_target(ramped(profile, target, blue_score))
}

/// The mean target of a window, scaled by the time it took. The oldest block only begins the time.
fn window_target(profile: &Profile, window: &[Sample]) -> U256 {
    let by_time = |a: &&Sample, b: &&Sample| (a.timestamp_ms, *a).cmp(&(b.timestamp_ms, *b));
    let times = window.iter().map(|sample| sample.timestamp_ms);
    let easiest = target_from_bits(profile.max_difficulty_target_bits);
    let Some((oldest, newest_time)) = window.iter().min_by(by_time).zip(times.max()) else {
        return easiest;
    };
    let duration_ms = (newest_time - oldest.timestamp_ms).max(1);

    let mut sum = U320::zero();
    let (mut bits, mut target) = (0, U320::zero());
    for sample in window {
        if sample.bits != bits {
            (bits, target) = (sample.bits, widened(target_from_bits(sample.bits)));
        }
        sum += target;
    }
    sum -= widened(target_from_bits(oldest.bits));
    let steps = U320::from((window.len() - 1).max(1));
    let expected_ms = U320::from(profile.target_time_per_block_ms.max(1))
        * U320::from(profile.difficulty_sample_rate.max(1))
        * steps;
    let target = sum / steps * U320::from(duration_ms) / expected_ms;
    narrowed(target).map_or(easiest, |target| target.min(easiest))
}

fn widened(number: U256) -> U320 {
    let [a, b, c, d] = number.0;
    U320([a, b, c, d, 0])
}

fn narrowed(number: U320) -> Option<U256> {
    let [a, b, c, d, high] = number.0;
    (high == 0).then_some(U256([a, b, c, d]))
}

/// The launch ramp: no harder than a floor that starts at the genesis target and hardens bit by
/// bit; after the ramp, no easier than genesis.
fn ramped(profile: &Profile, target: U256, blue_score: u64) -> U256 {
    let low = profile.launch_ramp.low_difficulty_blocks;
    let length = profile.launch_ramp.ramp_blocks;
    if low == 0 && length == 0 {
        return target;
    }
    let genesis_target = target_from_bits(profile.genesis.bits);
    let Some(into_ramp) = blue_score.checked_sub(low).filter(|blocks| *blocks > 0) else {
        return target.max(genesis_target);
    };
    if into_ramp >= length {
        return target.min(genesis_target);
    }
    let bits = (genesis_target.bits() as u128).saturating_sub(32);
    // into_ramp < length, so the shift is below the 256 bits of the target.
    let shift = bits * u128::from(into_ramp) / u128::from(length);
    target.max(genesis_target >> U256::from(shift))
}
