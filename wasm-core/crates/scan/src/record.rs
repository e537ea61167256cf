//! What scanning keeps of a scan record: everything a wallet needs of one chain block (formats 2).

use svc_codec::hash32::Hash32;
use svc_codec::scan_record::{Action, ScanRecord};

/// The record of one chain block.
pub type Record = ScanRecord<RecordAction>;

/// The part of an action that scanning needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordAction {
    /// Nullifier of the spent note.
    pub nullifier: Hash32,
    /// Commitment of the created note.
    pub cmx: Hash32,
    /// Ephemeral key.
    pub epk: [u8; 32],
    /// Note ciphertext.
    pub enc: [u8; 580],
    /// Sender's copy of the note secrets, encrypted.
    pub out: [u8; 80],
    /// Value commitment.
    pub cv_net: [u8; 32],
}

impl RecordAction {
    /// A copy of an action that lies in a record.
    pub fn of(action: Action<'_>) -> Self {
        Self {
            nullifier: action.nullifier,
            cmx: action.cmx,
            epk: *action.epk,
            enc: *action.enc,
            out: *action.out,
            cv_net: *action.cv_net,
        }
    }
}

/// Leaves that a block appends: minted notes first, then one per action (specification shielded 7).
pub fn leaves(record: &Record) -> impl Iterator<Item = Hash32> + '_ {
    let minted = record.minted.iter().map(|note| note.cmx);
    minted.chain(record.actions().map(|action| action.cmx))
}
