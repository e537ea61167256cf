//! 256-bit unsigned integer type for targets, work and proof-of-work values.

pub use number::U256;

/// Blue work must fit this many bits (specification consensus 4).
pub const BLUE_WORK_BITS: usize = 192;
/// Bytes of a blue work in raw headers.
pub const BLUE_WORK_LEN: usize = BLUE_WORK_BITS / 8;

/// Blue work as it is hashed: big-endian bytes without leading zeros, none for zero
/// (specification consensus 3.2). The hashed form puts their number, a u64, before them.
pub fn blue_work_bytes(work: U256) -> Vec<u8> {
    let bytes = work.to_big_endian();
    let zeros = usize::try_from(work.leading_zeros() / 8).unwrap_or(bytes.len());
    bytes.get(zeros..).unwrap_or_default().to_vec()
}

// The code the macro writes is neither documented nor in the style of this project.
#[allow(missing_docs, clippy::all)]
mod number {
    uint::construct_uint! {
        /// 256-bit unsigned integer. Operators panic on overflow; foreign numbers go through
        /// the `checked_`, `overflowing_` and `saturating_` forms.
        pub struct U256(4);
    }
}
