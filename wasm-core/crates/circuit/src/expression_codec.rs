//! Codec of constraint expressions, in prefix notation.

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;

use crate::constraints::{Constraints, Lookup};
use crate::expression::Expression;
use crate::shape::{ADVICE_COLUMNS, FIXED_COLUMNS, GATES, LOOKUPS};

/// Nesting the decoder follows; the circuit's expressions nest below 40.
const MAX_DEPTH: usize = 64;
/// Different constants a table may hold.
const MAX_CONSTANTS: usize = 1 << 12;
/// Expressions of one lookup argument.
const MAX_INPUTS: usize = 16;

const CONSTANT: u8 = 0;
const NEGATED: u8 = 1;
const SUM: u8 = 2;
const PRODUCT: u8 = 3;
const SCALED: u8 = 4;
/// The kinds of queries; the rotation, −1 to 1, stands in the two bits above.
const FIXED: u8 = 8;
const ADVICE: u8 = 9;
const INSTANCE: u8 = 10;
const ROTATION_SHIFT: u32 = 4;

/// Writes the constants that occur, then gates and lookups.
pub fn encode(constraints: &Constraints, writer: &mut Writer) {
    let mut constants = Vec::new();
    for expression in expressions(constraints) {
        collect_constants(expression, &mut constants);
    }
    writer.u16(constants.len() as u16);
    for constant in &constants {
        writer.bytes(constant);
    }
    writer.u16(constraints.gates.len() as u16);
    for gate in &constraints.gates {
        encode_expression(gate, &constants, writer);
    }
    writer.u8(constraints.lookups.len() as u8);
    for lookup in &constraints.lookups {
        writer.u8(lookup.inputs.len() as u8);
        for expression in lookup.inputs.iter().chain(&lookup.table) {
            encode_expression(expression, &constants, writer);
        }
    }
}

/// Reads what [`encode`] wrote.
///
/// # Errors
/// `codec/unexpected-end`, `codec/count-too-large`, `codec/not-canonical`.
pub fn decode(reader: &mut Reader<'_>) -> Result<Constraints, SvcError> {
    let mut constants = Vec::new();
    for _ in 0..reader.count_u16(MAX_CONSTANTS, 32)? {
        constants.push(reader.array::<32>()?);
    }
    let mut gates = Vec::new();
    for _ in 0..reader.count_u16(GATES, 1)? {
        gates.push(decode_expression(reader, &constants, 0)?);
    }
    let mut lookups = Vec::new();
    for _ in 0..reader.count_u8(LOOKUPS, 1)? {
        let count = reader.count_u8(MAX_INPUTS, 2)?;
        let mut list = || {
            (0..count)
                .map(|_| decode_expression(reader, &constants, 0))
                .collect::<Result<Vec<_>, _>>()
        };
        lookups.push(Lookup {
            inputs: list()?,
            table: list()?,
        });
    }
    Ok(Constraints { gates, lookups })
}

fn expressions(constraints: &Constraints) -> impl Iterator<Item = &Expression> {
    let lookups = constraints
        .lookups
        .iter()
        .flat_map(|lookup| lookup.inputs.iter().chain(&lookup.table));
    constraints.gates.iter().chain(lookups)
}

fn collect_constants(expression: &Expression, constants: &mut Vec<[u8; 32]>) {
    let mut add = |constant: &[u8; 32]| {
        if !constants.contains(constant) {
            constants.push(*constant);
        }
    };
    match expression {
        Expression::Constant(constant) => add(constant),
        Expression::Scaled(inner, constant) => {
            add(constant);
            collect_constants(inner, constants);
        }
        Expression::Negated(inner) => collect_constants(inner, constants),
        Expression::Sum(a, b) | Expression::Product(a, b) => {
            collect_constants(a, constants);
            collect_constants(b, constants);
        }
        Expression::Fixed { .. } | Expression::Advice { .. } | Expression::Instance { .. } => {}
    }
}

