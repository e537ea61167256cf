//! Compact difficulty bits, targets and work (specification consensus 4).

use crate::uint256::U256;

/// Largest mantissa; one above it would read as a negative number.
const MAX_MANTISSA: u32 = 0x7f_ffff;
/// Above this exponent every mantissa leaves 256 bits.
const MAX_EXPONENT: u32 = 34;
/// Bits of the largest work that a level stands for.
const MAX_LEVEL_WORK_BITS: u32 = 128;

/// The target of compact bits: mantissa shifted by the exponent; 0 for a mantissa with its sign
/// bit set. Digits shifted beyond 256 bits are lost.
pub fn target_from_bits(bits: u32) -> U256 {
    let exponent = bits >> 24;
    let mantissa = bits & 0xff_ffff;
    if exponent <= 3 {
        let mantissa = mantissa >> (8 * (3 - exponent));
        return if mantissa > MAX_MANTISSA {
            U256::zero()
        } else {
            U256::from(mantissa)
        };
    }
    if mantissa > MAX_MANTISSA || exponent > MAX_EXPONENT {
        return U256::zero();
    }
    U256::from(mantissa) << (8 * (exponent - 3))
}

/// Compact bits of a target: its byte length and its top three bytes, the smallest form whose
/// sign bit is clear.
pub fn bits_from_target(target: U256) -> u32 {
    let mut size = u32::try_from(target.bits().div_ceil(8)).unwrap_or(0);
    let mut mantissa = if size <= 3 {
        target.low_u32() << (8 * (3 - size))
    } else {
        (target >> (8 * (size - 3))).low_u32()
    };
    if mantissa & 0x80_0000 != 0 {
        mantissa >>= 8;
        size += 1;
    }
    mantissa | size << 24
}

/// Expected number of hashes to reach the target of `bits`:
/// `(not target) / (target + 1) + 1`.
pub fn work_from_bits(bits: u32) -> U256 {
    let target = target_from_bits(bits);
    // target + 1 cannot overflow: a mantissa of 23 bits never fills 256.
    let (divisor, _) = target.overflowing_add(U256::one());
    let quotient = (!target).checked_div(divisor).unwrap_or_default();
    quotient.overflowing_add(U256::one()).0
}

/// The work a blue block of a level counts for at least: `2^min(level + 256 - max_level, 128)`, nothing at level 0.
pub fn level_work(level: u8, max_level: u8) -> U256 {
    if level == 0 {
        return U256::zero();
    }
    let bits = (u32::from(level) + 256).saturating_sub(u32::from(max_level));
    U256::one() << bits.min(MAX_LEVEL_WORK_BITS)
}

/// How many times harder than the easiest target, `(2^255 - 1) / target` as a floating-point
/// number. For people only: consensus never uses it.
pub fn difficulty(bits: u32) -> f64 {
    let target = target_from_bits(bits);
    if target.is_zero() {
        return f64::INFINITY;
    }
    to_f64(U256::MAX >> 1) / to_f64(target)
}

fn to_f64(value: U256) -> f64 {
    value
        .0
        .iter()
        .rev()
        .fold(0.0, |sum, limb| sum * 2_f64.powi(64) + *limb as f64)
}
