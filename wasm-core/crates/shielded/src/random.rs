//! System randomness, of the operating system or browser. A missing source is an error, never a weak number.

use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use zeroize::Zeroize;

use crate::secret::Secret32;

/// 32 bytes from the system. Error: `keys/random-unavailable`.
pub fn system_bytes() -> Result<Secret32, SvcError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|_| SvcError::new(Code::KeysRandomUnavailable))?;
    let secret = Secret32::new(bytes);
    bytes.zeroize();
    Ok(secret)
}

/// A generator for one operation, seeded with 256 bits of the system. The libraries below take generators
/// that cannot fail, so the only step that can is done here, once. Error: `keys/random-unavailable`.
pub fn system_rng() -> Result<ChaCha20Rng, SvcError> {
    let seed = system_bytes()?;
    Ok(ChaCha20Rng::from_seed(*seed.expose()))
}