fn encode_expression(expression: &Expression, constants: &[[u8; 32]], writer: &mut Writer) {
    // Every constant has been collected, so it is found.
    let number = |constant| {
        constants
            .iter()
            .position(|other| other == constant)
            .unwrap_or(0) as u16
    };
    let query = |kind: u8, rotation: i32| kind | (((rotation + 1) as u8) << ROTATION_SHIFT);
    match expression {
        Expression::Constant(constant) => {
            writer.u8(CONSTANT).u16(number(constant));
        }
        Expression::Fixed { column, rotation } => {
            writer.u8(query(FIXED, *rotation)).u8(*column as u8);
        }
        Expression::Advice { column, rotation } => {
            writer.u8(query(ADVICE, *rotation)).u8(*column as u8);
        }
        Expression::Instance { column, rotation } => {
            writer.u8(query(INSTANCE, *rotation)).u8(*column as u8);
        }
        Expression::Negated(inner) => {
            writer.u8(NEGATED);
            encode_expression(inner, constants, writer);
        }
        Expression::Sum(a, b) | Expression::Product(a, b) => {
            writer.u8(if matches!(expression, Expression::Sum(..)) {
                SUM
            } else {
                PRODUCT
            });
            encode_expression(a, constants, writer);
            encode_expression(b, constants, writer);
        }
        Expression::Scaled(inner, constant) => {
            writer.u8(SCALED).u16(number(constant));
            encode_expression(inner, constants, writer);
        }
    }
}

fn decode_expression(
    reader: &mut Reader<'_>,
    constants: &[[u8; 32]],
    depth: usize,
) -> Result<Expression, SvcError> {
    if depth > MAX_DEPTH {
        return Err(not_canonical());
    }
    let constant = |reader: &mut Reader<'_>| {
        constants
            .get(usize::from(reader.u16()?))
            .copied()
            .ok_or_else(not_canonical)
    };
    let boxed =
        |reader: &mut Reader<'_>| decode_expression(reader, constants, depth + 1).map(Box::new);
    match reader.u8()? {
        CONSTANT => Ok(Expression::Constant(constant(reader)?)),
        NEGATED => Ok(Expression::Negated(boxed(reader)?)),
        SUM => Ok(Expression::Sum(boxed(reader)?, boxed(reader)?)),
        PRODUCT => Ok(Expression::Product(boxed(reader)?, boxed(reader)?)),
        SCALED => {
            let factor = constant(reader)?;
            Ok(Expression::Scaled(boxed(reader)?, factor))
        }
        query => decode_query(query, usize::from(reader.u8()?)),
    }
}

fn decode_query(query: u8, column: usize) -> Result<Expression, SvcError> {
    let rotation = i32::from(query >> ROTATION_SHIFT) - 1;
    if rotation > 1 {
        return Err(not_canonical());
    }
    match query & ((1 << ROTATION_SHIFT) - 1) {
        FIXED if column < FIXED_COLUMNS => Ok(Expression::Fixed { column, rotation }),
        ADVICE if column < ADVICE_COLUMNS => Ok(Expression::Advice { column, rotation }),
        INSTANCE if column == 0 => Ok(Expression::Instance { column, rotation }),
        _ => Err(not_canonical()),
    }
}

fn not_canonical() -> SvcError {
    SvcError::new(Code::CodecNotCanonical).with("what", "constraints")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Constraints {
        let advice = |column, rotation| Box::new(Expression::Advice { column, rotation });
        let fixed = Box::new(Expression::Fixed {
            column: 28,
            rotation: 0,
        });
        let sum = Expression::Sum(advice(0, -1), Box::new(Expression::Negated(advice(9, 1))));
        let gate = Expression::Product(
            fixed.clone(),
            Box::new(Expression::Scaled(Box::new(sum), [3; 32])),
        );
        let input = Expression::Sum(
            Box::new(Expression::Constant([5; 32])),
            Box::new(gate.clone()),
        );
        let instance = Expression::Instance {
            column: 0,
            rotation: 0,
        };
        let lookup = Lookup {
            inputs: vec![input, instance],
            table: vec![*fixed, Expression::Constant([3; 32])],
        };
        Constraints {
            gates: vec![gate; 5],
            lookups: vec![lookup; 2],
        }
    }

    fn bytes(constraints: &Constraints) -> Vec<u8> {
        let mut writer = Writer::new();
        encode(constraints, &mut writer);
        writer.into_vec()
    }

    #[test]
    fn encoding_goes_around_and_every_damage_shows() {
        let constraints = sample();
        let good = bytes(&constraints);
        let mut reader = Reader::new(&good);
        assert_eq!(decode(&mut reader).unwrap(), constraints);
        assert!(reader.finish().is_ok());
        for position in 0..good.len() {
            assert!(decode(&mut Reader::new(&good[..position])).is_err());
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[position] ^= 1 << bit;
                let mut reader = Reader::new(&bad);
                if let Ok(decoded) = decode(&mut reader) {
                    assert!(reader.finish().is_err() || decoded != constraints);
                }
            }
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        let mut writer = Writer::new();
        writer.u16(0).u16(1);
        for _ in 0..100_000 {
            writer.u8(NEGATED);
        }
        let error = decode(&mut Reader::new(&writer.into_vec())).unwrap_err();
        assert_eq!(error.code, Code::CodecNotCanonical);
    }
}
