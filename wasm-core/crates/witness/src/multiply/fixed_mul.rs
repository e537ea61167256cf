//! Fixed-base scalar multiplication chip: a fixed base by a secret scalar, window by window.
//!
//! The first region adds the points of all windows but the last, which needs no complete addition: the multiples grow.
//! The second adds the last one.

use svc_kernels::curve::{Affine, Pallas};
use zeroize::Zeroizing;

use crate::add::{self, X_P, X_QR, Y_P, Y_QR};
use crate::bits::Bits;
use crate::multiply::sum_chain::{Points, sums};
use crate::sheet::{Fp, Fq, Region, Sheet};
use crate::tables::{Base, WINDOW_BITS, WINDOWS, WindowTables};

/// The column of the digits, or of the running sum they come from.
pub(crate) const WINDOW: usize = 4;
/// The column of the roots.
pub(crate) const U: usize = 5;

/// The two points that the last addition takes.
pub(crate) struct Halves {
    /// The point of the last window.
    pub last: Affine<Pallas>,
    /// The sum of the points of all others.
    pub rest: Affine<Pallas>,
}

impl Halves {
    /// The halves; identities, and no witness, if there are none.
    pub fn or_refuse(halves: Option<Self>, sheet: &mut Sheet<'_>) -> Self {
        halves.unwrap_or_else(|| {
            sheet.refuse("an undefined sum of window points");
            Self {
                last: Affine::IDENTITY,
                rest: Affine::IDENTITY,
            }
        })
    }
}

/// scalar · base for a base with full scalars. Two regions.
pub fn full(
    sheet: &mut Sheet<'_>,
    tables: &WindowTables,
    base: Base,
    scalar: &Fq,
) -> Affine<Pallas> {
    let digits = digits::<WINDOWS>(&Bits::of_words(scalar.to_words()));
    let mut region = sheet.region();
    for (window, digit) in digits.iter().enumerate() {
        region.set(WINDOW, window, &Fp::from_u64(u64::from(*digit)));
    }
    let halves = windows(&mut region, tables, base, digits.as_slice());
    let halves = Halves::or_refuse(halves, sheet);
    add::complete(sheet, &halves.last, &halves.rest)
}

/// The digits of a scalar, lowest first.
pub(crate) fn digits<const COUNT: usize>(scalar: &Bits) -> Zeroizing<[u8; COUNT]> {
    Zeroizing::new(core::array::from_fn(|window| {
        let start = WINDOW_BITS * window;
        scalar.small(start..start + WINDOW_BITS) as u8
    }))
}

/// Shows the point and the root of every digit, and the sums of the points before the last.
///
/// None only if two summed points have the same abscissa, which no digits lead to: before window w the sum is less than
/// 2·8^w times the base, window w adds at least that and at most 9·8^w times, and all of it is below half the order.
pub(crate) fn windows(
    region: &mut Region<'_>,
    tables: &WindowTables,
    base: Base,
    digits: &[u8],
) -> Option<Halves> {
    let mut points = Points::with_capacity(digits.len());
    for (window, digit) in digits.iter().enumerate() {
        let entry = tables.entry(base, window, *digit);
        region.set(X_P, window, &entry.point.x);
        region.set(Y_P, window, &entry.point.y);
        region.set(U, window, &entry.root);
        points.push(entry.point);
    }
    let (last, lower) = points.split_last()?;
    let sums = sums(lower)?;
    for (window, sum) in sums.iter().enumerate() {
        region.set(X_QR, window + 1, &sum.x);
        region.set(Y_QR, window + 1, &sum.y);
    }
    let rest = *sums.last()?;
    Some(Halves { last: *last, rest })
}
