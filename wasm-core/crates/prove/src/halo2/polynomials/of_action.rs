//! Polynomials of one action, as its worker keeps them and lends them to others.

use svc_circuit::shape::{ADVICE_COLUMNS, LOOKUPS, PERMUTATION_PRODUCTS};
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::halo2::Polynomial;
use crate::halo2::polynomials::quotient::ActionPolynomials;
use crate::halo2::wire::points::{COLUMN_BYTES, read_polynomial, write_polynomial};

/// How many there are.
const COUNT: usize = 1 + ADVICE_COLUMNS + PERMUTATION_PRODUCTS + 3 * LOOKUPS;
/// Bytes of one action's polynomials.
pub const POLYNOMIALS_BYTES: usize = COUNT * COLUMN_BYTES;

/// The polynomials of an action; overwritten when they are dropped.
#[derive(Debug)]
pub struct Polynomials {
    /// The public inputs.
    pub instance: Polynomial,
    /// The witness columns.
    pub advice: Vec<Polynomial>,
    /// The permuted inputs of the lookups.
    pub sorted: Vec<Polynomial>,
    /// The permuted tables.
    pub tables: Vec<Polynomial>,
    /// The permutation products.
    pub permutation: Vec<Polynomial>,
    /// The lookup products.
    pub lookup: Vec<Polynomial>,
}

impl Polynomials {
    /// The polynomials that the constraints read.
    pub fn constrained(&self) -> ActionPolynomials<'_> {
        ActionPolynomials {
            instance: &self.instance,
            advice: &self.advice,
            permutation: &self.permutation,
            lookup_inputs: &self.sorted,
            lookup_tables: &self.tables,
            lookup_products: &self.lookup,
        }
    }

    /// Appends them, [`POLYNOMIALS_BYTES`].
    pub fn write(&self, writer: &mut Writer) {
        write_polynomial(writer, &self.instance);
        let groups = [
            &self.advice,
            &self.sorted,
            &self.tables,
            &self.permutation,
            &self.lookup,
        ];
        for polynomial in groups.into_iter().flatten() {
            write_polynomial(writer, polynomial);
        }
    }

    /// Reads what [`Polynomials::write`] wrote. Errors: `codec/unexpected-end`, `codec/not-canonical`.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, SvcError> {
        let instance = read_polynomial(reader)?;
        let mut many = |count: usize| -> Result<Vec<Polynomial>, SvcError> {
            (0..count).map(|_| read_polynomial(reader)).collect()
        };
        Ok(Self {
            instance,
            advice: many(ADVICE_COLUMNS)?,
            sorted: many(LOOKUPS)?,
            tables: many(LOOKUPS)?,
            permutation: many(PERMUTATION_PRODUCTS)?,
            lookup: many(LOOKUPS)?,
        })
    }
}
