//! Fixed-base multi-scalar multiplication, with precomputed tables.
//!
//! The table holds 2^(c·w)·G_i for every base i and every window w of c bits. So the digits of all windows select from
//! points of equal weight and share one set of buckets.

use crate::curve::affine_batch::AffinePair;

use crate::curve::affine_batch::BatchAdder;

use crate::curve::affine_batch::double_all;

use crate::curve::affine_batch::is_stored_identity;
use crate::curve::{Affine, Curve, Point};
use crate::field::stored::Single;
use crate::lanes::modulus::{LIMBS, Modulus};
use crate::msm::bucket_sums::{Term, sum_lists};
use crate::msm::digits::{add, balance, recode, subtract};
use crate::msm::weighted_sums::weighted_sums;

/// Bits of a window. For about two thousand bases 12 and 13 are fastest (11 and 14 cost 7 % more when all scalars are
/// dense); 12 is ahead where two thirds of them are zero.
const DEFAULT_BITS: u32 = 12;
/// Bits of a scalar, and one for the sign of the top digit.
const SCALAR_BITS: u32 = 256;
/// Version of the stored form.
const VERSION: u32 = 1;
/// Bytes before the points: version, window bits, bases.
const HEADER: usize = 12;
/// Bytes of a stored point: the limbs of both coordinates.
const POINT_BYTES: usize = 2 * 4 * LIMBS;
/// Most bases a stored table may claim.
const MAX_BASES: usize = 1 << 16;

/// The tables of a list of bases.
pub struct FixedBases<C: Curve> {
    pub(crate) bits: u32,
    pub(crate) bases: usize,
    /// Point `w·bases + i` is 2^(bits·w)·G_i.
    pub(crate) table: Vec<Affine<C>>,
    /// Bases that are the identity.
    identities: Vec<u32>,
}

/// The digits of a call, sorted by bucket.
struct Sorted {
    terms: Vec<Term>,
    bounds: Vec<u32>,
}

impl<C: Curve> FixedBases<C> {
    /// Builds the tables. Identity points are allowed.
    pub fn build(bases: &[Affine<C>]) -> Self {
        Self::build_with(bases, DEFAULT_BITS)
    }

    /// Builds the tables for windows of `bits` (8 to 16).
    pub fn build_with(bases: &[Affine<C>], bits: u32) -> Self {
        let bits = bits.clamp(8, 16);
        let windows = windows_of(bits);
        let mut table = Vec::with_capacity(windows * bases.len());
        table.extend_from_slice(bases);
        let generator = Affine::generator();
        let mut level: Vec<AffinePair<C>> = bases
            .chunks(2)
            .map(|pair| {
                let [a, b] = [pair.first(), pair.get(1)].map(|point| match point {
                    Some(point) if !point.is_identity() => *point,
                    _ => generator,
                });
                AffinePair::new(&a, &b)
            })
            .collect();
        let mut scratch = Vec::new();
        for _ in 1..windows {
            for _ in 0..bits {
                double_all(&mut level, &mut scratch);
            }
            for (i, base) in bases.iter().enumerate() {
                let multiple = if base.is_identity() {
                    Affine::IDENTITY
                } else {
                    level[i / 2].get(i % 2)
                };
                table.push(multiple);
            }
        }
        Self::from_table(bits, bases.len(), table)
    }

    fn from_table(bits: u32, bases: usize, table: Vec<Affine<C>>) -> Self {
        let identities = (0..bases as u32)
            .filter(|i| is_stored_identity(&table[*i as usize]))
            .collect();
        Self {
            bits,
            bases,
            table,
            identities,
        }
    }

    /// Bases in the tables.
    pub fn len(&self) -> usize {
        self.bases
    }

    /// Whether there are no bases.
    pub fn is_empty(&self) -> bool {
        self.bases == 0
    }

    /// The bases themselves.
    pub fn bases(&self) -> &[Affine<C>] {
        self.table.get(..self.bases).unwrap_or(&[])
    }

    /// The tables of these bases and `more` behind them; what is known of these is not computed again.
    pub fn extended(&self, more: &[Affine<C>]) -> Self {
        let added = Self::build_with(more, self.bits);
        let mut table = Vec::with_capacity(self.table.len() + added.table.len());
        for window in 0..windows_of(self.bits) {
            for (bases, points) in [(self.bases, &self.table), (added.bases, &added.table)] {
                table.extend_from_slice(&points[window * bases..(window + 1) * bases]);
            }
        }
        Self::from_table(self.bits, self.bases + added.bases, table)
    }

