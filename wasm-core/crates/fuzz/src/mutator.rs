//! Fuzzing mutator: makes malformed inputs out of good ones.

use svc_chance::chance::Chance;

/// Inputs kept beside the seeds because a target answered them in a new way, or took them.
const MAX_FOUND: usize = 96;
/// Bytes of an input that is made of nothing.
const MAX_RANDOM: usize = 300;
/// Bytes that an input may have beyond the double of the longest seed.
const EXTRA_LEN: usize = 1_024;
/// Numbers at which decoders decide something.
const NUMBERS: [u64; 18] = [
    0,
    1,
    2,
    31,
    32,
    64,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1 << 53,
    1 << 63,
    u64::MAX,
];
/// Pieces at which readers of text decide something.
const PIECES: [&str; 24] = [
    "null",
    "true",
    "-1",
    "-0",
    "0.5",
    "1e400",
    "1E-9",
    "00",
    "{}",
    "[]",
    "[[[[[[[[",
    "{\"a\":",
    "\"\"",
    "\\u0000",
    "\\ud800",
    "\u{e9}",
    "\u{1f600}",
    "\n",
    " ",
    ",",
    ":",
    "?",
    "&",
    "%",
];

/// What JSON may have in the place of any value.
const VALUES: [&str; 8] = [
    "null",
    "-1",
    "1e400",
    "18446744073709551615",
    "\"1\"",
    "[]",
    "{}",
    "[{\"deep\":[[]]}]",
];

/// A pool of inputs that begins with the seeds.
#[derive(Clone, Debug)]
pub struct Mutator {
    chance: Chance,
    pool: Vec<Vec<u8>>,
    seeds: usize,
    is_text: bool,
    max_len: usize,
}

impl Mutator {
    /// A mutator of these seeds; `is_text` adds steps that make sense in text.
    pub fn new(chance: Chance, seeds: Vec<Vec<u8>>, is_text: bool) -> Self {
        let longest = seeds.iter().map(Vec::len).max().unwrap_or(0);
        Self {
            chance,
            seeds: seeds.len(),
            pool: seeds,
            is_text,
            max_len: 2 * longest + EXTRA_LEN,
        }
    }

    /// The next input: as a rule an input of the pool after one to eight steps.
    pub fn next_input(&mut self) -> Vec<u8> {
        if self.chance.one_in(50) {
            let len = self.chance.index(MAX_RANDOM);
            return self.random(len);
        }
        let mut input = self.any();
        let most = 1 << self.chance.index(4);
        for _ in 0..=self.chance.index(most) {
            self.step(&mut input);
        }
        input.truncate(self.max_len);
        input
    }

    /// Whether the next input should be repaired, so that it passes a checksum.
    pub fn wants_repair(&mut self) -> bool {
        !self.chance.one_in(4)
    }

    /// Takes an input into the pool; older finds make room, seeds never do.
    pub fn keep(&mut self, input: Vec<u8>) {
        if self.pool.len() < self.seeds + MAX_FOUND {
            self.pool.push(input);
            return;
        }
        let place = self.seeds + self.chance.index(MAX_FOUND);
        if let Some(slot) = self.pool.get_mut(place) {
            *slot = input;
        }
    }

    /// True for the few of many inputs of one kind that are worth keeping.
    pub fn keeps_another(&mut self) -> bool {
        self.chance.one_in(24)
    }

    fn any(&mut self) -> Vec<u8> {
        self.chance.pick(&self.pool).cloned().unwrap_or_default()
    }

