//! Products with a sum in their reduction against the plain operations.

use svc_kernels::field::element::Element;
use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::modulus::{Modulus, PallasBase, PallasScalar};

use crate::split_mix::SplitMix;

const SEED: u64 = 3;

fn sample<M: Modulus>(rng: &mut SplitMix) -> Single<M> {
    let w = M::WORDS;
    match rng.next() % 8 {
        0 => Single::ZERO,
        1 => Single::from_words(&[w[0] - 1, w[1], w[2], w[3]]),
        // The largest tight element there is, and zero as the modulus.
        2 => Single::from_limbs([
            0x1fff_ffff,
            0x1fff_ffff,
            0x1fff_ffff,
            0x1fff_ffff,
            0x1fff_ffff,
            0x1fff_ffff,
            0x1fff_ffff,
            0x1fff_ffff,
            0x7f_ffff,
        ]),
        3 => Single::from_limbs(M::LIMBS),
        _ => Single::from_words(&rng.scalar()),
    }
}

fn check<M: Modulus>() {
    println!("seed {SEED}");
    let mut rng = SplitMix(SEED);
    for _ in 0..50_000 {
        let [a, b, c, d]: [Pair<M>; 4] =
            core::array::from_fn(|_| Pair::new(&sample(&mut rng), &sample(&mut rng)));
        let (x, y, z, w) = (a.load(), b.load(), c.load(), d.load());
        let zero = Element::zero();
        for (fused, plain) in [
            (x.mul_add(&y, &z), x.mul(&y).add(&z).tighten()),
            (x.mul_add(&y, &zero), x.mul(&y)),
            (
                x.mul_add(&y.sub(&w), &z.neg()),
                x.mul(&y.sub(&w)).sub(&z).tighten(),
            ),
            (
                x.square_add(&zero.sub_sum(&z.add(&w))),
                x.square().sub_sum(&z.add(&w)).tighten(),
            ),
        ] {
            let (fused, plain) = (Pair::from_element(&fused), Pair::from_element(&plain));
            for lane in 0..2 {
                assert_eq!(fused.get(lane), plain.get(lane));
                let top = fused.get(lane).limbs()[8];
                assert!(
                    top <= 1 << 23 && fused.get(lane).limbs().iter().all(|limb| limb >> 29 == 0)
                );
            }
        }
    }
}

#[test]
fn fused_products_equal_plain_ones() {
    check::<PallasBase>();
    check::<PallasScalar>();
}
