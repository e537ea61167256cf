//! Precomputed multiples of V, the base of value commitments.

use svc_kernels::curve::{Affine, Pallas, Point, normalize};

/// V = GroupHash(`z.cash:Orchard-cv`, `v`), encoded.
const BASE: [u8; 32] = [
    103, 67, 249, 58, 110, 189, 167, 42, 140, 124, 90, 43, 127, 163, 4, 254, 50, 178, 155, 79, 112,
    106, 168, 247, 66, 15, 61, 142, 122, 89, 112, 47,
];
const WINDOW: u32 = 4;
const WINDOWS: usize = (u64::BITS / WINDOW) as usize;
/// Multiples kept per window: all but zero.
const ENTRIES: usize = (1 << WINDOW) - 1;

/// V times every digit of every window of a 64-bit number.
#[derive(Clone, Debug)]
pub struct ValueBase {
    multiples: Vec<Affine<Pallas>>,
}

impl ValueBase {
    /// Builds the table; none only if this file were damaged.
    pub fn new() -> Option<Self> {
        let mut base = Affine::<Pallas>::from_bytes(&BASE)?.to_point();
        let mut multiples = Vec::with_capacity(WINDOWS * ENTRIES);
        for _ in 0..WINDOWS {
            let mut multiple = base;
            for _ in 0..ENTRIES {
                multiples.push(multiple);
                multiple = multiple.add(&base);
            }
            base = multiple;
        }
        Some(Self {
            multiples: normalize(&multiples),
        })
    }

    /// `value`·V.
    pub fn multiple(&self, value: i64) -> Point<Pallas> {
        let size = value.unsigned_abs();
        let mut sum = Point::identity();
        for window in 0..WINDOWS {
            let digit = (size >> (WINDOW as usize * window)) as usize & ENTRIES;
            if digit > 0 {
                sum = sum.add_affine(&self.multiples[window * ENTRIES + digit - 1]);
            }
        }
        if value < 0 { sum.neg() } else { sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orchard::value::{NoteValue, ValueCommitTrapdoor, ValueCommitment};

    #[test]
    fn multiples_equal_upstream_commitments_without_randomness() {
        let base = ValueBase::new().unwrap();
        let trapdoor = || ValueCommitTrapdoor::from_bytes([0; 32]).unwrap();
        for value in [0, 1, 15, 16, 0x1234_5678_9abc_def0, u64::MAX >> 1] {
            let commit = |spent, created| {
                let sum = NoteValue::from_raw(spent) - NoteValue::from_raw(created);
                ValueCommitment::derive(sum, trapdoor()).to_bytes()
            };
            let signed = i64::try_from(value).unwrap();
            assert_eq!(
                base.multiple(signed).to_affine().to_bytes(),
                commit(value, 0),
                "{value}"
            );
            assert_eq!(
                base.multiple(-signed).to_affine().to_bytes(),
                commit(0, value),
                "-{value}"
            );
        }
        let least = base
            .multiple(i64::MIN)
            .add_affine(&base.multiple(1).to_affine());
        assert!(least == base.multiple(i64::MIN + 1));
    }
}
