//! Sinsemilla message builder: its chunks, from fields laid end to end, lowest bit first.

use svc_kernels::hash::sinsemilla::CHUNK_BITS;

use svc_kernels::hash::sinsemilla::CHUNK_VALUES;

/// Words of the longest message: the 1,086 bits of a note.
const WORDS: usize = 18;

/// Bits laid end to end.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// One word more, so that a chunk may always look at the next.
    words: [u64; WORDS + 1],
    length: usize,
}

impl Message {
    /// Appends the low `bits` bits of a number; the bytes above them must be zero. Bits past the capacity are lost.
    pub fn push(&mut self, bytes: &[u8], bits: usize) {
        for (i, part) in bytes.chunks(8).enumerate() {
            let mut eight = [0; 8];
            eight[..part.len()].copy_from_slice(part);
            let word = u64::from_le_bytes(eight);
            let at = self.length + 64 * i;
            let shift = at % 64;
            if let Some(low) = self.words.get_mut(at / 64) {
                *low |= word << shift;
            }
            if let Some(high) = self.words.get_mut(at / 64 + 1).filter(|_| shift > 0) {
                *high |= word >> (64 - shift);
            }
        }
        self.length += bits;
    }

    /// Appends the chunks to `out`, the last one filled up with zeros.
    pub fn chunks(&self, out: &mut Vec<u16>) {
        for at in (0..self.length).step_by(CHUNK_BITS) {
            let (word, shift) = (at / 64, at % 64);
            let low = u128::from(self.words[word]) | u128::from(self.words[word + 1]) << 64;
            out.push((low >> shift) as u16 & (CHUNK_VALUES as u16 - 1));
        }
    }
}
