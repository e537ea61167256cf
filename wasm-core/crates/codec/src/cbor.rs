//! Deterministic CBOR (RFC 8949 section 4.2.1) of messages whose order of values is known: unsigned numbers, byte strings, texts,
//! lists and maps with numbers as keys. Heads are as short as they can be and lengths definite, so a value has one encoding, and
//! only that is read.
//!
//! The reader is asked for each value in turn. It builds nothing that was not asked for, nests no deeper than its caller does, and
//! takes no length that was not allowed.

use crate::code::Code;
use crate::error::SvcError;
use crate::reader::Reader;
use crate::writer::Writer;

/// Kinds of values, as the first three bits of a head say them.
const NUMBER: u8 = 0;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const LIST: u8 = 4;
const MAP: u8 = 5;
/// What the low bits of the first byte say when one, two, four or eight more bytes follow.
const ONE_FOLLOWS: u8 = 24;
const TWO_FOLLOW: u8 = 25;
const FOUR_FOLLOW: u8 = 26;
const EIGHT_FOLLOW: u8 = 27;

/// Reads values in order. The offset in an error is that of the value's first byte.
#[derive(Clone, Debug)]
pub struct CborReader<'a> {
    rest: Reader<'a>,
    len: usize,
}

/// Writes values one after the other.
#[derive(Clone, Debug, Default)]
pub struct CborWriter {
    writer: Writer,
}

impl<'a> CborReader<'a> {
    /// Starts at the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self {
            rest: Reader::new(bytes),
            len: bytes.len(),
        }
    }

    /// An unsigned number of at most `max`.
    ///
    /// # Errors
    /// `codec/bad-cbor` for another kind of value and a head that is longer than it has to be, `codec/unexpected-end`,
    /// `codec/number-out-of-range`.
    pub fn number(&mut self, max: u64) -> Result<u64, SvcError> {
        let value = self.head(NUMBER)?;
        if value <= max {
            return Ok(value);
        }
        let error = SvcError::new(Code::CodecNumberOutOfRange).with("text", value);
        Err(error.with("max", max))
    }

    /// A byte string of at most `max` bytes, borrowed.
    ///
    /// # Errors
    /// `codec/count-too-large`; `codec/bad-cbor` and `codec/unexpected-end` as [`CborReader::number`].
    pub fn bytes(&mut self, max: usize) -> Result<&'a [u8], SvcError> {
        let len = self.count(BYTES, max)?;
        self.rest.take(len)
    }

    /// A byte string of exactly `N` bytes.
    ///
    /// # Errors
    /// `codec/wrong-length` for a shorter one; those of [`CborReader::bytes`].
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], SvcError> {
        let bytes = self.bytes(N)?;
        bytes.try_into().map_err(|_| {
            let error = SvcError::new(Code::CodecWrongLength).with("expected", N);
            error.with("found", bytes.len())
        })
    }

    /// A text of at most `max` bytes, borrowed. Error: `codec/bad-utf8`; those of [`CborReader::bytes`].
    pub fn text(&mut self, max: usize) -> Result<&'a str, SvcError> {
        let len = self.count(TEXT, max)?;
        core::str::from_utf8(self.rest.take(len)?).map_err(|_| SvcError::new(Code::CodecBadUtf8))
    }

    /// The head of a list of at most `max` items, which follow. Errors: those of [`CborReader::bytes`].
    pub fn list(&mut self, max: usize) -> Result<usize, SvcError> {
        self.count(LIST, max)
    }

    /// The head of a map of at most `max` entries, which follow. Errors: those of [`CborReader::bytes`].
    pub fn map(&mut self, max: usize) -> Result<usize, SvcError> {
        self.count(MAP, max)
    }

    /// The error of a value that is well written and not the one that stands here.
    pub fn unexpected(&self, reason: &'static str) -> SvcError {
        bad(self.offset(), reason)
    }

    /// Ends the reading. Error: `codec/trailing-bytes`.
    pub fn finish(self) -> Result<(), SvcError> {
        self.rest.finish()
    }

    fn offset(&self) -> usize {
        self.len - self.rest.remaining()
    }

    fn count(&mut self, kind: u8, max: usize) -> Result<usize, SvcError> {
        let found = self.head(kind)?;
        let count = usize::try_from(found).ok().filter(|count| *count <= max);
        count.ok_or_else(|| {
            let error = SvcError::new(Code::CodecCountTooLarge).with("count", found);
            error.with("max", max)
        })
    }

    fn head(&mut self, kind: u8) -> Result<u64, SvcError> {
        let offset = self.offset();
        let first = self.rest.u8()?;
        if first >> 5 != kind {
            return Err(bad(offset, "kind"));
        }
        let (value, least) = match first & 0b1_1111 {
            ONE_FOLLOWS => (u64::from(self.rest.u8()?), u64::from(ONE_FOLLOWS)),
            TWO_FOLLOW => (self.big_endian::<2>()?, 1 << 8),
            FOUR_FOLLOW => (self.big_endian::<4>()?, 1 << 16),
            EIGHT_FOLLOW => (self.big_endian::<8>()?, 1 << 32),
            low if low < ONE_FOLLOWS => (u64::from(low), 0),
            _ => return Err(bad(offset, "head")),
        };
        if value < least {
            return Err(bad(offset, "head"));
        }
        Ok(value)
    }

    fn big_endian<const N: usize>(&mut self) -> Result<u64, SvcError> {
        let bytes: [u8; N] = self.rest.array()?;
        let value = bytes.iter();
        Ok(value.fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }
}

