//! Operands as large as the documentation of each operation allows, limb by limb: results against integers of 1088
//! bits, and tight.
//!
//! Ordinary values never come near these sizes, so only here an overflow of a lane or a column would show. Run as
//! WebAssembly, the lanes are SIMD.

use svc_kernels::field::element::{Element, Products};
use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::lane::{Lane, One};
use svc_kernels::lanes::modulus::{LIMBS, Modulus, PallasBase, PallasScalar};
use svc_kernels::lanes::two::Two;

use crate::split_mix::SplitMix;

#[allow(clippy::manual_div_ceil)]
mod wide {
    uint::construct_uint! {
        /// Holds sums of products of two operands.
        pub struct Wide(17);
    }
}
use wide::Wide;

const SEED: u64 = 29;
const ROUNDS: usize = 500;

type Limbs = [u32; LIMBS];

/// Two elements in either kind of register, from raw limbs and back.
trait Register<M: Modulus>: Lane {
    fn load(limbs: &[Limbs; 2]) -> Vec<Element<M, Self>>;
    fn limbs(elements: &[Element<M, Self>]) -> [Limbs; 2];
}

impl<M: Modulus> Register<M> for Two {
    fn load([a, b]: &[Limbs; 2]) -> Vec<Element<M, Self>> {
        vec![Pair::new(&Single::from_limbs(*a), &Single::from_limbs(*b)).load()]
    }
    fn limbs(elements: &[Element<M, Self>]) -> [Limbs; 2] {
        let pair = Pair::from_element(&elements[0]);
        [*pair.get(0).limbs(), *pair.get(1).limbs()]
    }
}

impl<M: Modulus> Register<M> for One {
    fn load(limbs: &[Limbs; 2]) -> Vec<Element<M, Self>> {
        limbs
            .iter()
            .map(|limbs| Single::from_limbs(*limbs).load())
            .collect()
    }
    fn limbs(elements: &[Element<M, Self>]) -> [Limbs; 2] {
        [0, 1].map(|i| *Single::from_element(&elements[i]).limbs())
    }
}

fn integer(limbs: &Limbs) -> Wide {
    limbs
        .iter()
        .rev()
        .fold(Wide::zero(), |sum, limb| (sum << 29) + *limb)
}

fn modulus<M: Modulus>() -> Wide {
    integer(&M::LIMBS)
}

/// Limbs at most `limb` and a value below `multiple`·m, most of them as large as they may be.
fn operand<M: Modulus>(random: &mut SplitMix, limb: u32, multiple: u32) -> Limbs {
    // What the lower limbs add to the top one, rounded up.
    let carried = (limb >> 29) + 1;
    let top = ((multiple << 22) - 1 - carried).min(limb);
    let limbs = core::array::from_fn(|j| {
        let most = if j == LIMBS - 1 { top } else { limb };
        match random.next() % 8 {
            0 => 0,
            1 => (random.next() % (u64::from(most) + 1)) as u32,
            _ => most,
        }
    });
    assert!(integer(&limbs) < modulus::<M>() * multiple);
    limbs
}

/// The largest limb of a tight element.
const TIGHT: u32 = (1 << 29) - 1;

struct Check<'a, M> {
    random: SplitMix,
    name: &'a str,
    field: core::marker::PhantomData<M>,
}

