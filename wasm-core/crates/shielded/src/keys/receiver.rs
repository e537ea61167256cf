//! Decoded points of a raw address, with a cache. Few addresses receive most minted notes, so the last ones are kept.

use std::collections::HashMap;
use std::sync::Mutex;

use svc_codec::error::SvcError;
use svc_tree::note_fields::diversified_base;

use crate::keys::address::to_orchard;

/// Addresses kept; all are forgotten when one more arrives.
const KEPT: usize = 4_096;

/// The two encoded points that a note commits to for its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// Diversified base.
    pub g_d: [u8; 32],
    /// Transmission key.
    pub pk_d: [u8; 32],
}

static RECEIVERS: Mutex<Option<HashMap<[u8; 43], Receiver>>> = Mutex::new(None);

/// The points of a valid address. Error: `shielded/bad-recipient`.
pub fn receiver(recipient: &[u8; 43]) -> Result<Receiver, SvcError> {
    // Only whole entries are ever in the map, so a panic elsewhere cannot have spoilt it.
    let lock = || {
        RECEIVERS
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    };
    if let Some(known) = lock().as_ref().and_then(|kept| kept.get(recipient)) {
        return Ok(*known);
    }
    to_orchard(recipient)?;
    let mut diversifier = [0; 11];
    let mut pk_d = [0; 32];
    diversifier.copy_from_slice(&recipient[..11]);
    pk_d.copy_from_slice(&recipient[11..]);
    let new = Receiver {
        g_d: diversified_base(&diversifier),
        pk_d,
    };
    let mut kept = lock();
    let kept = kept.get_or_insert_default();
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert(*recipient, new);
    Ok(new)
}