    fn random(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.chance.bits() as u8).collect()
    }

    /// A place in an input: counts and versions stand at its ends, so these are chosen more often.
    fn place(&mut self, len: usize) -> usize {
        match self.chance.index(4) {
            0 => self.chance.index(len.min(80)),
            1 => len.saturating_sub(1 + self.chance.index(len.min(80))),
            _ => self.chance.index(len),
        }
    }

    /// A piece of an input: mostly short, sometimes half of it.
    fn range(&mut self, len: usize) -> core::ops::Range<usize> {
        let start = self.place(len);
        let most = match self.chance.index(3) {
            0 => 8,
            1 => 64,
            _ => len / 2 + 1,
        };
        let size = 1 + self.chance.index(most);
        start..(start + size).min(len)
    }

    fn step(&mut self, input: &mut Vec<u8>) {
        if self.is_text && self.chance.one_in(2) {
            return self.step_in_text(input);
        }
        match self.chance.index(12) {
            0..3 => self.change_byte(input),
            3 | 4 => self.write_number(input),
            5 => self.write_length(input),
            6 => input.truncate(self.chance.index(input.len() + 1)),
            7 => {
                let range = self.range(input.len());
                input.drain(range);
            }
            8 => self.insert(input),
            9 => self.repeat(input),
            10 => self.splice(input),
            _ => self.copy_within(input),
        }
    }

    fn change_byte(&mut self, input: &mut [u8]) {
        let place = self.place(input.len());
        let (kind, bits) = (self.chance.index(3), self.chance.bits());
        if let Some(byte) = input.get_mut(place) {
            *byte = match kind {
                0 => *byte ^ 1 << (bits % 8),
                1 => bits as u8,
                _ => byte.wrapping_add((bits % 71) as u8).wrapping_sub(35),
            };
        }
    }

    /// Writes the low bytes of a number over an input, in either order.
    fn overwrite(&mut self, input: &mut [u8], number: u64) {
        let width = 1 << self.chance.index(4);
        let mut bytes = number.to_le_bytes()[..width].to_vec();
        if self.chance.one_in(3) {
            bytes.reverse();
        }
        let place = self.place(input.len());
        for (slot, byte) in input.iter_mut().skip(place).zip(bytes) {
            *slot = byte;
        }
    }

    fn write_number(&mut self, input: &mut [u8]) {
        let number = self.chance.pick(&NUMBERS).copied().unwrap_or(0);
        let near = number
            .wrapping_add(self.chance.index(5) as u64)
            .wrapping_sub(2);
        self.overwrite(input, near);
    }

    /// A length that is nearly that of the rest, in bytes, hashes or small items.
    fn write_length(&mut self, input: &mut [u8]) {
        let unit = [1, 32, 34, 64][self.chance.index(4)];
        let rest = self.chance.index(input.len() + 1) / unit + self.chance.index(3);
        self.overwrite(input, rest as u64);
    }

    fn insert(&mut self, input: &mut Vec<u8>) {
        let len = 1 + self.chance.index(48);
        let piece = match self.chance.index(3) {
            0 => vec![0; len],
            1 => vec![0xff; len],
            _ => self.random(len),
        };
        let place = self.place(input.len() + 1);
        input.splice(place..place, piece);
    }

    fn repeat(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input.len());
        let piece = input[range.clone()].repeat(1 + self.chance.index(3));
        input.splice(range.end..range.end, piece);
    }

    fn splice(&mut self, input: &mut Vec<u8>) {
        let other = self.any();
        let from = self.range(other.len());
        let to = self.range(input.len());
        input.splice(to, other[from].iter().copied());
    }

    fn copy_within(&mut self, input: &mut [u8]) {
        let from = self.range(input.len());
        let to = self.place(input.len());
        let size = from.len().min(input.len().saturating_sub(to));
        input.copy_within(from.start..from.start + size, to);
    }

    fn step_in_text(&mut self, input: &mut Vec<u8>) {
        match self.chance.index(4) {
            0 => self.change_digit(input),
            1 => self.change_value(input),
            2 => {
                let piece = self.chance.pick(&PIECES).copied().unwrap_or("");
                let place = self.place(input.len() + 1);
                input.splice(place..place, piece.bytes());
            }
            _ => {
                let piece = self.chance.pick(&PIECES).copied().unwrap_or("");
                let range = self.range(input.len());
                input.splice(range, piece.bytes());
            }
        }
    }

    /// Another value behind the next colon, as far as the text is JSON.
    fn change_value(&mut self, input: &mut Vec<u8>) {
        let place = self.place(input.len());
        let position = |from: usize, wanted: &[u8]| {
            let found = input
                .iter()
                .skip(from)
                .position(|byte| wanted.contains(byte));
            found.map(|offset| from + offset)
        };
        let Some(start) = position(place, b":").map(|colon| colon + 1) else {
            return;
        };
        let end = match input.get(start) {
            Some(b'"') => position(start + 1, b"\"").map(|quote| quote + 1),
            _ => position(start, b",]}"),
        };
        let end = end.unwrap_or(input.len());
        let value = self.chance.pick(&VALUES).copied().unwrap_or("");
        input.splice(start..end, value.bytes());
    }

    /// Another digit in the place of one: numbers and hex stay numbers and hex.
    fn change_digit(&mut self, input: &mut [u8]) {
        let start = self.place(input.len());
        let digit = self
            .chance
            .pick(b"0123456789abcdef")
            .copied()
            .unwrap_or(b'0');
        let is_digit = |byte: &&mut u8| byte.is_ascii_hexdigit();
        if let Some(slot) = input.iter_mut().skip(start).find(is_digit) {
            *slot = if slot.is_ascii_digit() {
                digit % 10 + b'0'
            } else {
                digit
            };
        }
    }
}