impl CborWriter {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self {
            writer: Writer::new(),
        }
    }

    /// An unsigned number.
    pub fn number(&mut self, value: u64) -> &mut Self {
        self.head(NUMBER, value)
    }

    /// A byte string.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.head(BYTES, bytes.len() as u64);
        self.writer.bytes(bytes);
        self
    }

    /// A text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.head(TEXT, text.len() as u64);
        self.writer.bytes(text.as_bytes());
        self
    }

    /// The head of a list; its items follow.
    pub fn list(&mut self, count: usize) -> &mut Self {
        self.head(LIST, count as u64)
    }

    /// The head of a map; key and value of each entry follow, keys upwards.
    pub fn map(&mut self, count: usize) -> &mut Self {
        self.head(MAP, count as u64)
    }

    /// The finished message.
    pub fn into_vec(self) -> Vec<u8> {
        self.writer.into_vec()
    }

    fn head(&mut self, kind: u8, value: u64) -> &mut Self {
        let (low, width) = match value {
            0..24 => (value as u8, 0),
            24..0x100 => (ONE_FOLLOWS, 1),
            0x100..0x1_0000 => (TWO_FOLLOW, 2),
            0x1_0000..0x1_0000_0000 => (FOUR_FOLLOW, 4),
            _ => (EIGHT_FOLLOW, 8),
        };
        self.writer.u8(kind << 5 | low);
        self.writer.bytes(&value.to_be_bytes()[8 - width..]);
        self
    }
}

