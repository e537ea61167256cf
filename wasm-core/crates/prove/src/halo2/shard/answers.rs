//! Aggregation of the shards' answers to one task.

use svc_circuit::shape::{POINT_SETS, QUOTIENT_PIECES};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_kernels::curve::{Affine, Point, Vesta};
use svc_kernels::fft::column::ROWS;
use svc_kernels::field::stored::Pair;

use crate::halo2::arguments::inner_product::SWITCH_ROUND;
use crate::halo2::arguments::opening::Folded;
use crate::halo2::wire::points::{read_column, read_point, read_polynomial, read_scalar};
use crate::halo2::{Column, Fp};

/// The sum of the next point of every answer.
pub fn added(answers: &mut [Reader<'_>]) -> Result<Point<Vesta>, SvcError> {
    let mut sum = Point::identity();
    for answer in answers {
        let point: Affine<Vesta> = read_point(answer)?;
        sum = sum.add_affine(&point);
    }
    Ok(sum)
}

/// The sums on the cosets: the shards' partial sums added up.
pub fn added_sums(answers: &mut [Reader<'_>]) -> Result<[Column; QUOTIENT_PIECES], SvcError> {
    let mut sums: [Column; QUOTIENT_PIECES] = core::array::from_fn(|_| Column::zero());
    for answer in answers {
        let mask = answer.u8()?;
        for (coset, sum) in sums.iter_mut().enumerate() {
            if mask >> coset & 1 == 1 {
                let more = read_column(answer)?;
                for (pair, more) in sum.pairs_mut().iter_mut().zip(more.pairs()) {
                    *pair = Pair::from_element(&pair.load().add(&more.load()).tighten());
                }
            }
        }
    }
    Ok(sums)
}

/// The folded polynomials: the shards' shares added up.
pub fn added_folded(answers: &mut [Reader<'_>]) -> Result<Folded, SvcError> {
    let mut sum: Option<Folded> = None;
    for answer in answers {
        let polynomials = (0..POINT_SETS)
            .map(|_| read_polynomial(answer))
            .collect::<Result<Vec<_>, _>>()?;
        let more = Folded {
            polynomials,
            blinds: read_scalars(answer, POINT_SETS)?,
        };
        match &mut sum {
            Some(sum) => sum.add(&more),
            None => sum = Some(more),
        }
    }
    sum.ok_or_else(|| SvcError::new(Code::InternalUnexpected).with("message", "no shards"))
}

/// The generators that are left: the workers' shares are their slices in order.
pub fn joined_generators(answers: &mut [Reader<'_>]) -> Result<Vec<Affine<Vesta>>, SvcError> {
    let mut generators = Vec::with_capacity(ROWS >> SWITCH_ROUND);
    for answer in answers {
        while answer.remaining() > 0 && generators.len() < ROWS {
            generators.push(read_point(answer)?);
        }
    }
    Ok(generators)
}

/// The next scalars of one answer.
pub fn read_scalars(answer: &mut Reader<'_>, count: usize) -> Result<Vec<Fp>, SvcError> {
    (0..count).map(|_| read_scalar(answer)).collect()
}
