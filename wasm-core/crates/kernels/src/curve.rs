//! Elliptic curve arithmetic on the two Pasta curves y² = x³ + 5: affine and Jacobian points, encodings.
//!
//! Everything here is variable time.

pub mod abscissas;
pub mod affine_batch;
pub mod ladder;
pub(crate) mod lane_sums;
pub mod lattice;
pub mod point_pairs;

use core::marker::PhantomData;

use crate::curve::affine_batch::invert_all;
use crate::curve::lattice::Lattice;
use crate::field::element::Element;
use crate::field::sqrt::{SquareRoots, sqrt, sqrt_pair};
use crate::field::stored::{Pair, Single};
use crate::lanes::lane::One;
use crate::lanes::modulus::{LIMBS, Modulus, PallasBase, PallasScalar};

/// A curve of the cycle: its fields and its endomorphism (x, y) ↦ (ζx, y) = λ·(x, y).
pub trait Curve: Copy + Clone + core::fmt::Debug + PartialEq + Eq + Send + Sync + 'static {
    /// Field of the coordinates.
    type Base: SquareRoots;
    /// Field of the scalars: its modulus is the number of points.
    type Scalar: Modulus;
    /// ζ, a cube root of one in the base field, in Montgomery form.
    const ZETA: [u32; LIMBS];
    /// λ, the cube root of one in the scalar field that belongs to ζ, in little-endian words.
    const LAMBDA: [u64; 4];
    /// Short vectors (a, b) with a + b·λ = 0.
    const LATTICE: Lattice;
}

/// Pallas: coordinates in [`PallasBase`], scalars in [`PallasScalar`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pallas;

/// Vesta: coordinates in [`PallasScalar`], scalars in [`PallasBase`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Vesta;

impl Curve for Pallas {
    type Base = PallasBase;
    type Scalar = PallasScalar;
    const ZETA: [u32; LIMBS] = [
        0x0cbd58eb, 0x1a2f8f16, 0x0d140efa, 0x007bdfb9, 0x1333ecad, 0x0a33785b, 0x04eacc49,
        0x09617a1e, 0x0004ff6c,
    ];
    const LAMBDA: [u64; 4] = [
        0x619d1840af55f1b1,
        0x1259527ec1d4752e,
        0xaee24b27e308f0a6,
        0x397e65a7d7c1ad71,
    ];
    const LATTICE: Lattice = Lattice {
        g1: [0xff2b871c00000003, 0x279a745903c12455, 1],
        g2: [0x32c49e4bffffffff, 0x279a745902a2654e, 1],
        n11: 0x93cd3a2c8198e2690c7c095a00000001,
        n12: 0x49e69d1640a899538cb1279300000000,
        n21: 0x49e69d1640a899538cb1279300000000,
        n22: 0x49e69d1640f049157fcae1c700000001,
    };
}

impl Curve for Vesta {
    type Base = PallasScalar;
    type Scalar = PallasBase;
    const ZETA: [u32; LIMBS] = [
        0x02222437, 0x00286338, 0x1ad2e167, 0x0c255d0e, 0x16526d7e, 0x1fb135b2, 0x0801613a,
        0x0220916c, 0x0003a53f,
    ];
    const LAMBDA: [u64; 4] = [
        0x1dad5ebdfdfe4ab9,
        0x1d1f8bd237ad3149,
        0x2caad5dc57aab1b0,
        0x12ccca834acdba71,
    ];
    const LATTICE: Lattice = Lattice {
        g1: [0x32c49e4c00000003, 0x279a745902a2654e, 1],
        g2: [0x31f0256800000002, 0x4f34e8b2066389a4, 2],
        n11: 0x49e69d1640a899538cb1279300000001,
        n12: 0x93cd3a2c8198e2690c7c095a00000001,
        n21: 0x49e69d1640f049157fcae1c700000000,
        n22: 0x49e69d1640a899538cb1279300000001,
    };
}

type Register<C> = Element<<C as Curve>::Base, One>;

/// A point of prime order by its coordinates; the identity is (0, 0), which is not on the curve.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Affine<C: Curve> {
    /// x.
    pub x: Single<C::Base>,
    /// y.
    pub y: Single<C::Base>,
}