    /// The stored form: a header and the points, the same bytes however the points were computed. It holds no check
    /// sum: whoever stores it must pin its hash.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + POINT_BYTES * self.table.len());
        for word in [VERSION, self.bits, self.bases as u32] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        for coordinate in self.table.iter().flat_map(|point| [&point.x, &point.y]) {
            for limb in coordinate.load().canonical() {
                bytes.extend_from_slice(&limb.to_le_bytes());
            }
        }
        bytes
    }

    /// Reads the stored form; none for another version or length. The points are taken as they are.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (header, points) = bytes.split_at_checked(HEADER)?;
        let word = |at: usize| -> Option<u32> {
            Some(u32::from_le_bytes(header.get(at..at + 4)?.try_into().ok()?))
        };
        let (version, bits, bases) = (word(0)?, word(4)?, word(8)? as usize);
        if version != VERSION || !(8..=16).contains(&bits) || bases > MAX_BASES {
            return None;
        }
        if points.len() != POINT_BYTES * windows_of(bits) * bases {
            return None;
        }
        let read = |bytes: &[u8]| -> [u32; LIMBS] {
            let mut limbs = [0; LIMBS];
            for (limb, four) in limbs.iter_mut().zip(bytes.as_chunks::<4>().0) {
                *limb = u32::from_le_bytes(*four);
            }
            limbs
        };
        let table = points
            .as_chunks::<POINT_BYTES>()
            .0
            .iter()
            .map(|point| {
                let (x, y) = point.split_at(POINT_BYTES / 2);
                Affine {
                    x: Single::from_limbs(read(x)),
                    y: Single::from_limbs(read(y)),
                }
            })
            .collect();
        Some(Self::from_table(bits, bases, table))
    }

    /// Σ scalar·base. Scalars are canonical little-endian words; missing ones count as zero, surplus ones are ignored.
    pub fn msm(&self, scalars: &[[u64; 4]]) -> Point<C> {
        let sorted = self.sort(scalars, 1, |_| 0);
        self.sums(sorted, 1).pop().unwrap_or_else(Point::identity)
    }

    /// Two sums over one pass: scalar i belongs to sum 1 where `second(i)` holds, else to sum 0.
    pub fn msm_split(&self, scalars: &[[u64; 4]], second: impl Fn(usize) -> bool) -> [Point<C>; 2] {
        let sorted = self.sort(scalars, 2, |i| usize::from(second(i)));
        let mut sums = self.sums(sorted, 2).into_iter();
        core::array::from_fn(|_| sums.next().unwrap_or_else(Point::identity))
    }

    /// Nonzero digits of the scalars, about: what a sum over them costs.
    fn additions(&self, scalars: &[[u64; 4]]) -> u32 {
        scalars
            .iter()
            .map(|scalar| nonzero_windows(&balance::<C::Scalar>(scalar).0, self.bits))
            .sum()
    }

    /// Buckets of one sum: digits 1..=2^(bits − 1).
    fn buckets(&self) -> usize {
        1 << (self.bits - 1)
    }

    /// Digits of all scalars by counting sort. `part` tells the sum that a scalar belongs to.
    fn sort(&self, scalars: &[[u64; 4]], parts: usize, part: impl Fn(usize) -> usize) -> Sorted {
        let scalars = &scalars[..scalars.len().min(self.bases)];
        let windows = windows_of(self.bits);
        let mut digits = vec![0i32; windows * scalars.len()];
        let mut bounds = vec![0u32; parts * self.buckets() + 1];
        for (i, (scalar, digits)) in scalars
            .iter()
            .zip(digits.chunks_exact_mut(windows))
            .enumerate()
        {
            if *scalar == [0; 4]
                || (!self.identities.is_empty() && self.identities.contains(&(i as u32)))
            {
                continue;
            }
            let (scalar, negated) = balance::<C::Scalar>(scalar);
            recode(&scalar, self.bits, digits);
            if negated {
                digits.iter_mut().for_each(|digit| *digit = -*digit);
            }
            let first = part(i) * self.buckets();
            for digit in digits.iter().filter(|digit| **digit != 0) {
                bounds[first + digit.unsigned_abs() as usize] += 1;
            }
        }
        // bounds[b] becomes the end of bucket b − 1, …
        let mut total = 0;
        for bound in &mut bounds {
            total += *bound;
            *bound = total;
        }
        let mut terms = vec![0; total as usize];
        for (i, digits) in digits.chunks_exact(windows).enumerate() {
            let first = part(i) * self.buckets();
            for (w, digit) in digits.iter().enumerate().filter(|(_, digit)| **digit != 0) {
                // … and, filled from its end, the start of bucket b.
                let place = &mut bounds[first + digit.unsigned_abs() as usize];
                *place -= 1;
                terms[*place as usize] = 2 * (w * self.bases + i) as u32 + u32::from(*digit < 0);
            }
        }
        clear(&mut digits);
        // Bucket b now starts at bounds[b]; what is wanted is one list per bucket from 1 on.
        bounds.remove(0);
        bounds.push(total);
        Sorted { terms, bounds }
    }

    fn sums(&self, mut sorted: Sorted, parts: usize) -> Vec<Point<C>> {
        if sorted.terms.is_empty() {
            return vec![Point::identity(); parts];
        }
        let mut adder = BatchAdder::default();
        let buckets = sum_lists(&self.table, &sorted.terms, &sorted.bounds, &mut adder);
        clear(&mut sorted.terms);
        weighted_sums(&buckets, self.buckets(), &mut adder)
    }
}

