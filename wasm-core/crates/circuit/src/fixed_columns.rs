//! Codec of the fixed columns: the values that occur, each once, and where they stand.

use std::collections::HashMap;

use svc_codec::code::Code;
use svc_codec::error::SvcError;
use svc_codec::reader::Reader;
use svc_codec::writer::Writer;
use svc_kernels::fft::column::Rows;
use svc_kernels::field::stored::Single;
use svc_kernels::lanes::modulus::PallasBase;

use crate::shape::{FIXED_COLUMNS, ROWS};

/// Marks a run of values that come for the first time; without it one value is repeated.
const FRESH: u16 = 0x8000;
/// Values that can be named: all cells could be different.
const MAX_VALUES: usize = FIXED_COLUMNS * ROWS;

type Field = PallasBase;

/// Writes the values in the order of their first appearance (count; of each its length and its bytes, the lowest
/// first, without leading zeros), then of each column its number of runs and the runs: a length, and for repeated
/// values which one.
pub fn encode(columns: &[Rows<Field>], writer: &mut Writer) {
    let mut numbers: HashMap<[u8; 32], u16> = HashMap::new();
    let mut values: Vec<[u8; 32]> = Vec::new();
    let mut runs: Vec<Vec<(u16, Option<u16>)>> = Vec::new();
    for column in columns {
        let mut own: Vec<(u16, Option<u16>)> = Vec::new();
        for row in 0..ROWS {
            let value = column.get(row).to_bytes();
            let known = numbers.get(&value).copied();
            if known.is_none() {
                numbers.insert(value, values.len() as u16);
                values.push(value);
            }
            match own.last_mut() {
                Some((length, same)) if *same == known => *length += 1,
                _ => own.push((1, known)),
            }
        }
        runs.push(own);
    }
    writer.u16(values.len() as u16);
    for value in &values {
        let length = value
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last + 1);
        writer.u8(length as u8).bytes(&value[..length]);
    }
    for column in runs {
        writer.u16(column.len() as u16);
        for (length, known) in column {
            match known {
                None => writer.u16(length | FRESH),
                Some(number) => writer.u16(length).u16(number),
            };
        }
    }
}

/// Reads what [`encode`] wrote of [`FIXED_COLUMNS`] columns.
///
/// # Errors
/// `codec/unexpected-end`, `codec/count-too-large`, `codec/not-canonical`.
pub fn decode(reader: &mut Reader<'_>) -> Result<Vec<Rows<Field>>, SvcError> {
    let count = reader.count_u16(MAX_VALUES, 1)?;
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        values.push(value(reader)?);
    }
    let mut fresh = values.iter();
    let mut columns = Vec::with_capacity(FIXED_COLUMNS);
    for _ in 0..FIXED_COLUMNS {
        let mut column = Rows::zero();
        let mut row = 0;
        for _ in 0..reader.count_u16(ROWS, 2)? {
            let head = reader.u16()?;
            let end = row + usize::from(head & !FRESH);
            if end == row || end > ROWS {
                return Err(not_canonical());
            }
            if head & FRESH != 0 {
                for row in row..end {
                    column.set(row, fresh.next().ok_or_else(not_canonical)?);
                }
            } else {
                let value = values
                    .get(usize::from(reader.u16()?))
                    .ok_or_else(not_canonical)?;
                for row in row..end {
                    column.set(row, value);
                }
            }
            row = end;
        }
        if row != ROWS {
            return Err(not_canonical());
        }
        columns.push(column);
    }
    if fresh.next().is_some() {
        return Err(not_canonical());
    }
    Ok(columns)
}

fn value(reader: &mut Reader<'_>) -> Result<Single<Field>, SvcError> {
    let length = reader.count_u8(32, 1)?;
    let mut bytes = [0u8; 32];
    bytes[..length].copy_from_slice(reader.take(length)?);
    Single::from_bytes(&bytes).ok_or_else(not_canonical)
}

fn not_canonical() -> SvcError {
    SvcError::new(Code::CodecNotCanonical).with("what", "fixed columns")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns with long runs, fresh values and values of columns before.
    fn sample() -> Vec<Rows<Field>> {
        (0..FIXED_COLUMNS as u64)
            .map(|column| {
                let mut rows = Rows::zero();
                for row in (0..ROWS).filter(|row| row % 97 < 40) {
                    let number = row as u64 / 9 * (column % 3 + 1);
                    rows.set(row, &Single::from_u64(number).square().sub(&Single::ONE));
                }
                rows
            })
            .collect()
    }

    fn bytes(columns: &[Rows<Field>]) -> Vec<u8> {
        let mut writer = Writer::new();
        encode(columns, &mut writer);
        writer.into_vec()
    }

    fn same(a: &[Rows<Field>], b: &[Rows<Field>]) -> bool {
        a.len() == b.len()
            && a.iter()
                .zip(b)
                .all(|(a, b)| (0..ROWS).all(|row| a.get(row) == b.get(row)))
    }

    #[test]
    fn encoding_goes_around() {
        let columns = sample();
        let bytes = bytes(&columns);
        let mut reader = Reader::new(&bytes);
        assert!(same(&decode(&mut reader).unwrap(), &columns));
        assert!(reader.finish().is_ok());
    }

    #[test]
    fn damaged_bytes_give_an_error_or_other_columns() {
        let columns = sample();
        let good = bytes(&columns);
        for position in (0..good.len()).step_by(101) {
            let mut bad = good.clone();
            bad[position] ^= 1 << (position % 8);
            let mut reader = Reader::new(&bad);
            if let Ok(decoded) = decode(&mut reader) {
                assert!(
                    reader.finish().is_err() || !same(&decoded, &columns),
                    "position {position}"
                );
            }
        }
        for cut in (0..good.len()).step_by(211) {
            assert!(decode(&mut Reader::new(&good[..cut])).is_err());
        }
    }
}