/// A point in Jacobian coordinates (X/Z², Y/Z³); Z = 0 is the identity. Every operation is complete.
#[derive(Copy, Clone, Debug)]
pub struct Point<C: Curve> {
    x: Single<C::Base>,
    y: Single<C::Base>,
    z: Single<C::Base>,
    curve: PhantomData<C>,
}

/// The constant of the curve equation in Montgomery form.
fn five<M: Modulus>() -> Single<M> {
    Single::from_u64(5)
}

impl<C: Curve> Affine<C> {
    /// The neutral element.
    pub const IDENTITY: Self = Self {
        x: Single::ZERO,
        y: Single::ZERO,
    };

    /// The generator (−1, 2) that upstream uses as well.
    pub fn generator() -> Self {
        Self {
            x: Single::ONE.neg(),
            y: Single::from_u64(2),
        }
    }

    /// Whether this is the neutral element.
    #[inline]
    pub fn is_identity(&self) -> bool {
        self.x.is_zero() && self.y.is_zero()
    }

    /// Whether the coordinates satisfy the curve equation, or are those of the identity.
    pub fn is_valid(&self) -> bool {
        self.is_identity() || self.y.square() == y_squared(&self.x)
    }

    /// The opposite point.
    #[inline]
    pub fn neg(&self) -> Self {
        if self.is_identity() {
            *self
        } else {
            Self {
                x: self.x,
                y: self.y.neg(),
            }
        }
    }

    /// λ times the point, by one product.
    #[inline]
    pub fn endomorphism(&self) -> Self {
        Self {
            x: self.x.mul(&Single::from_limbs(C::ZETA)),
            y: self.y,
        }
    }

    /// From the 32-byte encoding: x little-endian, the top bit tells whether y is odd; all zeros is the identity.
    /// None for an x that is not canonical or not on the curve.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        let (x, odd) = split_encoding(bytes)?;
        if x.is_zero() && odd == 0 {
            return Some(Self::IDENTITY);
        }
        Some(Self {
            x,
            y: with_parity(&sqrt(&y_squared(&x))?, odd),
        })
    }

    /// The points of a list of encodings, each none if it is not valid; two square roots at a time.
    pub fn decompress_each(encodings: &[[u8; 32]]) -> Vec<Option<Self>> {
        let mut points = Vec::with_capacity(encodings.len());
        for pair in encodings.chunks(2) {
            let parts: [_; 2] = core::array::from_fn(|i| pair.get(i).and_then(split_encoding));
            let [first, second] =
                parts.map(|part| part.map_or(Single::ONE, |(x, _)| y_squared(&x)));
            let (roots, are_roots) = sqrt_pair(&Pair::new(&first, &second));
            for (lane, part) in parts.iter().enumerate().take(pair.len()) {
                points.push(part.and_then(|(x, odd)| {
                    match (x.is_zero() && odd == 0, are_roots[lane]) {
                        (true, _) => Some(Self::IDENTITY),
                        (false, true) => Some(Self {
                            x,
                            y: with_parity(&roots.get(lane), odd),
                        }),
                        (false, false) => None,
                    }
                }));
            }
        }
        points
    }

    /// All points of a list of encodings, or none if one is not valid.
    pub fn decompress_batch(encodings: &[[u8; 32]]) -> Option<Vec<Self>> {
        Self::decompress_each(encodings).into_iter().collect()
    }

    /// The 32-byte encoding.
    pub fn to_bytes(&self) -> [u8; 32] {
        let mut bytes = self.x.to_bytes();
        bytes[31] |= (self.y.to_limbs()[0] as u8 & 1) << 7;
        bytes
    }

    /// The same point in Jacobian coordinates.
    #[inline]
    pub fn to_point(&self) -> Point<C> {
        if self.is_identity() {
            return Point::identity();
        }
        Point {
            x: self.x,
            y: self.y,
            z: Single::ONE,
            curve: PhantomData,
        }
    }
}

