//! Scalar multiplication of many points of Pallas by the same scalar: what trial decryption spends its time on.
//!
//! The scalar is split once along the endomorphism into an Eisenstein integer κ = a + bω with |a|, |b| < 2¹²⁷, where
//! ω acts as (x, y) ↦ (ζx, y) (Gallant, Lambert, Vanstone). κ is written with one digit per bit: zero, or one of
//! six units times one of eight representatives of the odd classes modulo 8. Two zeros follow every other digit, so
//! about 38 of 128 digits are not zero. All points then walk the same digits in lockstep.
//!
//! Time and table look-ups depend on the scalar: this machine's own caches see it, the network does not.

use std::sync::LazyLock;

use crate::curve::point_pairs::{Coincidence, Coordinates, Lockstep, PointPair, Turn};
use crate::curve::{Affine, Pallas};
use crate::field::stored::{Pair, Single};
use crate::lanes::modulus::PallasBase;

/// Representatives a + bω of the odd classes modulo 8 up to units, each of least norm.
const REPRESENTATIVES: [[i8; 2]; CLASSES] = [
    [1, 0],
    [2, 1],
    [3, 0],
    [3, 1],
    [3, 2],
    [4, 1],
    [4, 3],
    [5, 2],
];
const CLASSES: usize = 8;
/// Digits of the longest scalar: one per bit of a half, and one for the carry.
const MAX_DIGITS: usize = 130;
/// Points that walk together: enough that the shared inversions cost little, few enough to stay in the second cache.
const BLOCK: usize = 512;

/// ζ in little-endian words.
const ZETA: [u64; 4] = [
    0x1dad5ebdfdfe4ab9,
    0x1d1f8bd237ad3149,
    0x2caad5dc57aab1b0,
    0x12ccca834acdba71,
];

/// A short basis ((A₁, −B₁), (A₂, B₂)) of the pairs (a, b) with a + bλ = 0 modulo the group order; A₂ = B₁.
const A1: u128 = 0x49e69d1640f049157fcae1c700000001;
const B1: u128 = 0x49e69d1640a899538cb1279300000000;
const B2: u128 = 0x93cd3a2c8198e2690c7c095a00000001;
/// The group order n.
const ORDER: [u64; 4] = [
    0x8c46eb2100000001,
    0x224698fc0994a8dd,
    0,
    0x4000000000000000,
];

/// One digit: a representative times a unit (−1)^negative · ω^turns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Digit {
    class: u8,
    turns: u8,
    negative: bool,
}

/// The digit one.
const ONE: Digit = Digit {
    class: 0,
    turns: 0,
    negative: false,
};

/// A scalar, ready to multiply any number of points. Overwritten when dropped.
#[derive(Debug)]
pub struct Digits {
    /// Lowest first; the last is not zero.
    digits: Vec<Option<Digit>>,
}

/// One of the eight multiples of two points.
#[derive(Copy, Clone, Debug)]
struct Multiple {
    point: PointPair,
    /// ζ·x.
    turned: Pair<PallasBase>,
}

/// The eight multiples of many points, for any number of scalars.
#[derive(Debug)]
pub struct Multiples {
    /// At most [`BLOCK`] points each.
    blocks: Vec<Block>,
}

/// Points that walk together.
#[derive(Debug)]
struct Block {
    count: usize,
    /// One list of pairs per representative.
    multiples: [Vec<Multiple>; CLASSES],
}

impl Digits {
    /// Splits and recodes a scalar below the group order (little-endian words); none for zero.
    pub fn new(scalar: &[u64; 4]) -> Option<Self> {
        let [mut a, mut b] = split(scalar);
        let mut digits = Vec::with_capacity(MAX_DIGITS);
        while a != 0 || b != 0 {
            let digit = DIGIT_OF_RESIDUE[residue(a, b)];
            if let Some(digit) = digit {
                let [x, y] = value(&digit);
                a -= i128::from(x);
                b -= i128::from(y);
            }
            digits.push(digit);
            a >>= 1;
            b >>= 1;
        }
        (!digits.is_empty()).then_some(Self { digits })
    }

    /// As [`Digits::new`], of the 32 little-endian bytes of a scalar.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        let mut scalar = [0; 4];
        for (word, chunk) in scalar.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*chunk);
        }
        let digits = Self::new(&scalar);
        scalar.fill(0);
        core::hint::black_box(&mut scalar);
        digits
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.digits.fill(None);
        core::hint::black_box(&mut self.digits);
    }
}