/// Windows that hold a scalar and its sign.
pub(crate) fn windows_of(bits: u32) -> usize {
    SCALAR_BITS.div_ceil(bits) as usize
}

/// Overwrites what was made of secret scalars.
fn clear<T: Copy + Default>(values: &mut [T]) {
    values.fill(T::default());
    // Without a reader the compiler could leave the writes out.
    core::hint::black_box(values);
}

/// Windows up to the highest bit.
fn nonzero_windows(scalar: &[u64; 4], bits: u32) -> u32 {
    let zeros = scalar.iter().rev().scan(true, |above, word| {
        let zeros = if *above { word.leading_zeros() } else { 0 };
        *above &= *word == 0;
        Some(zeros)
    });
    (SCALAR_BITS - zeros.sum::<u32>()).div_ceil(bits)
}

/// The tables of a list of bases G and of its prefix sums P_i = G₀ + … + G_i, for columns made of runs of equal
/// values: Σ s_i G_i = Σ (s_i − s_{i+1}) P_i, where a run costs one term.
pub struct SortedBases<C: Curve> {
    prefixes: FixedBases<C>,
}

impl<C: Curve> SortedBases<C> {
    /// Builds the tables of the prefix sums.
    pub fn build(bases: &[Affine<C>]) -> Self {
        let mut sum = Point::identity();
        let sums: Vec<Point<C>> = bases
            .iter()
            .map(|base| {
                sum = sum.add_affine(base);
                sum
            })
            .collect();
        Self {
            prefixes: FixedBases::build(&crate::curve::normalize(&sums)),
        }
    }

    /// The tables of the prefix sums, for [`SortedBases::from_prefixes`] of another start.
    pub fn prefixes(&self) -> &FixedBases<C> {
        &self.prefixes
    }

    /// From the tables that [`SortedBases::prefixes`] gave.
    pub fn from_prefixes(prefixes: FixedBases<C>) -> Self {
        Self { prefixes }
    }

    /// Σ scalar·base over `bases` (those that this was built from), by whichever table needs fewer additions.
    pub fn msm(&self, bases: &FixedBases<C>, scalars: &[[u64; 4]]) -> Point<C> {
        let scalars = &scalars[..scalars.len().min(self.prefixes.len())];
        let steps: Vec<[u64; 4]> = (0..scalars.len())
            .map(|i| step::<C::Scalar>(&scalars[i], scalars.get(i + 1).unwrap_or(&[0; 4])))
            .collect();
        if self.prefixes.additions(&steps) < bases.additions(scalars) {
            self.prefixes.msm(&steps)
        } else {
            bases.msm(scalars)
        }
    }
}

/// a − b modulo the order.
fn step<M: Modulus>(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (difference, borrow) = subtract(a, b);
    if borrow {
        add(&difference, &M::WORDS)
    } else {
        difference
    }
}