/// The abscissa and the parity of the ordinate; none for an abscissa that is not canonical.
pub(crate) fn split_encoding<M: Modulus>(bytes: &[u8; 32]) -> Option<(Single<M>, u8)> {
    let mut plain = *bytes;
    let odd = plain[31] >> 7;
    plain[31] &= 0x7f;
    Some((Single::from_bytes(&plain)?, odd))
}

/// x³ + 5.
fn y_squared<M: Modulus>(x: &Single<M>) -> Single<M> {
    x.square().mul(x).add(&five())
}

/// y or its opposite, whichever has the wanted low bit.
fn with_parity<M: Modulus>(y: &Single<M>, odd: u8) -> Single<M> {
    if y.to_limbs()[0] as u8 & 1 == odd {
        *y
    } else {
        y.neg()
    }
}

impl<C: Curve> Point<C> {
    /// The neutral element.
    pub fn identity() -> Self {
        Self {
            x: Single::ONE,
            y: Single::ONE,
            z: Single::ZERO,
            curve: PhantomData,
        }
    }

    /// Whether this is the neutral element.
    #[inline]
    pub fn is_identity(&self) -> bool {
        self.z.is_zero()
    }

    /// The point of these coordinates, which must be one of the curve.
    pub(crate) fn from_coordinates(
        x: Single<C::Base>,
        y: Single<C::Base>,
        z: Single<C::Base>,
    ) -> Self {
        Self {
            x,
            y,
            z,
            curve: PhantomData,
        }
    }

    fn from_registers(x: &Register<C>, y: &Register<C>, z: &Register<C>) -> Self {
        Self {
            x: Single::from_element(x),
            y: Single::from_element(y),
            z: Single::from_element(z),
            curve: PhantomData,
        }
    }

    /// The opposite point.
    #[inline]
    pub fn neg(&self) -> Self {
        Self {
            y: self.y.neg(),
            ..*self
        }
    }

    /// λ times the point, by one product.
    #[inline]
    pub fn endomorphism(&self) -> Self {
        Self {
            x: self.x.mul(&Single::from_limbs(C::ZETA)),
            ..*self
        }
    }

    /// Twice the point. No point of order two exists, so only the identity has a zero result.
    #[inline(never)]
    pub fn double(&self) -> Self {
        let (x, y, z) = (self.x.load(), self.y.load(), self.z.load());
        let y_squared = y.square();
        let s = x.mul(&y_squared);
        let two_s = s.add(&s);
        let four_s = two_s.add(&two_s);
        let x_squared = x.square();
        let slope = x_squared.add(&x_squared).add(&x_squared).carry();
        let eight_s = four_s.add(&four_s).tighten();
        let new_x = slope.square().sub(&eight_s).tighten();
        let fourth = y_squared.square();
        let two_fourth = fourth.add(&fourth);
        let four_fourth = two_fourth.add(&two_fourth);
        let eight_fourth = four_fourth.add(&four_fourth).tighten();
        // Values: slope < 4.5 m, 4S − X < 6 m + 4 m, product < 45 m².
        let new_y = slope
            .mul(&four_s.sub(&new_x).carry())
            .sub(&eight_fourth)
            .tighten();
        let new_z = y.add(&y).mul(&z);
        Self::from_registers(&new_x, &new_y, &new_z)
    }

    /// The tail shared by both additions: u = x₁, s = y₁ on the common denominator; h, r the differences, z = Z₁Z₂.
    #[inline(always)]
    fn finish_sum(
        u: &Register<C>,
        s: &Register<C>,
        h: &Register<C>,
        r: &Register<C>,
        z: &Register<C>,
    ) -> Self {
        let h_squared = h.square();
        let h_cubed = h_squared.mul(h);
        let v = u.mul(&h_squared);
        let two_v = v.add(&v);
        let new_x = r.square().sub(&h_cubed).sub_sum(&two_v).tighten();
        let new_y = r.mul(&v.sub(&new_x)).sub(&s.mul(&h_cubed)).tighten();
        Self::from_registers(&new_x, &new_y, &z.mul(h))
    }