impl Multiples {
    /// Builds the tables of points that are not the identity.
    ///
    /// Fails when a multiple that is used as a difference is zero, which no point of prime order allows.
    pub fn new(points: &[Affine<Pallas>]) -> Result<Self, Coincidence> {
        let mut memory = Lockstep::new();
        // Blocks of about the same size: a small last one would pay for its inversions alone.
        let size = points.len().div_ceil(points.len().div_ceil(BLOCK).max(1));
        let blocks = points.chunks(size.max(1)).map(|points| {
            let multiples = build_block(points, &mut memory)?;
            Ok(Block {
                count: points.len(),
                multiples,
            })
        });
        Ok(Self {
            blocks: blocks.collect::<Result<_, _>>()?,
        })
    }

    /// How many scalars fill a walk: with few points the inversions of one scalar alone cost most of its time.
    pub fn scalars_at_once(&self) -> usize {
        let points = self.blocks.iter().map(|block| block.count).max();
        // A pair that is half empty costs as much as a full one.
        (BLOCK / points.unwrap_or(0).next_multiple_of(2).max(1)).max(1)
    }

    /// Each of the scalars times each point, in order: one list per scalar. The scalars share the inversions of a round, so
    /// [`Multiples::scalars_at_once`] of them are walked together in a fraction of the time that they take one by one.
    ///
    /// Fails as [`Multiples::times`], for all when it would for one.
    pub fn times_together(
        &self,
        scalars: &[&Digits],
    ) -> Result<Vec<Vec<Affine<Pallas>>>, Coincidence> {
        if let [scalar] = scalars {
            return Ok(vec![self.times(scalar)?]);
        }
        let mut memory = Lockstep::new();
        let count = self.blocks.iter().map(|block| block.count).sum();
        let mut products: Vec<_> = scalars.iter().map(|_| Vec::with_capacity(count)).collect();
        for block in &self.blocks {
            let width = block.count.div_ceil(2);
            let mut pairs = walk_together(&block.multiples, scalars, &mut memory)?;
            for (own, products) in pairs.chunks(width.max(1)).zip(&mut products) {
                let points = own.iter().flat_map(|pair| [pair.get(0), pair.get(1)]);
                products.extend(points.take(block.count));
            }
            erase(&mut pairs);
        }
        memory.clear();
        Ok(products)
    }

    /// The scalar times each point, in order.
    ///
    /// Fails only for scalars one in about 2¹²⁵ of which exist, those whose leading digits are a multiple of the order
    /// away from a digit; the caller multiplies in another way then.
    pub fn times(&self, scalar: &Digits) -> Result<Vec<Affine<Pallas>>, Coincidence> {
        let mut memory = Lockstep::new();
        // One allocation: growing would leave copies behind.
        let count = self.blocks.iter().map(|block| block.count).sum();
        let mut products = Vec::with_capacity(count);
        for block in &self.blocks {
            let mut pairs = walk(&block.multiples, scalar, &mut memory)?;
            let points = pairs.iter().flat_map(|pair| [pair.get(0), pair.get(1)]);
            products.extend(points.take(block.count));
            erase(&mut pairs);
        }
        memory.clear();
        Ok(products)
    }
}

/// The points in pairs; an odd last one fills both lanes.
fn build_block(
    points: &[Affine<Pallas>],
    memory: &mut Lockstep,
) -> Result<[Vec<Multiple>; CLASSES], Coincidence> {
    let pairs: Vec<PointPair> = points.chunks(2).map(PointPair::of).collect();
    let mut double = pairs.clone();
    memory.double(&mut double)?;
    multiples(double, with_turned(pairs), memory)
}