impl<M: Modulus> Check<'_, M> {
    fn two(&mut self, limb: u32, multiple: u32) -> [Limbs; 2] {
        [(); 2].map(|()| operand::<M>(&mut self.random, limb, multiple))
    }

    /// `results` must be tight and times 2^(29·9·`radix`) congruent to `expected`.
    fn compare(&self, what: &str, results: &[Limbs; 2], radix: usize, expected: [Wide; 2]) {
        let m = modulus::<M>();
        for (limbs, expected) in results.iter().zip(expected) {
            let value = integer(limbs);
            let context = format!("{}, {what}: {limbs:x?}", self.name);
            assert!(limbs.iter().all(|limb| *limb <= TIGHT), "limbs: {context}");
            assert!(value < m * 2, "value: {context}");
            assert_eq!(
                (value << (29 * LIMBS * radix)) % m,
                expected % m,
                "{context}"
            );
        }
    }

    fn products<L: Register<M>>(&mut self) {
        // Bits of limbs (below a power of two each) and multiples of the modulus.
        let sizes = [
            (31, 29, 32, 2),
            (29, 31, 2, 32),
            (30, 30, 8, 8),
            (31, 29, 16, 4),
            (29, 29, 32, 2),
        ];
        for (a_bits, b_bits, v, w) in sizes {
            let (a, b) = (
                self.two(((1u64 << a_bits) - 1) as u32, v),
                self.two(((1u64 << b_bits) - 1) as u32, w),
            );
            let c = self.two(u32::MAX, 32);
            let (x, y, z) = (L::load(&a), L::load(&b), L::load(&c));
            let each = |f: &dyn Fn(usize) -> Element<M, L>| {
                L::limbs(&(0..x.len()).map(f).collect::<Vec<_>>())
            };
            let both = |f: &dyn Fn(usize) -> Wide| [f(0), f(1)];
            let product = |i: usize| integer(&a[i]) * integer(&b[i]);
            let shifted = |i: usize| integer(&c[i]) << (29 * LIMBS);
            self.compare("mul", &each(&|i| x[i].mul(&y[i])), 1, both(&product));
            self.compare(
                "mul_add",
                &each(&|i| x[i].mul_add(&y[i], &z[i])),
                1,
                both(&|i| product(i) + shifted(i)),
            );
        }
        let (a, c) = (self.two((1 << 30) - 1, 8), self.two(u32::MAX, 32));
        let (x, z) = (L::load(&a), L::load(&c));
        let square = |i: usize| integer(&a[i]) * integer(&a[i]);
        let squares: Vec<_> = x.iter().map(Element::square).collect();
        self.compare("square", &L::limbs(&squares), 1, [0, 1].map(square));
        let sums: Vec<_> = x.iter().zip(&z).map(|(x, z)| x.square_add(z)).collect();
        let expected = [0, 1].map(|i| square(i) + (integer(&c[i]) << (29 * LIMBS)));
        self.compare("square_add", &L::limbs(&sums), 1, expected);
    }

    fn sums<L: Register<M>>(&mut self) {
        let m = modulus::<M>();
        // As large as a lane allows; the top limb as well.
        let a = self.two(u32::MAX - 7, 1 << 9);
        let tight: Vec<_> = L::load(&a).iter().map(Element::tighten).collect();
        let values = [0, 1].map(|i| integer(&a[i]));
        self.compare("tighten", &L::limbs(&tight), 0, values);
        let (b, c, d) = (self.two(TIGHT, 2), self.two(TIGHT, 2), self.two(TIGHT, 2));
        let (x, y, z) = (L::load(&b), L::load(&c), L::load(&d));
        let run = |f: &dyn Fn(usize) -> Element<M, L>| {
            L::limbs(&(0..x.len()).map(|i| f(i).tighten()).collect::<Vec<_>>())
        };
        let value = |f: &dyn Fn(Wide, Wide, Wide) -> Wide| {
            [0, 1].map(|i| f(integer(&b[i]), integer(&c[i]), integer(&d[i])))
        };
        let difference = run(&|i| x[i].sub(&y[i]));
        self.compare("sub", &difference, 0, value(&|x, y, _| x + m * 4 - y));
        let difference = run(&|i| x[i].sub_sum(&y[i].add(&z[i])));
        self.compare(
            "sub_sum",
            &difference,
            0,
            value(&|x, y, z| x + m * 8 - y - z),
        );
        self.compare("neg", &run(&|i| y[i].neg()), 0, value(&|_, y, _| m * 4 - y));
        let plain: Vec<_> = x.iter().map(Element::unmont).collect();
        self.compare("unmont", &L::limbs(&plain), 1, value(&|x, _, _| x));
    }

    /// Sixteen products of the largest tight values, carried every [`Products::MAX_TIGHT`].
    fn many_products<L: Register<M>>(&mut self) {
        const COUNT: usize = 16;
        let terms: Vec<_> = (0..COUNT)
            .map(|_| (self.two(TIGHT, 2), self.two(TIGHT, 2)))
            .collect();
        let loaded: Vec<_> = terms
            .iter()
            .map(|(a, b)| (L::load(a), L::load(b)))
            .collect();
        let reduced: Vec<_> = (0..loaded[0].0.len())
            .map(|i| {
                let mut products = Products::zero();
                for (index, (a, b)) in loaded.iter().enumerate() {
                    if index > 0 && index % Products::<M, L>::MAX_TIGHT == 0 {
                        products.spread();
                    }
                    products.add(&a[i], &b[i]);
                }
                products.reduce()
            })
            .collect();
        let expected = [0, 1].map(|i| {
            terms.iter().fold(Wide::zero(), |sum, (a, b)| {
                sum + integer(&a[i]) * integer(&b[i])
            })
        });
        self.compare("many products", &L::limbs(&reduced), 1, expected);
    }
}

fn check<M: Modulus, L: Register<M>>(name: &str) {
    println!("{name}: seed {SEED}");
    let mut check = Check::<M> {
        random: SplitMix(SEED),
        name,
        field: core::marker::PhantomData,
    };
    for _ in 0..ROUNDS {
        check.products::<L>();
        check.sums::<L>();
        check.many_products::<L>();
    }
}

#[test]
fn two_lanes_hold_the_largest_operands() {
    check::<PallasBase, Two>("two lanes, base field");
    check::<PallasScalar, Two>("two lanes, scalar field");
}

#[test]
fn words_hold_the_largest_operands() {
    check::<PallasBase, One>("words, base field");
    check::<PallasScalar, One>("words, scalar field");
}
