//! Memo padding: 512 bytes beside every note (specification shielded 20).

use svc_codec::code::Code;
use svc_codec::error::SvcError;

/// Bytes of a memo on the chain.
pub const MEMO_LEN: usize = 512;

/// Pads a memo with zeros to its length on the chain. Error: `wallet/memo-too-long`.
pub fn pad(memo: &[u8]) -> Result<[u8; MEMO_LEN], SvcError> {
    let mut padded = [0; MEMO_LEN];
    let slot = padded.get_mut(..memo.len()).ok_or_else(|| {
        SvcError::new(Code::WalletMemoTooLong)
            .with("length", memo.len())
            .with("max", MEMO_LEN)
    })?;
    slot.copy_from_slice(memo);
    Ok(padded)
}

/// The part of a memo that says something: trailing zeros are padding, and a lone 0xf6 means "no memo".
pub fn trim(memo: &[u8]) -> &[u8] {
    let end = memo
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(0, |last| last + 1);
    match memo.split_at(end).0 {
        [0xf6] => &[],
        text => text,
    }
}
