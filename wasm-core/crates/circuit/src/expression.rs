//! Polynomial expressions over the circuit's columns, as upstream writes them.

use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

/// One node of a constraint. Constants are canonical little-endian bytes of the field of circuit values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Expression {
    /// A constant.
    Constant([u8; 32]),
    /// A fixed column `rotation` rows further down.
    Fixed {
        /// Index of the column.
        column: usize,
        /// Rows.
        rotation: i32,
    },
    /// A witness column `rotation` rows further down.
    Advice {
        /// Index of the column.
        column: usize,
        /// Rows.
        rotation: i32,
    },
    /// An instance column `rotation` rows further down.
    Instance {
        /// Index of the column.
        column: usize,
        /// Rows.
        rotation: i32,
    },
    /// Minus an expression.
    Negated(Box<Expression>),
    /// A sum of two.
    Sum(Box<Expression>, Box<Expression>),
    /// A product of two.
    Product(Box<Expression>, Box<Expression>),
    /// An expression times a constant.
    Scaled(Box<Expression>, [u8; 32]),
}

/// What the columns hold at the row or point where an expression is evaluated.
pub trait Cells {
    /// The fixed column `rotation` rows further down.
    fn fixed(&self, column: usize, rotation: i32) -> Single<PallasBase>;
    /// The witness column `rotation` rows further down.
    fn advice(&self, column: usize, rotation: i32) -> Single<PallasBase>;
    /// The instance column `rotation` rows further down.
    fn instance(&self, column: usize, rotation: i32) -> Single<PallasBase>;
}

impl Expression {
    /// The value, node by node: slow, and the measure of what is compiled from it. A constant that is not
    /// canonical counts as zero.
    pub fn evaluate(&self, cells: &impl Cells) -> Single<PallasBase> {
        match self {
            Self::Constant(value) => constant(value),
            Self::Fixed { column, rotation } => cells.fixed(*column, *rotation),
            Self::Advice { column, rotation } => cells.advice(*column, *rotation),
            Self::Instance { column, rotation } => cells.instance(*column, *rotation),
            Self::Negated(inner) => inner.evaluate(cells).neg(),
            Self::Sum(a, b) => a.evaluate(cells).add(&b.evaluate(cells)),
            Self::Product(a, b) => a.evaluate(cells).mul(&b.evaluate(cells)),
            Self::Scaled(inner, factor) => inner.evaluate(cells).mul(&constant(factor)),
        }
    }

    /// The degree in the columns.
    pub fn degree(&self) -> usize {
        match self {
            Self::Constant(_) => 0,
            Self::Fixed { .. } | Self::Advice { .. } | Self::Instance { .. } => 1,
            Self::Negated(inner) | Self::Scaled(inner, _) => inner.degree(),
            Self::Sum(a, b) => a.degree().max(b.degree()),
            Self::Product(a, b) => a.degree() + b.degree(),
        }
    }
}

fn constant(bytes: &[u8; 32]) -> Single<PallasBase> {
    Single::from_bytes(bytes).unwrap_or(Single::ZERO)
}
