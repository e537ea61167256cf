//! Modular square roots in two lanes: one exponentiation in lockstep, then a discrete logarithm of 32 bits by tables.
//!
//! With m − 1 = 2³²·T and g a generator of the subgroup of order 2³²: x^T = g^e for some e, x is a square if and only
//! if e is even, and then x^((T+1)/2) · g^(−e/2) is a root (Sarkar, "Computing square roots faster than the
//! Tonelli–Shanks/Bernstein algorithm"). e is found a byte at a time.

use std::sync::OnceLock;

use crate::field::element::Element;
use crate::field::stored::{Pair, Single};
use crate::lanes::modulus::{Modulus, PallasBase, PallasScalar};
use crate::lanes::two::Two;

/// A field whose square roots have tables.
pub trait SquareRoots: Modulus {
    /// The tables, made at the first use.
    fn tables() -> &'static RootTables<Self>;
}

impl SquareRoots for PallasBase {
    fn tables() -> &'static RootTables<Self> {
        static TABLES: OnceLock<RootTables<PallasBase>> = OnceLock::new();
        TABLES.get_or_init(RootTables::build)
    }
}

impl SquareRoots for PallasScalar {
    fn tables() -> &'static RootTables<Self> {
        static TABLES: OnceLock<RootTables<PallasScalar>> = OnceLock::new();
        TABLES.get_or_init(RootTables::build)
    }
}

/// Powers of g for one field, about 40 KB.
#[derive(Debug)]
pub struct RootTables<M> {
    /// `inverses[k][i]` = g^(−i·2^(8k)).
    inverses: [Vec<Single<M>>; 4],
    /// The low limbs of g^(i·2²⁴) with i, sorted.
    logarithms: Vec<(u64, u8)>,
    /// (T − 1)/2, as nibbles from the highest.
    exponent: Vec<u8>,
}

impl<M: Modulus> RootTables<M> {
    fn build() -> Self {
        let words = M::WORDS;
        // T = (m − 1) / 2³², and (T − 1)/2 = T >> 1 because T is odd.
        let shift = |by: u32| -> [u64; 4] {
            core::array::from_fn(|i| {
                let low = words[i] >> by;
                if i < 3 {
                    low | (words[i + 1] << (64 - by))
                } else {
                    low
                }
            })
        };
        let (t, half) = (shift(32), shift(33));
        // 5 generates the multiplicative group of both fields.
        let generator = Single::<M>::from_u64(5).pow(&t);
        let mut inverses: [Vec<Single<M>>; 4] = Default::default();
        let mut step = generator.invert();
        for table in &mut inverses {
            let mut power = Single::ONE;
            for _ in 0..256 {
                table.push(power);
                power = power.mul(&step);
            }
            step = power;
        }
        let base = (0..24).fold(generator, |power, _| power.square());
        let mut logarithms = Vec::with_capacity(256);
        let mut power = Single::ONE;
        for i in 0..=255u8 {
            logarithms.push((key(&power), i));
            power = power.mul(&base);
        }
        logarithms.sort_unstable();
        let exponent = half
            .iter()
            .rev()
            .flat_map(|word| (0..16).rev().map(move |i| ((word >> (4 * i)) & 15) as u8))
            .skip_while(|nibble| *nibble == 0)
            .collect();
        Self {
            inverses,
            logarithms,
            exponent,
        }
    }

    /// i for g^(i·2²⁴); 0 for anything else (only zero gets here).
    fn logarithm(&self, power: &Single<M>) -> u32 {
        let at = self
            .logarithms
            .binary_search_by_key(&key(power), |(key, _)| *key);
        at.map_or(0, |at| u32::from(self.logarithms[at].1))
    }
}

/// Distinguishes the 256 powers: the two low limbs of the canonical Montgomery form.
fn key<M: Modulus>(value: &Single<M>) -> u64 {
    let limbs = value.load().canonical();
    u64::from(limbs[0]) | (u64::from(limbs[1]) << 29)
}

/// A square root of both elements and whether each is one: a non-square gives an unspecified element and `false`.
/// The root is x^((T+1)/2) · g^(−e/2) for e in 0..2³²; tables of the circuit rely on that choice. Variable time.
pub fn sqrt_pair<M: SquareRoots>(value: &Pair<M>) -> (Pair<M>, [bool; 2]) {
    let tables = M::tables();
    let x = value.load();
    let w = raise(&x, &tables.exponent);
    let root = x.mul(&w);
    // x^T and its powers by 2⁸, 2¹⁶, 2²⁴.
    let mut powers = [root.mul(&w); 4];
    for k in 1..4 {
        powers[k] = (0..8).fold(powers[k - 1], |power, _| power.square());
    }
    let mut exponents = [0u32; 2];
    for known in 0..4 {
        // powers[3 − known] = g^(e · 2^(8 (3 − known))): take the known low bytes of e away, the next one is left.
        let mut power = powers[3 - known];
        for byte in 0..known {
            power = power.mul(&inverse_powers(
                tables,
                3 - known + byte,
                exponents.map(|e| e >> (8 * byte)),
            ));
        }
        let power = Pair::from_element(&power);
        for (lane, exponent) in exponents.iter_mut().enumerate() {
            *exponent |= tables.logarithm(&power.get(lane)) << (8 * known);
        }
    }
    let root = (0..4).fold(root, |root, k| {
        root.mul(&inverse_powers(
            tables,
            k,
            exponents.map(|e| e >> (1 + 8 * k)),
        ))
    });
    (
        Pair::from_element(&root),
        exponents.map(|exponent| exponent & 1 == 0),
    )
}

/// A square root, if the element is a square. Variable time.
pub fn sqrt<M: SquareRoots>(value: &Single<M>) -> Option<Single<M>> {
    let (root, square) = sqrt_pair(&Pair::new(value, value));
    square[0].then(|| root.get(0))
}

/// g^(−(e mod 256)·2^(8k)) for both lanes.
fn inverse_powers<M: Modulus>(
    tables: &RootTables<M>,
    k: usize,
    exponents: [u32; 2],
) -> Element<M, Two> {
    let [low, high] = exponents.map(|e| &tables.inverses[k][(e & 255) as usize]);
    Pair::new(low, high).load()
}

/// x to a fixed power given in nibbles from the highest.
fn raise<M: Modulus>(x: &Element<M, Two>, exponent: &[u8]) -> Element<M, Two> {
    let mut small = [Element::one(); 16];
    for i in 1..16 {
        small[i] = small[i - 1].mul(x);
    }
    let mut result = Element::one();
    for (i, nibble) in exponent.iter().enumerate() {
        if i > 0 {
            result = result.square().square().square().square();
        }
        if *nibble != 0 {
            result = result.mul(&small[usize::from(*nibble)]);
        }
    }
    result
}
