//! x-only scalar multiplication: the abscissas of one scalar times many points of Pallas that are known by their
//! abscissas alone.
//!
//! An encoded point names x and the parity of y. The parity only decides between a product and its opposite, which have
//! the same abscissa, so it takes no square root to find that. With v = x³ + 5 = y² the isomorphism
//! (x, y) ↦ (y²·x, y³·y) = (v·x, v²) leads to the curve Y² = X³ + 5v³. The formulas of the ladder do not use the
//! constant of the curve, so they hold there as well; dividing an abscissa by v leads back.
//!
//! If v is no square, x belongs to no point of Pallas and the walk takes place on its twist. Its order has small
//! factors (3, 7, 8191 and more), so whoever chooses x can make points meet: then [`Abscissas::of_points`] sorts such
//! x out by their missing roots.

use crate::curve::ladder::{Digits, Multiples};
use crate::curve::point_pairs::Coincidence;
use crate::curve::{Affine, Pallas, split_encoding};
use crate::field::element::Element;
use crate::field::inverse::batch_invert;
use crate::field::stored::{Pair, Single};
use crate::lanes::modulus::PallasBase;
use crate::lanes::two::Two;

type Field = Single<PallasBase>;
type Coordinates = Element<PallasBase, Two>;

/// Many encoded points, ready for any number of scalars.
#[derive(Debug)]
pub struct Abscissas {
    places: Vec<usize>,
    tables: Result<Multiples, Coincidence>,
    /// 1/v of each point, two by two; none where points are as they were encoded.
    inverses: Option<Vec<Pair<PallasBase>>>,
}

impl Abscissas {
    /// Takes encodings without looking for their roots. Left out are the identity and x that are not canonical; what
    /// comes of an x that belongs to no point has no meaning.
    pub fn without_roots(encodings: &[[u8; 32]]) -> Self {
        let known = encodings.iter().enumerate().filter_map(|(place, bytes)| {
            // 5 is no square, so zero is the identity's or nobody's.
            let (x, _) = split_encoding(bytes).filter(|(x, _)| !x.is_zero())?;
            Some((place, x))
        });
        let (places, abscissas): (Vec<usize>, Vec<Field>) = known.unzip();
        let (points, mut inverses) = onto_own_curves(&abscissas);
        batch_invert(&mut inverses);
        Self {
            places,
            tables: Multiples::new(&points),
            inverses: Some(inverses),
        }
    }

    /// Takes encodings of points of Pallas and leaves all others out, which costs a square root each.
    pub fn of_points(encodings: &[[u8; 32]]) -> Self {
        let points = Affine::<Pallas>::decompress_each(encodings);
        let points = points.into_iter().enumerate().filter_map(|(place, point)| {
            Some((place, point.filter(|point| !point.is_identity())?))
        });
        let (places, points): (Vec<usize>, Vec<Affine<Pallas>>) = points.unzip();
        Self {
            places,
            tables: Multiples::new(&points),
            inverses: None,
        }
    }

    /// The places of the points in the list of encodings.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// Whether points met when the tables were made: then there are no products.
    pub fn have_met(&self) -> bool {
        self.tables.is_err()
    }

    /// How many scalars [`Abscissas::times_together`] takes best.
    pub fn scalars_at_once(&self) -> usize {
        self.tables.as_ref().map_or(1, Multiples::scalars_at_once)
    }

    /// The abscissas of the scalar times each point, in the order of [`Abscissas::places`], as 32 bytes whose top bit is
    /// clear. Error: points met on the way.
    pub fn times(&self, scalar: &Digits) -> Result<Vec<[u8; 32]>, Coincidence> {
        let tables = self.tables.as_ref().map_err(|met| *met)?;
        Ok(self.back(tables.times(scalar)?))
    }

    /// As [`Abscissas::times`] for each of the scalars, in less time. Error: points met on the way of one of them.
    pub fn times_together(&self, scalars: &[&Digits]) -> Result<Vec<Vec<[u8; 32]>>, Coincidence> {
        let tables = self.tables.as_ref().map_err(|met| *met)?;
        let products = tables.times_together(scalars)?;
        Ok(products.into_iter().map(|own| self.back(own)).collect())
    }

    /// The abscissas on the curve that the points came from. Overwrites the products.
    fn back(&self, mut products: Vec<Affine<Pallas>>) -> Vec<[u8; 32]> {
        let abscissas = match &self.inverses {
            None => products.iter().map(|point| point.x.to_bytes()).collect(),
            Some(inverses) => products
                .chunks(2)
                .zip(inverses)
                .flat_map(|(pair, inverse)| {
                    let abscissas = Pair::new(&pair[0].x, &pair[pair.len() - 1].x);
                    let scaled = Pair::from_element(&abscissas.load().mul(&inverse.load()));
                    (0..pair.len()).map(move |lane| scaled.get(lane).to_bytes())
                })
                .collect(),
        };
        products.fill(Affine::IDENTITY);
        core::hint::black_box(&mut products);
        abscissas
    }
}

