//! Field kernels against the upstream field, edge values included.

use ff::PrimeField;
use pasta_curves::{Fp, Fq};
use svc_kernels::field::element::Element;
use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::modulus::{Modulus, PallasBase, PallasScalar};
use svc_kernels::lanes::two::Two;

use crate::split_mix::SplitMix;

fn sample(rng: &mut SplitMix, modulus: &[u64; 4]) -> [u64; 4] {
    match rng.next() % 16 {
        0 => [0; 4],
        1 => [1, 0, 0, 0],
        2 => [modulus[0] - 1, modulus[1], modulus[2], modulus[3]],
        3 => [rng.next(), 0, 0, 0],
        _ => rng.scalar(),
    }
}

fn check<M: Modulus, F: PrimeField<Repr = [u8; 32]>>(rounds: usize) {
    let mut rng = SplitMix(7);
    let theirs = |v: &Single<M>| F::from_repr(v.to_bytes()).unwrap();
    for _ in 0..rounds {
        let values: [Single<M>; 4] =
            core::array::from_fn(|_| Single::from_words(&sample(&mut rng, &M::WORDS)));
        let [a, b, c, d] = values;
        for v in &values {
            assert_eq!(Single::<M>::from_bytes(&v.to_bytes()), Some(*v));
        }
        assert_eq!(theirs(&a.mul(&b)), theirs(&a) * theirs(&b));
        assert_eq!(theirs(&a.square()), theirs(&a).square());
        assert_eq!(theirs(&a.add(&b)), theirs(&a) + theirs(&b));
        assert_eq!(theirs(&a.sub(&b)), theirs(&a) - theirs(&b));
        let (x, y): (Element<M, Two>, Element<M, Two>) =
            (Pair::new(&a, &c).load(), Pair::new(&b, &d).load());
        let out = |e: Element<M, Two>| {
            let p = Pair::from_element(&e);
            (theirs(&p.get(0)), theirs(&p.get(1)))
        };
        let (ta, tb, tc, td) = (theirs(&a), theirs(&b), theirs(&c), theirs(&d));
        assert_eq!(out(x.mul(&y)), (ta * tb, tc * td));
        assert_eq!(out(x.square()), (ta.square(), tc.square()));
        assert_eq!(out(x.sub(&y).tighten()), (ta - tb, tc - td));
        assert_eq!(out(x.sub_sum(&x.add(&y)).tighten()), (-tb, -td));
        assert_eq!(
            out(x.sub(&y).carry().mul(&y.sub(&x).carry())),
            (-(ta - tb).square(), -(tc - td).square())
        );
        assert_eq!(
            out(x.add(&y).mul(&x.add(&y))),
            ((ta + tb).square(), (tc + td).square())
        );
    }
    assert_eq!(
        Single::<M>::from_u64(5).invert().mul(&Single::from_u64(5)),
        Single::ONE
    );
}

#[test]
fn both_fields_agree_with_the_upstream_field() {
    check::<PallasBase, Fp>(100_000);
    check::<PallasScalar, Fq>(100_000);
}
