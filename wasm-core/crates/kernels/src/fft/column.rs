//! Column type of the circuit: 2048 field values, as values on the rows or as coefficients.
//!
//! Many columns hold secrets, so every column is overwritten when it is dropped (4 µs), and none can be printed.

use crate::field::stored::{Pair, Single};
use crate::lanes::modulus::Modulus;

/// log₂ of the number of rows.
pub const ROWS_LOG: u32 = 11;
/// Values in a column.
pub const ROWS: usize = 1 << ROWS_LOG;
/// Pairs in a column.
pub const PAIRS: usize = ROWS / 2;

/// Values on the rows of a domain. Pair r holds rows r and r + 1024, so that the next row is the next pair (at the
/// end of the pairs the two lanes change places).
#[derive(Clone)]
pub struct Rows<M: Modulus> {
    pairs: Vec<Pair<M>>,
}

/// Coefficients of a polynomial of degree below 2048, lowest first. Pair i holds coefficients 2i and 2i + 1.
#[derive(Clone)]
pub struct Coefficients<M: Modulus> {
    pairs: Vec<Pair<M>>,
}

macro_rules! column {
    ($name:ident, $index:ident => ($pair:expr, $lane:expr)) => {
        impl<M: Modulus> $name<M> {
            /// All zeros.
            pub fn zero() -> Self {
                Self {
                    pairs: vec![Pair::ZERO; PAIRS],
                }
            }

            /// From exactly [`PAIRS`] pairs; none for any other number.
            pub fn from_pairs(pairs: Vec<Pair<M>>) -> Option<Self> {
                (pairs.len() == PAIRS).then_some(Self { pairs })
            }

            /// From at most [`ROWS`] values, the first first; values past them are ignored, missing ones are zero.
            pub fn from_values(values: &[Single<M>]) -> Self {
                let mut out = Self::zero();
                for (index, value) in values.iter().take(ROWS).enumerate() {
                    out.set(index, value);
                }
                out
            }

            /// One value; indices count modulo [`ROWS`].
            #[inline]
            pub fn get(&self, $index: usize) -> Single<M> {
                self.pairs[$pair].get($lane)
            }

            /// Replaces one value; indices count modulo [`ROWS`].
            #[inline]
            pub fn set(&mut self, $index: usize, value: &Single<M>) {
                self.pairs[$pair].set($lane, value);
            }

            /// The [`PAIRS`] pairs.
            #[inline]
            pub fn pairs(&self) -> &[Pair<M>] {
                &self.pairs
            }

            /// The [`PAIRS`] pairs.
            #[inline]
            pub fn pairs_mut(&mut self) -> &mut [Pair<M>] {
                &mut self.pairs
            }

            /// Overwrites every value with zero, before the column is dropped.
            pub fn clear(&mut self) {
                self.pairs.fill(Pair::ZERO);
                // Keeps the stores even if the column is dropped next.
                core::hint::black_box(&mut self.pairs);
            }
        }

        impl<M: Modulus> Drop for $name<M> {
            fn drop(&mut self) {
                self.clear();
            }
        }

        impl<M: Modulus> core::fmt::Debug for $name<M> {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    };
}

column!(Rows, index => (index % PAIRS, (index / PAIRS) & 1));
column!(Coefficients, index => ((index % ROWS) / 2, index & 1));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::modulus::PallasBase;

    #[test]
    fn places() {
        let values: Vec<Single<PallasBase>> = (0..ROWS as u64).map(Single::from_u64).collect();
        let mut rows = Rows::from_values(&values);
        let coefficients = Coefficients::from_values(&values);
        for (i, value) in values.iter().enumerate() {
            assert!(rows.get(i) == *value && coefficients.get(i) == *value);
        }
        assert!(rows.pairs()[5].get(1) == values[5 + PAIRS]);
        assert!(coefficients.pairs()[5].get(1) == values[11]);
        rows.clear();
        assert!((0..ROWS).all(|i| rows.get(i).is_zero()));
        assert_eq!(
            format!("{rows:?} {coefficients:?}"),
            "Rows(..) Coefficients(..)"
        );
    }
}