/// The points (v·x, v²) with v = x³ + 5, and each v, two by two; an odd last x fills both lanes.
fn onto_own_curves(abscissas: &[Field]) -> (Vec<Affine<Pallas>>, Vec<Pair<PallasBase>>) {
    let five = Field::from_u64(5);
    let five = Pair::new(&five, &five).load();
    let mut points = Vec::with_capacity(abscissas.len());
    let mut factors = Vec::with_capacity(abscissas.len().div_ceil(2));
    for pair in abscissas.chunks(2) {
        let x: Coordinates = Pair::new(&pair[0], &pair[pair.len() - 1]).load();
        let v = x.square().mul(&x).add(&five).tighten();
        let (scaled, square) = (
            Pair::from_element(&x.mul(&v)),
            Pair::from_element(&v.square()),
        );
        points.extend((0..pair.len()).map(|lane| Affine {
            x: scaled.get(lane),
            y: square.get(lane),
        }));
        factors.push(Pair::from_element(&v));
    }
    (points, factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encodings(count: usize) -> Vec<[u8; 32]> {
        let mut point = Affine::<Pallas>::generator().to_point();
        let encoding = |_| {
            point = point.double().add_affine(&Affine::generator());
            point.to_affine().to_bytes()
        };
        (0..count).map(encoding).collect()
    }

    fn scalar() -> [u64; 4] {
        [
            0x0123456789abcdef,
            0xfedcba9876543210,
            0x0f1e2d3c4b5a6978,
            0x2bcdef0123456789,
        ]
    }

    /// Abscissas of points of the twist with orders 3, 7 and 8191, worked out apart from this code.
    const SMALL_ORDERS: [[u64; 4]; 3] = [
        [
            0xba47649b3c1f7930,
            0xf516fb4a4dc965c4,
            0x39babff77ab6e1be,
            0x0f8e87bfa4ac44d5,
        ],
        [
            0xd588e2ece3ea5714,
            0xc515d0ef898333c5,
            0x8933dee4108be358,
            0x2955e02844587020,
        ],
        [
            0x698429d9c731b0f2,
            0x99e0320ea5086943,
            0x5280673d86432677,
            0x2604567600af0737,
        ],
    ];

    #[test]
    fn the_abscissas_are_those_of_single_multiplications() {
        let digits = Digits::new(&scalar()).unwrap();
        let other = Digits::new(&[77, 5, 0, 0]).unwrap();
        for count in [0, 1, 2, 7, 40] {
            let encodings = encodings(count);
            let expected: Vec<[u8; 32]> = encodings
                .iter()
                .map(|bytes| {
                    let point = Affine::<Pallas>::from_bytes(bytes).unwrap();
                    point.to_point().mul(&scalar()).to_affine().x.to_bytes()
                })
                .collect();
            let all: Vec<usize> = (0..count).collect();
            for points in [
                Abscissas::without_roots(&encodings),
                Abscissas::of_points(&encodings),
            ] {
                assert_eq!(points.places(), all);
                assert_eq!(points.times(&digits).unwrap(), expected);
                let together = points.times_together(&[&digits, &other, &digits]).unwrap();
                let alone = points.times(&other).unwrap();
                assert_eq!(together, [expected.clone(), alone, expected.clone()]);
            }
        }
    }

    #[test]
    fn what_is_no_point_is_left_out_or_disturbs_nobody() {
        let digits = Digits::new(&scalar()).unwrap();
        let mut encodings = encodings(9);
        let expected = Abscissas::of_points(&encodings).times(&digits).unwrap();
        encodings[2] = [0; 32];
        encodings[5] = [0xff; 32];
        // 2³ + 5 is no square.
        encodings[8] = [0; 32];
        encodings[8][0] = 2;
        let points = Abscissas::without_roots(&encodings);
        let rooted = Abscissas::of_points(&encodings);
        assert_eq!(points.places(), [0, 1, 3, 4, 6, 7, 8]);
        assert_eq!(rooted.places(), [0, 1, 3, 4, 6, 7]);
        let (products, others) = (
            points.times(&digits).unwrap(),
            rooted.times(&digits).unwrap(),
        );
        for (index, place) in rooted.places().iter().enumerate() {
            assert_eq!(products[index], expected[*place]);
            assert_eq!(others[index], expected[*place]);
        }
    }

    #[test]
    fn points_of_the_twist_that_meet_are_told_and_sorted_out() {
        let digits = Digits::new(&scalar()).unwrap();
        let good = encodings(3);
        let expected = Abscissas::of_points(&good).times(&digits).unwrap();
        let mut met = 0;
        for words in SMALL_ORDERS {
            let small = Field::from_words(&words).to_bytes();
            let mut encodings = good.clone();
            encodings.insert(1, small);
            met += usize::from(Abscissas::without_roots(&encodings).times(&digits).is_err());
            let rooted = Abscissas::of_points(&encodings);
            assert_eq!(rooted.places(), [0, 2, 3]);
            assert_eq!(rooted.times(&digits).unwrap(), expected);
        }
        assert!(met >= 2, "{met}");
    }
}