/// The eight multiples from the points and their doubles.
fn multiples(
    double: Vec<PointPair>,
    one: Vec<Multiple>,
    memory: &mut Lockstep,
) -> Result<[Vec<Multiple>; CLASSES], Coincidence> {
    let plus_one = |from: &[PointPair], memory: &mut Lockstep| {
        let mut sums = from.to_vec();
        memory.add(
            &mut sums,
            |i| one[i].point.x.load(),
            |i| one[i].point.y.load(),
            false,
        )?;
        Ok(sums)
    };
    // 1 + ω = −ω².
    let plus_one_turn = |from: &[PointPair], memory: &mut Lockstep| {
        let mut sums = from.to_vec();
        memory.add(
            &mut sums,
            |i| second_turn(&one[i]),
            |i| one[i].point.y.load(),
            true,
        )?;
        Ok(sums)
    };
    let three = plus_one(&double, memory)?;
    let mut two_one = double.clone();
    memory.add(
        &mut two_one,
        |i| one[i].turned.load(),
        |i| one[i].point.y.load(),
        false,
    )?;
    let three_one = plus_one(&two_one, memory)?;
    let three_two = plus_one_turn(&two_one, memory)?;
    let four_one = plus_one(&three_one, memory)?;
    let four_three = plus_one_turn(&three_two, memory)?;
    let mut five_two = three_two.clone();
    memory.add(
        &mut five_two,
        |i| double[i].x.load(),
        |i| double[i].y.load(),
        false,
    )?;
    let rest = [
        two_one, three, three_one, three_two, four_one, four_three, five_two,
    ];
    let [a, b, c, d, e, f, g] = rest.map(with_turned);
    Ok([one, a, b, c, d, e, f, g])
}

fn with_turned(pairs: Vec<PointPair>) -> Vec<Multiple> {
    let zeta = Single::from_words(&ZETA);
    let zeta = Pair::new(&zeta, &zeta).load();
    let with = |point: PointPair| Multiple {
        point,
        turned: Pair::from_element(&point.x.load().mul(&zeta)),
    };
    pairs.into_iter().map(with).collect()
}

/// ζ²·x = −(x + ζx).
#[inline(always)]
fn second_turn(multiple: &Multiple) -> Coordinates {
    Coordinates::zero()
        .sub_sum(&multiple.point.x.load().add(&multiple.turned.load()))
        .tighten()
}

#[inline(always)]
fn turned_x(multiple: &Multiple, turns: u8) -> Coordinates {
    match turns {
        0 => multiple.point.x.load(),
        1 => multiple.turned.load(),
        _ => second_turn(multiple),
    }
}

fn erase(pairs: &mut [PointPair]) {
    pairs.fill(PointPair {
        x: Pair::ZERO,
        y: Pair::ZERO,
    });
    core::hint::black_box(pairs);
}

/// What a digit makes of a point.
fn first_points(
    block: &[Vec<Multiple>; CLASSES],
    digit: &Digit,
) -> impl Iterator<Item = PointPair> {
    block[usize::from(digit.class)].iter().map(|multiple| {
        let y = multiple.point.y.load();
        PointPair {
            x: Pair::from_element(&turned_x(multiple, digit.turns)),
            y: Pair::from_element(&if digit.negative { y.neg().tighten() } else { y }),
        }
    })
}

/// All digits of all scalars from the highest place, for one block: the points of each scalar, one scalar behind the other. A
/// scalar with fewer digits waits until the others have come down to its own.
fn walk_together(
    block: &[Vec<Multiple>; CLASSES],
    scalars: &[&Digits],
    memory: &mut Lockstep,
) -> Result<Vec<PointPair>, Coincidence> {
    let width = block[0].len().max(1);
    let mut points = Vec::with_capacity(width * scalars.len());
    for scalar in scalars {
        let Some(Some(top)) = scalar.digits.last() else {
            return Err(Coincidence);
        };
        points.extend(first_points(block, top));
    }
    let longest = scalars.iter().map(|scalar| scalar.digits.len()).max();
    let mut turns = vec![Turn::Stay; scalars.len()];
    let mut digits = vec![ONE; scalars.len()];
    for place in (0..longest.unwrap_or(1) - 1).rev() {
        for (scalar, (turn, digit)) in scalars.iter().zip(turns.iter_mut().zip(&mut digits)) {
            *turn = match scalar.digits.get(place) {
                Some(_) if place + 1 == scalar.digits.len() => Turn::Stay,
                None => Turn::Stay,
                Some(None) => Turn::Double,
                Some(Some(next)) => {
                    *digit = *next;
                    Turn::DoubleAdd
                }
            };
        }
        let addend = |i: usize| {
            let digit = &digits[i / width];
            (&block[usize::from(digit.class)][i % width], digit)
        };
        memory.double_or_add(
            &mut points,
            |i| turns[i / width],
            |i| {
                let (multiple, digit) = addend(i);
                turned_x(multiple, digit.turns)
            },
            |i| {
                let (multiple, digit) = addend(i);
                (multiple.point.y.load(), digit.negative)
            },
        )?;
    }
    digits.fill(ONE);
    turns.fill(Turn::Stay);
    core::hint::black_box((&mut digits, &mut turns));
    Ok(points)
}

