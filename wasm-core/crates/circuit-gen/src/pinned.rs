//! Parser of upstream's pinned verifying key: the constraint system, from the text that stands for the key in proofs.

use svc_circuit::constraints::{Constraints, Lookup};
use svc_circuit::expression::Expression;
use svc_circuit::shape::{Column, Query};

use crate::debug_text::Value;
use crate::gen_error::GenError;

/// The constraint system of a circuit, as the text tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pinned {
    /// log₂ of the number of rows.
    pub log_rows: usize,
    /// Numbers of fixed, witness and instance columns.
    pub columns: [usize; 3],
    /// Selectors before they were combined.
    pub selectors: usize,
    /// Gates and lookups.
    pub constraints: Constraints,
    /// Witness queries in the order of their evaluations.
    pub advice_queries: Vec<Query>,
    /// Instance queries in the order of their evaluations.
    pub instance_queries: Vec<Query>,
    /// Fixed queries in the order of their evaluations.
    pub fixed_queries: Vec<Query>,
    /// Columns of the permutation.
    pub permutation: Vec<Column>,
    /// Coordinates x and y, little endian, of the commitments to the fixed columns.
    pub fixed_commitments: Vec<[[u8; 32]; 2]>,
    /// The same of the permutation columns.
    pub permutation_commitments: Vec<[[u8; 32]; 2]>,
}

impl Pinned {
    /// Reads the `Debug` text of upstream's pinned verification key, plain or pretty.
    ///
    /// # Errors
    /// When the text is not of that form.
    pub fn parse(text: &str) -> Result<Self, GenError> {
        let key = Value::parse(text)?;
        let system = key.field("cs")?;
        let gates = system.field("gates")?.items()?;
        let lookups = system.field("lookups")?.items()?;
        let permutation = system.field("permutation")?.field("columns")?.items()?;
        Ok(Self {
            log_rows: key.field("domain")?.field("k")?.number()?,
            columns: [
                system.field("num_fixed_columns")?.number()?,
                system.field("num_advice_columns")?.number()?,
                system.field("num_instance_columns")?.number()?,
            ],
            selectors: system.field("num_selectors")?.number()?,
            constraints: Constraints {
                gates: expressions(gates)?,
                lookups: lookups.iter().map(lookup).collect::<Result<_, _>>()?,
            },
            advice_queries: queries(system.field("advice_queries")?)?,
            instance_queries: queries(system.field("instance_queries")?)?,
            fixed_queries: queries(system.field("fixed_queries")?)?,
            permutation: permutation.iter().map(column).collect::<Result<_, _>>()?,
            fixed_commitments: points(key.field("fixed_commitments")?)?,
            permutation_commitments: points(key.field("permutation")?.field("commitments")?)?,
        })
    }
}

fn expressions(values: &[Value<'_>]) -> Result<Vec<Expression>, GenError> {
    values.iter().map(expression).collect()
}

fn expression(value: &Value<'_>) -> Result<Expression, GenError> {
    match value {
        Value::Record(name, _) => {
            let column = value.field("column_index")?.number()?;
            let rotation = rotation(value.field("rotation")?)?;
            match *name {
                "Fixed" => Ok(Expression::Fixed { column, rotation }),
                "Advice" => Ok(Expression::Advice { column, rotation }),
                "Instance" => Ok(Expression::Instance { column, rotation }),
                other => Err(GenError::new(format!("unknown query {other}"))),
            }
        }
        Value::Tuple(name, items) => match (*name, items.as_slice()) {
            ("Constant", [constant]) => Ok(Expression::Constant(constant.field_element()?)),
            ("Negated", [inner]) => Ok(Expression::Negated(boxed(inner)?)),
            ("Sum", [a, b]) => Ok(Expression::Sum(boxed(a)?, boxed(b)?)),
            ("Product", [a, b]) => Ok(Expression::Product(boxed(a)?, boxed(b)?)),
            ("Scaled", [inner, factor]) => {
                Ok(Expression::Scaled(boxed(inner)?, factor.field_element()?))
            }
            (other, _) => Err(GenError::new(format!("unknown expression {other}"))),
        },
        _ => Err(GenError::new("an expression is a word or a list")),
    }
}

fn boxed(value: &Value<'_>) -> Result<Box<Expression>, GenError> {
    expression(value).map(Box::new)
}

fn lookup(value: &Value<'_>) -> Result<Lookup, GenError> {
    Ok(Lookup {
        inputs: expressions(value.field("input_expressions")?.items()?)?,
        table: expressions(value.field("table_expressions")?.items()?)?,
    })
}

fn rotation(value: &Value<'_>) -> Result<i32, GenError> {
    match value.tuple("Rotation")? {
        [rows] => rows.number(),
        _ => Err(GenError::new("a rotation has one number")),
    }
}

fn column(value: &Value<'_>) -> Result<Column, GenError> {
    let index = value.field("index")?.number()?;
    match (value.field("column_type")?.word()?, index) {
        ("Instance", 0) => Ok(Column::Instance),
        ("Advice", index) => Ok(Column::Advice(index)),
        ("Fixed", index) => Ok(Column::Fixed(index)),
        (kind, index) => Err(GenError::new(format!("unknown column {kind} {index}"))),
    }
}

fn queries(value: &Value<'_>) -> Result<Vec<Query>, GenError> {
    let query = |item: &Value<'_>| match item.tuple("")? {
        [column, rows] => Ok(Query {
            column: column.field("index")?.number()?,
            rotation: rotation(rows)?,
        }),
        _ => Err(GenError::new("a query is a pair")),
    };
    value.items()?.iter().map(query).collect()
}

fn points(value: &Value<'_>) -> Result<Vec<[[u8; 32]; 2]>, GenError> {
    let point = |item: &Value<'_>| match item.tuple("")? {
        [x, y] => Ok([x.field_element()?, y.field_element()?]),
        _ => Err(GenError::new("a point is a pair")),
    };
    value.items()?.iter().map(point).collect()
}