    /// Sum of any two points.
    #[inline(never)]
    pub fn add(&self, other: &Self) -> Self {
        if self.is_identity() {
            return *other;
        }
        if other.is_identity() {
            return *self;
        }
        let (z1, z2) = (self.z.load(), other.z.load());
        let (z1_squared, z2_squared) = (z1.square(), z2.square());
        let u1 = self.x.load().mul(&z2_squared);
        let u2 = other.x.load().mul(&z1_squared);
        let s1 = self.y.load().mul(&z2_squared).mul(&z2);
        let s2 = other.y.load().mul(&z1_squared).mul(&z1);
        let h = u2.sub(&u1).tighten();
        let r = s2.sub(&s1).tighten();
        if h.canonical() == [0; LIMBS] {
            return if r.canonical() == [0; LIMBS] {
                self.double()
            } else {
                Self::identity()
            };
        }
        Self::finish_sum(&u1, &s1, &h, &r, &z1.mul(&z2))
    }

    /// Sum with any affine point.
    #[inline(never)]
    pub fn add_affine(&self, other: &Affine<C>) -> Self {
        if self.is_identity() {
            return other.to_point();
        }
        if other.is_identity() {
            return *self;
        }
        let z1 = self.z.load();
        let z1_squared = z1.square();
        let u2 = other.x.load().mul(&z1_squared);
        let s2 = other.y.load().mul(&z1_squared).mul(&z1);
        let (u1, s1) = (self.x.load(), self.y.load());
        let h = u2.sub(&u1).tighten();
        let r = s2.sub(&s1).tighten();
        if h.canonical() == [0; LIMBS] {
            return if r.canonical() == [0; LIMBS] {
                self.double()
            } else {
                Self::identity()
            };
        }
        Self::finish_sum(&u1, &s1, &h, &r, &z1)
    }

    /// The multiple by an integer below 2²⁵⁶ (little-endian words): signed windows of four bits.
    #[inline(never)]
    pub fn mul(&self, scalar: &[u64; 4]) -> Self {
        let mut multiples = [*self; 8];
        for i in 1..8 {
            multiples[i] = if i % 2 == 1 {
                multiples[i / 2].double()
            } else {
                multiples[i - 1].add(self)
            };
        }
        let mut digits = [0i8; 65];
        let mut carry = 0i8;
        for (i, digit) in digits.iter_mut().enumerate() {
            let nibble = if i < 64 {
                (scalar[i / 16] >> (4 * (i % 16))) as i8 & 15
            } else {
                0
            } + carry;
            carry = i8::from(nibble > 8);
            *digit = nibble - 16 * carry;
        }
        let mut sum = Self::identity();
        for digit in digits.iter().rev() {
            for _ in 0..4 {
                sum = sum.double();
            }
            if *digit != 0 {
                let multiple = &multiples[usize::from(digit.unsigned_abs()) - 1];
                sum = sum.add(&if *digit < 0 {
                    multiple.neg()
                } else {
                    *multiple
                });
            }
        }
        sum
    }

    /// The coordinates; one inversion.
    #[inline(never)]
    pub fn to_affine(&self) -> Affine<C> {
        self.scaled(&self.z.invert())
    }

    /// The coordinates, given the inverse of Z.
    #[inline(never)]
    fn scaled(&self, z_inverse: &Single<C::Base>) -> Affine<C> {
        let squared = z_inverse.square();
        Affine {
            x: self.x.mul(&squared),
            y: self.y.mul(&squared.mul(z_inverse)),
        }
    }
}

impl<C: Curve> PartialEq for Point<C> {
    /// Equality of points, not of coordinates.
    fn eq(&self, other: &Self) -> bool {
        self.add(&other.neg()).is_identity()
    }
}

impl<C: Curve> Eq for Point<C> {}

/// The affine form of many points with one inversion.
pub fn normalize<C: Curve>(points: &[Point<C>]) -> Vec<Affine<C>> {
    let mut inverses: Vec<Single<C::Base>> = points.iter().map(|point| point.z).collect();
    invert_all(&mut inverses);
    points
        .iter()
        .zip(&inverses)
        .map(|(point, inverse)| point.scaled(inverse))
        .collect()
}