/// All digits from the highest, for one block.
fn walk(
    block: &[Vec<Multiple>; CLASSES],
    scalar: &Digits,
    memory: &mut Lockstep,
) -> Result<Vec<PointPair>, Coincidence> {
    let mut digits = scalar.digits.iter().rev();
    let Some(Some(top)) = digits.next() else {
        return Err(Coincidence);
    };
    let mut points: Vec<PointPair> = first_points(block, top).collect();
    for digit in digits {
        let Some(digit) = digit else {
            memory.double(&mut points)?;
            continue;
        };
        let table = &block[usize::from(digit.class)];
        let turns = digit.turns;
        memory.double_add(
            &mut points,
            |i| turned_x(&table[i], turns),
            |i| table[i].point.y.load(),
            digit.negative,
        )?;
    }
    Ok(points)
}

/// Every odd class modulo 8 as representative times unit; none for the even ones.
static DIGIT_OF_RESIDUE: LazyLock<[Option<Digit>; 64]> = LazyLock::new(|| {
    let mut table = [None; 64];
    for class in 0..CLASSES as u8 {
        for turns in 0..3 {
            for negative in [false, true] {
                let digit = Digit {
                    class,
                    turns,
                    negative,
                };
                let [a, b] = value(&digit);
                table[residue(i128::from(a), i128::from(b))] = Some(digit);
            }
        }
    }
    table
});

fn residue(a: i128, b: i128) -> usize {
    ((a & 7) << 3 | (b & 7)) as usize
}

/// The Eisenstein integer that a digit stands for.
fn value(digit: &Digit) -> [i8; 2] {
    let mut value = REPRESENTATIVES[usize::from(digit.class)];
    for _ in 0..digit.turns {
        // ω(a + bω) = −b + (a − b)ω.
        value = [-value[1], value[0] - value[1]];
    }
    if digit.negative {
        value.map(|part| -part)
    } else {
        value
    }
}

/// a + bλ = scalar with halves below 2¹²⁷: the scalar minus the nearest point of the lattice.
fn split(scalar: &[u64; 4]) -> [i128; 2] {
    // (scalar, 0) = c₁ (A₁, −B₁) + c₂ (A₂, B₂) over the rationals has c₁ = scalar·B₂/n and c₂ = scalar·B₁/n.
    let c1 = rounded_quotient(scalar, B2);
    let c2 = rounded_quotient(scalar, B1);
    // The halves fit in 127 bits and a sign, so the arithmetic may wrap.
    let low = u128::from(scalar[0]) | u128::from(scalar[1]) << 64;
    let a = low
        .wrapping_sub(c1.wrapping_mul(A1))
        .wrapping_sub(c2.wrapping_mul(B1));
    let b = c1.wrapping_mul(B1).wrapping_sub(c2.wrapping_mul(B2));
    [a as i128, b as i128]
}

/// scalar · factor / n, rounded to an integer next to it: bit by bit, as it happens once per key.
fn rounded_quotient(scalar: &[u64; 4], factor: u128) -> u128 {
    let mut remainder = [0u64; 5];
    let mut quotient = 0u128;
    // Horner from the top bit of the factor: r ← 2r + bit·scalar, taking n away while it fits.
    for bit in (0..128).rev() {
        remainder = add_words(&remainder, &remainder);
        quotient = quotient.wrapping_shl(1);
        if factor >> bit & 1 == 1 {
            remainder = add_words(&remainder, &[scalar[0], scalar[1], scalar[2], scalar[3], 0]);
        }
        while let Some(less) = sub_order(&remainder) {
            remainder = less;
            quotient += 1;
        }
    }
    // Nearest: one more when twice the rest reaches n.
    quotient + u128::from(sub_order(&add_words(&remainder, &remainder)).is_some())
}

fn add_words(a: &[u64; 5], b: &[u64; 5]) -> [u64; 5] {
    let mut carry = 0u128;
    core::array::from_fn(|i| {
        carry += u128::from(a[i]) + u128::from(b[i]);
        let word = carry as u64;
        carry >>= 64;
        word
    })
}

/// The number minus n; none when that is negative.
fn sub_order(a: &[u64; 5]) -> Option<[u64; 5]> {
    let mut borrow = false;
    let out = core::array::from_fn(|i| {
        let (less, under) = a[i].overflowing_sub(ORDER.get(i).copied().unwrap_or(0));
        let (less, again) = less.overflowing_sub(u64::from(borrow));
        borrow = under || again;
        less
    });
    (!borrow).then_some(out)
}
