//! Disclosed action: what a prover tells about one action, and how it opens the action's commitments (specification
//! shielded 18).

use orchard::Note;
use orchard::value::{NoteValue, ValueCommitTrapdoor, ValueCommitment};
use serde::{Deserialize, Serialize};
use svc_codec::code::Code;
use svc_codec::error::SvcError;

use crate::bundle::Action;
use crate::json::{decimal, hex_array};
use crate::note::{NoteParts, commitment};

/// What a prover tells about one action, so that a signer can open its commitments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Disclosed {
    /// Sompi of the spent note; 0 for a dummy.
    #[serde(with = "decimal")]
    pub spend_value: u64,
    /// Sompi of the created note.
    #[serde(with = "decimal")]
    pub out_value: u64,
    /// Raw address of the created note's owner.
    #[serde(with = "hex_array")]
    pub out_recipient: [u8; 43],
    /// Randomness of the created note.
    #[serde(with = "hex_array")]
    pub out_rseed: [u8; 32],
    /// Randomness of the value commitment.
    #[serde(with = "hex_array")]
    pub rcv: [u8; 32],
}

impl Disclosed {
    /// The created note, rebuilt with the action's nullifier and compared with its commitment. `index` is the action's,
    /// for the error.
    ///
    /// Errors: `signer/bad-disclosure`, `signer/note-differs`.
    pub fn open_note(&self, action: &Action, index: usize) -> Result<Note, SvcError> {
        let parts = NoteParts {
            recipient: self.out_recipient,
            value: self.out_value,
            rho: action.nullifier,
            rseed: self.out_rseed,
        };
        let note = parts.to_note().map_err(|error| malformed(index, error))?;
        if commitment(&note) == action.cmx {
            return Ok(note);
        }
        Err(SvcError::new(Code::SignerNoteDiffers).with("index", index))
    }

    /// Compares the commitment to the spent less the created value with the action's.
    ///
    /// Errors: `signer/bad-disclosure`, `signer/value-differs`.
    pub fn open_value(&self, action: &Action, index: usize) -> Result<(), SvcError> {
        let rcv = ValueCommitTrapdoor::from_bytes(self.rcv)
            .into_option()
            .ok_or_else(|| malformed(index, "rcv is not canonical"))?;
        let net = NoteValue::from_raw(self.spend_value) - NoteValue::from_raw(self.out_value);
        if ValueCommitment::derive(net, rcv).to_bytes() == action.cv_net {
            return Ok(());
        }
        Err(SvcError::new(Code::SignerValueDiffers).with("index", index))
    }
}

fn malformed(index: usize, reason: impl core::fmt::Display) -> SvcError {
    SvcError::new(Code::SignerBadDisclosure)
        .with("index", index)
        .with("reason", reason)
}
