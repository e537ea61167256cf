//! Expression evaluation on all rows at once.

use svc_circuit::expression::Expression;
use svc_kernels::fft::column::PAIRS;
use svc_kernels::field::element::Element;
use svc_kernels::field::stored::Pair;
use svc_kernels::lanes::modulus::PallasBase;
use svc_kernels::lanes::two::Two;

use crate::halo2::{Column, Fp};

/// The columns that an expression may read.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// Fixed columns.
    pub fixed: &'a [Column],
    /// Witness columns.
    pub advice: &'a [Column],
    /// The instance column.
    pub instance: &'a Column,
}

type Values = Element<PallasBase, Two>;

/// An expression with its constants in our form and its columns found.
enum Node<'a> {
    Constant(Values),
    Cell(&'a Column, usize),
    Negated(Box<Node<'a>>),
    Sum(Box<Node<'a>>, Box<Node<'a>>),
    Product(Box<Node<'a>>, Box<Node<'a>>),
}

/// Expressions folded by powers of θ, the last one without a power. Columns an expression names that do not exist,
/// and constants that are not canonical, count as zero.
pub fn fold_expressions(expressions: &[Expression], columns: &Columns<'_>, theta: &Fp) -> Column {
    let zero = Column::zero();
    let nodes: Vec<Node<'_>> = expressions
        .iter()
        .map(|e| prepare(e, columns, &zero))
        .collect();
    let theta = Pair::new(theta, theta).load();
    let mut out = Column::zero();
    for (row, pair) in out.pairs_mut().iter_mut().enumerate() {
        let mut sum = Pair::ZERO.load();
        for (index, node) in nodes.iter().enumerate() {
            let value = evaluate(node, row);
            sum = if index == 0 {
                value
            } else {
                sum.mul(&theta).add(&value).tighten()
            };
        }
        pair.store(&sum);
    }
    out
}

fn prepare<'a>(expression: &Expression, columns: &Columns<'a>, zero: &'a Column) -> Node<'a> {
    let cell = |columns: &'a [Column], column: usize, rotation: i32| {
        let rows = 2 * PAIRS as i32;
        Node::Cell(
            columns.get(column).unwrap_or(zero),
            rotation.rem_euclid(rows) as usize,
        )
    };
    let inner = |expression: &Expression| Box::new(prepare(expression, columns, zero));
    match expression {
        Expression::Constant(bytes) => constant(bytes),
        Expression::Fixed { column, rotation } => cell(columns.fixed, *column, *rotation),
        Expression::Advice { column, rotation } => cell(columns.advice, *column, *rotation),
        Expression::Instance { column, rotation } => {
            cell(core::slice::from_ref(columns.instance), *column, *rotation)
        }
        Expression::Negated(a) => Node::Negated(inner(a)),
        Expression::Sum(a, b) => Node::Sum(inner(a), inner(b)),
        Expression::Product(a, b) => Node::Product(inner(a), inner(b)),
        Expression::Scaled(a, factor) => Node::Product(inner(a), Box::new(constant(factor))),
    }
}

fn constant<'a>(bytes: &[u8; 32]) -> Node<'a> {
    let value = Fp::from_bytes(bytes).unwrap_or(Fp::ZERO);
    Node::Constant(Pair::new(&value, &value).load())
}

/// The tight value on rows `row` and `row` + 1024.
fn evaluate(node: &Node<'_>, row: usize) -> Values {
    match node {
        Node::Constant(value) => *value,
        Node::Cell(column, 0) => column.pairs()[row].load(),
        Node::Cell(column, rotation) => {
            let row = row + rotation;
            Pair::new(&column.get(row), &column.get(row + PAIRS)).load()
        }
        Node::Negated(a) => evaluate(a, row).neg().tighten(),
        Node::Sum(a, b) => evaluate(a, row).add(&evaluate(b, row)).tighten(),
        Node::Product(a, b) => evaluate(a, row).mul(&evaluate(b, row)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_circuit::expression::Cells;
    use svc_kernels::fft::column::ROWS;

    struct Row<'a>(&'a Columns<'a>, usize);

    impl Row<'_> {
        fn at(&self, rotation: i32) -> usize {
            (self.1 as i32 + rotation).rem_euclid(ROWS as i32) as usize
        }
    }

    impl Cells for Row<'_> {
        fn fixed(&self, column: usize, rotation: i32) -> Fp {
            self.0.fixed[column].get(self.at(rotation))
        }
        fn advice(&self, column: usize, rotation: i32) -> Fp {
            self.0.advice[column].get(self.at(rotation))
        }
        fn instance(&self, _: usize, rotation: i32) -> Fp {
            self.0.instance.get(self.at(rotation))
        }
    }

    fn column(salt: u64) -> Column {
        let mut value = Fp::from_u64(salt);
        let mut out = Column::zero();
        for row in 0..ROWS {
            value = value.square().add(&Fp::from_u64(salt));
            out.set(row, &value);
        }
        out
    }

    #[test]
    fn equals_the_expressions_row_by_row() {
        let (fixed, advice, instance) = ([column(2)], [column(3), column(5)], column(7));
        let columns = Columns {
            fixed: &fixed,
            advice: &advice,
            instance: &instance,
        };
        let query = |column, rotation| Box::new(Expression::Advice { column, rotation });
        let fixed_cell = Box::new(Expression::Fixed {
            column: 0,
            rotation: 0,
        });
        let expressions = [
            Expression::Sum(
                query(0, 1),
                Box::new(Expression::Scaled(query(1, -1), [9; 32])),
            ),
            Expression::Product(fixed_cell, Box::new(Expression::Negated(query(1, 0)))),
            Expression::Sum(
                Box::new(Expression::Constant([3; 32])),
                Box::new(Expression::Instance {
                    column: 0,
                    rotation: -1,
                }),
            ),
        ];
        let theta = Fp::from_u64(1_000_003).invert();
        let folded = fold_expressions(&expressions, &columns, &theta);
        for row in 0..ROWS {
            let cells = Row(&columns, row);
            let expected = expressions.iter().fold(Fp::ZERO, |sum, expression| {
                sum.mul(&theta).add(&expression.evaluate(&cells))
            });
            assert!(folded.get(row) == expected, "row {row}");
        }
    }
}
