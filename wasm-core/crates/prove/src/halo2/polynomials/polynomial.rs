//! Operations on polynomials in coefficient form: evaluation, linear combinations, division by a linear factor.
//!
//! Sums of products are reduced once for up to `GROUP` of them.

use svc_kernels::fft::column::Coefficients;

use svc_kernels::fft::column::PAIRS;
use svc_kernels::field::element::{Element, Products};
use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::lanes::two::Two;

/// A value of the circuit's field.
pub type Value = Single<PallasBase>;
/// A polynomial over the circuit's field, of degree below 2048.
pub type Polynomial = Coefficients<PallasBase>;

type Values = Element<PallasBase, Two>;

/// Products one reduction takes in: each is below 4m², the reduction holds 64m².
const GROUP: usize = 16;
/// Products between two carries of the sums.
const BURST: usize = Products::<PallasBase, Two>::MAX_TIGHT;
/// Reduced sums that may be added before they must be tight again; their limbs stay below 2³².
const LAZY_SUMS: usize = 7;

/// The powers of a point from the zeroth on, for evaluating many polynomials there.
#[derive(Clone, Debug)]
pub struct Powers {
    pairs: Vec<Pair<PallasBase>>,
}

impl Powers {
    /// The first 2048 powers.
    pub fn new(point: &Value) -> Self {
        Self {
            pairs: power_pairs(point),
        }
    }

    /// The value of a polynomial at the point.
    pub fn evaluate(&self, polynomial: &Polynomial) -> Value {
        dot(&self.pairs, polynomial.pairs())
    }
}

/// The value of a polynomial at a point. For several polynomials see [`evaluate_many`].
pub fn evaluate(polynomial: &Polynomial, point: &Value) -> Value {
    Powers::new(point).evaluate(polynomial)
}

/// The values of polynomials at one point.
pub fn evaluate_many(polynomials: &[&Polynomial], point: &Value) -> Vec<Value> {
    let powers = Powers::new(point);
    polynomials
        .iter()
        .map(|polynomial| powers.evaluate(polynomial))
        .collect()
}

/// The first 2048 powers of a value, two in a pair.
pub(crate) fn power_pairs(base: &Value) -> Vec<Pair<PallasBase>> {
    let step = base.square();
    let step = Pair::new(&step, &step).load();
    let mut power = Pair::new(&Value::ONE, base).load();
    (0..PAIRS)
        .map(|_| {
            let pair = Pair::from_element(&power);
            power = power.mul(&step);
            pair
        })
        .collect()
}

/// The powers of a value from the zeroth on.
pub fn powers_of(base: &Value, count: usize) -> Vec<Value> {
    let mut power = Value::ONE;
    (0..count)
        .map(|_| {
            let current = power;
            power = power.mul(base);
            current
        })
        .collect()
}

/// The inner product of two vectors, given as pairs; what the longer one has beyond the shorter is left out.
pub(crate) fn dot(a: &[Pair<PallasBase>], b: &[Pair<PallasBase>]) -> Value {
    let mut total = Pair::ZERO.load();
    for (a, b) in a.chunks(GROUP).zip(b.chunks(GROUP)) {
        let mut products = Products::zero();
        for (burst, (a, b)) in a.chunks(BURST).zip(b.chunks(BURST)).enumerate() {
            if burst > 0 {
                products.spread();
            }
            for (a, b) in a.iter().zip(b) {
                products.add(&a.load(), &b.load());
            }
        }
        total = total.add(&products.reduce()).tighten();
    }
    let total = Pair::from_element(&total);
    total.get(0).add(&total.get(1))
}

/// The sum of polynomials, each times its weight; zero for no terms.
pub fn linear_combination(terms: &[(&Polynomial, Value)]) -> Polynomial {
    let weights: Vec<Pair<PallasBase>> = terms
        .iter()
        .map(|(_, weight)| Pair::new(weight, weight))
        .collect();
    let columns: Vec<&[Pair<PallasBase>]> = terms
        .iter()
        .map(|(polynomial, _)| polynomial.pairs())
        .collect();
    let mut out = Polynomial::zero();
    for (index, pair) in out.pairs_mut().iter_mut().enumerate() {
        let mut total = Pair::ZERO.load();
        for (position, (weights, columns)) in
            weights.chunks(GROUP).zip(columns.chunks(GROUP)).enumerate()
        {
            if position % LAZY_SUMS == LAZY_SUMS - 1 {
                total = total.tighten();
            }
            total = total.add(&combine_group(weights, columns, index));
        }
        pair.store(&total.tighten());
    }
    out
}

/// One pair of the sum of at most [`GROUP`] weighted columns.
#[inline(always)]
fn combine_group(
    weights: &[Pair<PallasBase>],
    columns: &[&[Pair<PallasBase>]],
    index: usize,
) -> Values {
    let mut products = Products::zero();
    for (burst, (weights, columns)) in weights.chunks(BURST).zip(columns.chunks(BURST)).enumerate()
    {
        if burst > 0 {
            products.spread();
        }
        for (weight, column) in weights.iter().zip(columns) {
            products.add(&weight.load(), &column[index].load());
        }
    }
    products.reduce()
}

/// Adds a polynomial to another.
pub fn add_to(sum: &mut Polynomial, other: &Polynomial) {
    for (pair, other) in sum.pairs_mut().iter_mut().zip(other.pairs()) {
        let total = pair.load().add(&other.load()).tighten();
        pair.store(&total);
    }
}

/// The quotient of a polynomial by X − `point`; the remainder is dropped.
pub fn divide(polynomial: &Polynomial, point: &Value) -> Polynomial {
    // From the top: q_(i−1) = a_i + point · q_i.
    let mut out = Polynomial::zero();
    let point = point.load();
    let mut above = Value::ZERO.load();
    for index in (1..2 * PAIRS).rev() {
        // Below 4m, which the next product takes as it is; only what is kept must be tight.
        above = above.mul(&point).add(&polynomial.get(index).load());
        out.set(index - 1, &Value::from_element(&above.tighten()));
    }
    out
}