fn bad(offset: usize, reason: &'static str) -> SvcError {
    let error = SvcError::new(Code::CodecBadCbor).with("offset", offset);
    error.with("reason", reason)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::hex;

    fn read<T>(
        text: &str,
        run: impl FnOnce(&mut CborReader<'_>) -> Result<T, SvcError>,
    ) -> Result<T, Code> {
        let bytes = hex::decode(text).unwrap();
        run(&mut CborReader::new(&bytes)).map_err(|error| error.code)
    }

    /// RFC 8949 appendix A, and the edges of the forms.
    #[test]
    fn numbers_are_those_of_the_appendix() {
        let numbers: [(u64, &str); 16] = [
            (0, "00"),
            (1, "01"),
            (10, "0a"),
            (23, "17"),
            (24, "1818"),
            (100, "1864"),
            (255, "18ff"),
            (256, "190100"),
            (1000, "1903e8"),
            (65_535, "19ffff"),
            (65_536, "1a00010000"),
            (1_000_000, "1a000f4240"),
            (u64::from(u32::MAX), "1affffffff"),
            (1 << 32, "1b0000000100000000"),
            (1_000_000_000_000, "1b000000e8d4a51000"),
            (u64::MAX, "1bffffffffffffffff"),
        ];
        for (value, text) in numbers {
            let mut writer = CborWriter::new();
            writer.number(value);
            assert_eq!(hex::encode(&writer.into_vec()), text);
            assert_eq!(read(text, |reader| reader.number(u64::MAX)), Ok(value));
        }
    }

    #[test]
    fn no_other_form_is_read() {
        for text in [
            "1800",
            "1817",
            "190000",
            "1900ff",
            "1a0000ffff",
            "1b00000000ffffffff",
            "1c",
            "1f",
        ] {
            let found = read(text, |reader| reader.number(u64::MAX));
            assert_eq!(found, Err(Code::CodecBadCbor), "{text}");
        }
        for text in ["5817", "5f", "5900ff"] {
            let found = read(text, |reader| reader.bytes(9).map(<[u8]>::len));
            assert_eq!(found, Err(Code::CodecBadCbor), "{text}");
        }
        for text in [
            "20",
            "40",
            "60",
            "80",
            "a0",
            "c0",
            "f4",
            "fb3ff0000000000000",
            "ff",
        ] {
            let found = read(text, |reader| reader.number(u64::MAX));
            assert_eq!(found, Err(Code::CodecBadCbor), "{text}");
        }
        for text in ["9f", "bf"] {
            assert_eq!(read(text, |reader| reader.list(9)), Err(Code::CodecBadCbor));
            assert_eq!(read(text, |reader| reader.map(9)), Err(Code::CodecBadCbor));
        }
    }

    #[test]
    fn no_length_is_believed() {
        for text in ["5bffffffffffffffff", "5affffffff", "44"] {
            let found = read(text, |reader| reader.bytes(3).map(<[u8]>::len));
            assert_eq!(found, Err(Code::CodecCountTooLarge), "{text}");
        }
        assert_eq!(
            read("9bffffffffffffffff", |reader| reader.list(3)),
            Err(Code::CodecCountTooLarge)
        );
        assert_eq!(
            read("bbffffffffffffffff", |reader| reader.map(3)),
            Err(Code::CodecCountTooLarge)
        );
        for text in ["", "18", "1903", "1b00"] {
            let found = read(text, |reader| reader.number(u64::MAX));
            assert_eq!(found, Err(Code::CodecUnexpectedEnd), "{text}");
        }
        let cut = read("4201", |reader| reader.bytes(2).map(<[u8]>::len));
        assert_eq!(cut, Err(Code::CodecUnexpectedEnd));
        assert_eq!(
            read("4101", |reader| reader.array::<2>()),
            Err(Code::CodecWrongLength)
        );
        assert_eq!(
            read("1864", |reader| reader.number(99)),
            Err(Code::CodecNumberOutOfRange)
        );
        assert_eq!(
            read("61ff", |reader| reader.text(9).map(str::len)),
            Err(Code::CodecBadUtf8)
        );
    }

    #[test]
    fn a_message_ends_where_it_says() {
        let mut writer = CborWriter::new();
        writer.map(1).number(1).list(2).bytes(&[1, 2]).text("ü");
        let bytes = writer.into_vec();
        assert_eq!(hex::encode(&bytes), "a10182420102 62c3bc".replace(' ', ""));
        let mut reader = CborReader::new(&bytes);
        assert_eq!(reader.map(1).unwrap(), 1);
        assert_eq!(reader.number(9).unwrap(), 1);
        assert_eq!(reader.list(2).unwrap(), 2);
        assert_eq!(reader.array::<2>().unwrap(), [1, 2]);
        let unfinished = reader.clone().finish().unwrap_err();
        assert_eq!(unfinished.code, Code::CodecTrailingBytes);
        assert_eq!(reader.text(2).unwrap(), "ü");
        reader.finish().unwrap();
    }
}
