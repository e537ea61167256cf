//! Encodings of field elements, points and columns on the way between coordinator and shards.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_kernels::curve::{Affine, Point, Vesta};
use svc_kernels::fft::column::PAIRS;
use svc_kernels::field::stored::{Pair, Single};
use svc_kernels::lanes::modulus::{LIMB_BITS, LIMBS};

use crate::halo2::{Column, Fp, Polynomial};

/// Bytes of a column: its values as limbs, without the work of making them canonical.
pub const COLUMN_BYTES: usize = 2 * PAIRS * LIMBS * 4;
/// Bytes of a point.
pub const POINT_BYTES: usize = 64;

type PairOfValues = Pair<svc_kernels::lanes::modulus::PallasBase>;

/// Appends a field element, 32 bytes.
pub fn write_scalar(writer: &mut Writer, value: &Fp) {
    writer.bytes(&value.to_bytes());
}

/// Reads a field element. Errors: `codec/unexpected-end`, `codec/not-canonical`.
pub fn read_scalar(reader: &mut Reader<'_>) -> Result<Fp, SvcError> {
    Fp::from_bytes(&reader.array()?).ok_or_else(|| not_canonical("scalar"))
}

/// Appends points, each in two affine coordinates; zeros for the identity.
pub fn write_points(writer: &mut Writer, points: &[Point<Vesta>]) {
    write_affine(writer, &svc_kernels::curve::normalize(points));
}

/// Appends points that are in affine coordinates already.
pub fn write_affine(writer: &mut Writer, points: &[Affine<Vesta>]) {
    for point in points {
        writer.bytes(&point.x.to_bytes()).bytes(&point.y.to_bytes());
    }
}

/// Reads a point. Errors: `codec/unexpected-end`, `codec/not-canonical`.
pub fn read_point(reader: &mut Reader<'_>) -> Result<Affine<Vesta>, SvcError> {
    let mut coordinate =
        || Single::from_bytes(&reader.array()?).ok_or_else(|| not_canonical("point"));
    let point = Affine {
        x: coordinate()?,
        y: coordinate()?,
    };
    let is_on_curve = point.is_identity() || point.is_valid();
    is_on_curve
        .then_some(point)
        .ok_or_else(|| not_canonical("point"))
}

/// Appends a column by rows.
pub fn write_column(writer: &mut Writer, column: &Column) {
    write_pairs(writer, column.pairs());
}

/// Reads a column by rows. Errors: `codec/unexpected-end`, `codec/not-canonical`.
pub fn read_column(reader: &mut Reader<'_>) -> Result<Column, SvcError> {
    Column::from_pairs(read_pairs(reader)?).ok_or_else(|| not_canonical("column"))
}

/// Appends a polynomial.
pub fn write_polynomial(writer: &mut Writer, polynomial: &Polynomial) {
    write_pairs(writer, polynomial.pairs());
}

/// Reads a polynomial. Errors: `codec/unexpected-end`, `codec/not-canonical`.
pub fn read_polynomial(reader: &mut Reader<'_>) -> Result<Polynomial, SvcError> {
    Polynomial::from_pairs(read_pairs(reader)?).ok_or_else(|| not_canonical("polynomial"))
}

fn write_pairs(writer: &mut Writer, pairs: &[PairOfValues]) {
    let mut bytes = Vec::with_capacity(COLUMN_BYTES);
    for pair in pairs {
        for lane in 0..2 {
            for limb in pair.get(lane).limbs() {
                bytes.extend_from_slice(&limb.to_le_bytes());
            }
        }
    }
    writer.bytes(&bytes);
}

fn read_pairs(reader: &mut Reader<'_>) -> Result<Vec<PairOfValues>, SvcError> {
    let (bytes, _) = reader.take(COLUMN_BYTES)?.as_chunks::<4>();
    let mut pairs = Vec::with_capacity(PAIRS);
    for limbs in bytes.chunks_exact(2 * LIMBS) {
        let (first, second) = limbs.split_at(LIMBS);
        pairs.push(Pair::new(&tight(first)?, &tight(second)?));
    }
    Ok(pairs)
}

/// An element from limbs that the kernels may compute with: low ones below 2²⁹, the highest at most that of 2²⁵⁵.
fn tight(bytes: &[[u8; 4]]) -> Result<Fp, SvcError> {
    let limbs: [u32; LIMBS] = core::array::from_fn(|j| u32::from_le_bytes(bytes[j]));
    let is_tight =
        limbs[..LIMBS - 1].iter().all(|limb| limb >> LIMB_BITS == 0) && limbs[LIMBS - 1] <= 1 << 23;
    is_tight
        .then(|| Fp::from_limbs(limbs))
        .ok_or_else(|| not_canonical("limbs"))
}

fn not_canonical(what: &str) -> SvcError {
    SvcError::new(Code::CodecNotCanonical).with("what", what)
}
