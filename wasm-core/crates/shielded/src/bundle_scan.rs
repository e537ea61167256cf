//! Bundle scan: the outputs of one bundle that an incoming viewing key reads, with their memos (specification shielded
//! 20). For indexers of announcements, which hold the key of an address that anybody may know.

use orchard::keys::PreparedIncomingViewingKey;
use orchard::note_encryption::OrchardDomain;
use serde::Serialize;
use svc_codec::error::SvcError;
use zcash_note_encryption::try_note_decryption;

use crate::bundle::{Action, Bundle};
use crate::full_output::FullOutput;
use crate::json::{decimal, hex_array, hex_bytes};
use crate::keys::incoming::{IVK_LEN, incoming_key};
use crate::memo;

/// An output that the key reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadOutput {
    /// Index of the action.
    pub index: usize,
    /// Raw address of the owner, at whatever diversifier index.
    #[serde(with = "hex_array")]
    pub recipient: [u8; 43],
    /// Sompi; 0 for an announcement.
    #[serde(with = "decimal")]
    pub value: u64,
    /// Memo without its padding.
    #[serde(with = "hex_bytes")]
    pub memo: Vec<u8>,
}

/// Reads the outputs of the bundle; those of others, and actions that are not well formed, are left out. What the
/// bundle pays, and whether it is valid at all, is not judged: that is the chain's.
///
/// Error: `keys/bad-viewing-key`.
pub fn scan_bundle(ivk: &[u8; IVK_LEN], bundle: &Bundle) -> Result<Vec<ReadOutput>, SvcError> {
    let ivk = PreparedIncomingViewingKey::new(&incoming_key(ivk)?);
    let actions = bundle.actions.iter().enumerate();
    Ok(actions
        .filter_map(|(index, action)| read(&ivk, action, index))
        .collect())
}

fn read(ivk: &PreparedIncomingViewingKey, action: &Action, index: usize) -> Option<ReadOutput> {
    let output = FullOutput::from_action(action).ok()?;
    let domain = OrchardDomain::for_compact_action(&output.compact);
    let (note, recipient, memo) = try_note_decryption(&domain, ivk, &output)?;
    Some(ReadOutput {
        index,
        recipient: recipient.to_raw_address_bytes(),
        value: note.value().inner(),
        memo: memo::trim(&memo).to_vec(),
    })
}
