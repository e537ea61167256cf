//! Circuit assets file: everything about the circuit that prover and verifier cannot do without.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_kernels::curve::{Affine, Vesta};
use svc_kernels::fft::column::Rows;
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

use crate::constraints::Constraints;
use crate::mapping::Mapping;
use crate::pin::PIN;
use crate::quotient_program::QuotientProgram;
use crate::shape::{
    ADVICE_COLUMNS, FIXED_COLUMNS, GATES, LOOKUPS, PERMUTATION_COLUMNS, ROWS, USABLE_ROWS,
};
use crate::{expression_codec, fixed_columns};

/// What the file begins with.
const MAGIC: &[u8; 7] = b"circuit";
/// Version of the layout below.
const VERSION: u8 = 2;
/// Bytes of the program the decoder accepts.
const MAX_PROGRAM_LEN: usize = 1 << 18;
/// Regions the decoder accepts: more would not fit into the rows of the witness columns.
const MAX_REGIONS: usize = ADVICE_COLUMNS * USABLE_ROWS;

/// The circuit as data: keys, fixed columns and commitment parameters.
#[derive(Clone, Debug)]
pub struct Assets {
    /// What stands for the verifying key at the start of every transcript.
    pub digest: Single<PallasBase>,
    /// Commitments to the fixed columns.
    pub fixed_commitments: Vec<Affine<Vesta>>,
    /// Commitments to the columns of [`Mapping::values`].
    pub permutation_commitments: Vec<Affine<Vesta>>,
    /// The fixed columns.
    pub fixed: Vec<Rows<PallasBase>>,
    /// The copies.
    pub mapping: Mapping,
    /// The first row of every region with witness cells, in the order in which the circuit enters them.
    pub regions: Vec<u16>,
    /// Gates and lookups.
    pub constraints: Constraints,
    /// What [`Assets::constraints`], copies and lookups were compiled to.
    pub program: QuotientProgram,
    /// The bases of commitments to coefficients.
    pub g: Vec<Affine<Vesta>>,
    /// The bases of commitments to values on rows.
    pub g_lagrange: Vec<Affine<Vesta>>,
    /// The base of the blinding factor.
    pub w: Affine<Vesta>,
    /// The base of the claimed value in the inner product argument.
    pub u: Affine<Vesta>,
}

impl Assets {
    /// Reads the one file this version was made for.
    ///
    /// # Errors
    /// `prove/assets-damaged` for any other bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, SvcError> {
        if pin_of(bytes) != PIN {
            return Err(damaged("its hash is another"));
        }
        Self::decode_unpinned(bytes)
    }

    /// Reads a file of any content: for files that were just made. Whether keys and columns belong together is not
    /// looked at.
    ///
    /// # Errors
    /// `prove/assets-damaged` when the bytes are not of the form [`Assets::encode`] writes.
    pub fn decode_unpinned(bytes: &[u8]) -> Result<Self, SvcError> {
        let mut reader = Reader::new(bytes);
        let assets = decode_body(&mut reader).map_err(|error| damaged(&error.to_string()))?;
        reader
            .finish()
            .map_err(|error| damaged(&error.to_string()))?;
        Ok(assets)
    }

    /// The file: mark and version, key digest, commitments, bases, fixed columns, copies, regions,
    /// constraints, program.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        writer
            .bytes(MAGIC)
            .u8(VERSION)
            .bytes(&self.digest.to_bytes());
        let lists = [
            &self.fixed_commitments,
            &self.permutation_commitments,
            &self.g,
            &self.g_lagrange,
        ];
        for point in lists.into_iter().flatten().chain([&self.w, &self.u]) {
            writer.bytes(&point.x.to_bytes()).bytes(&point.y.to_bytes());
        }
        fixed_columns::encode(&self.fixed, &mut writer);
        self.mapping.encode(&mut writer);
        writer.u16(self.regions.len() as u16);
        for row in &self.regions {
            writer.u16(*row);
        }
        expression_codec::encode(&self.constraints, &mut writer);
        let program = self.program.to_bytes();
        writer.u32(program.len() as u32).bytes(&program);
        writer.into_vec()
    }
}

/// The pin of a file, by which the crate recognises it: BLAKE2b of 32 bytes.
pub fn pin_of(bytes: &[u8]) -> [u8; 32] {
    let hash = blake2b_simd::Params::new().hash_length(32).hash(bytes);
    let mut pin = [0u8; 32];
    pin.copy_from_slice(hash.as_bytes());
    pin
}

fn decode_body(reader: &mut Reader<'_>) -> Result<Assets, SvcError> {
    if reader.take(MAGIC.len())? != MAGIC {
        return Err(damaged("it is another kind of file"));
    }
    let version = reader.u8()?;
    if version != VERSION {
        return Err(SvcError::new(Code::CodecVersion)
            .with("expected", VERSION)
            .with("found", version));
    }
    let digest = Single::from_bytes(&reader.array()?).ok_or_else(|| not_canonical("digest"))?;
    let fixed_commitments = points(reader, FIXED_COLUMNS)?;
    let permutation_commitments = points(reader, PERMUTATION_COLUMNS)?;
    let g = points(reader, ROWS)?;
    let g_lagrange = points(reader, ROWS)?;
    let (w, u) = (point(reader)?, point(reader)?);
    let fixed = fixed_columns::decode(reader)?;
    let mapping = Mapping::decode(reader)?;
    let regions = regions(reader)?;
    let constraints = expression_codec::decode(reader)?;
    if constraints.gates.len() != GATES || constraints.lookups.len() != LOOKUPS {
        return Err(not_canonical("constraints"));
    }
    let length = reader.count_u32(MAX_PROGRAM_LEN, 1)?;
    let program = QuotientProgram::from_bytes(reader.take(length)?)
        .ok_or_else(|| not_canonical("program"))?;
    Ok(Assets {
        digest,
        fixed_commitments,
        permutation_commitments,
        fixed,
        mapping,
        regions,
        constraints,
        program,
        g,
        g_lagrange,
        w,
        u,
    })
}

fn regions(reader: &mut Reader<'_>) -> Result<Vec<u16>, SvcError> {
    let count = reader.count_u16(MAX_REGIONS, 2)?;
    let rows: Vec<u16> = (0..count).map(|_| reader.u16()).collect::<Result<_, _>>()?;
    if rows.iter().any(|row| usize::from(*row) >= USABLE_ROWS) {
        return Err(not_canonical("region"));
    }
    Ok(rows)
}

fn points(reader: &mut Reader<'_>, count: usize) -> Result<Vec<Affine<Vesta>>, SvcError> {
    (0..count).map(|_| point(reader)).collect()
}

/// A point by its coordinates: reading them costs two products where the short encoding costs a square root.
fn point(reader: &mut Reader<'_>) -> Result<Affine<Vesta>, SvcError> {
    let mut coordinate = || -> Result<_, SvcError> {
        Single::from_bytes(&reader.array()?).ok_or_else(|| not_canonical("point"))
    };
    let point = Affine {
        x: coordinate()?,
        y: coordinate()?,
    };
    if point.is_identity() || !point.is_valid() {
        return Err(not_canonical("point"));
    }
    Ok(point)
}

fn not_canonical(what: &str) -> SvcError {
    SvcError::new(Code::CodecNotCanonical).with("what", what)
}

fn damaged(reason: &str) -> SvcError {
    SvcError::new(Code::ProveAssetsDamaged).with("reason", reason)
}
