//! Payout addresses of the simulated miners.

use svc_codec::error::SvcError;
use svc_shielded::keys;
use svc_shielded::secret::Secret32;

/// Seed of the one wallet all of them are paid to.
const WALLET: [u8; 32] = [42; 32];

/// The payout script of a miner by number.
///
/// # Errors
/// None for the numbers in use; the key derivation's.
pub fn script_of(miner: usize) -> Result<Vec<u8>, SvcError> {
    let fvk = keys::full_viewing_key(&Secret32::new(WALLET))?;
    Ok(keys::address_at(&fvk, miner as u32)?.to_vec())
}
