//! Adapter of an output with its whole ciphertext to upstream's trial decryption.

use orchard::note::{ExtractedNoteCommitment, Nullifier};
use orchard::note_encryption::{CompactAction, NoteBytesData, NoteCiphertextBytes, OrchardDomain};
use svc_codec::code::Code;
use svc_codec::error::SvcError;
use zcash_note_encryption::{EphemeralKeyBytes, ShieldedOutput};

use crate::bundle::{Action, ENC_LEN};
use crate::field::is_canonical_base;

/// Bytes of the ciphertext that compact decryption reads.
const COMPACT_LEN: usize = 52;

/// Nullifier, commitment, ephemeral key and ciphertext of one action.
pub struct FullOutput {
    /// The part that compact decryption needs.
    pub compact: CompactAction,
    cmx: ExtractedNoteCommitment,
    epk: [u8; 32],
    enc: NoteCiphertextBytes,
}

impl FullOutput {
    /// Takes the fields of an action. Error: `shielded/bad-field`.
    pub fn from_action(action: &Action) -> Result<Self, SvcError> {
        Self::from_parts(
            action.nullifier.as_bytes(),
            action.cmx.as_bytes(),
            action.epk,
            action.enc_ciphertext,
        )
    }

    /// Checks the fields as [`FullOutput::from_parts`] does, and builds nothing. Error: `shielded/bad-field`.
    pub fn check_fields(nullifier: &[u8; 32], cmx: &[u8; 32]) -> Result<(), SvcError> {
        let check = |field: &str, bytes: &[u8; 32]| match is_canonical_base(bytes) {
            true => Ok(()),
            false => Err(bad_field(field)),
        };
        check("nullifier", nullifier)?;
        check("cmx", cmx)
    }

    /// Takes nullifier, commitment, ephemeral key and ciphertext. Error: `shielded/bad-field`.
    pub fn from_parts(
        nullifier: &[u8; 32],
        cmx: &[u8; 32],
        epk: [u8; 32],
        enc: [u8; ENC_LEN],
    ) -> Result<Self, SvcError> {
        let nullifier = Nullifier::from_bytes(nullifier)
            .into_option()
            .ok_or_else(|| bad_field("nullifier"))?;
        let cmx = ExtractedNoteCommitment::from_bytes(cmx)
            .into_option()
            .ok_or_else(|| bad_field("cmx"))?;
        let mut prefix = [0; COMPACT_LEN];
        prefix.copy_from_slice(&enc[..COMPACT_LEN]);
        let compact = CompactAction::from_parts(nullifier, cmx, EphemeralKeyBytes(epk), prefix);
        Ok(Self {
            compact,
            cmx,
            epk,
            enc: NoteBytesData(enc),
        })
    }
}

impl ShieldedOutput<OrchardDomain> for FullOutput {
    fn ephemeral_key(&self) -> EphemeralKeyBytes {
        EphemeralKeyBytes(self.epk)
    }

    fn cmstar(&self) -> &ExtractedNoteCommitment {
        &self.cmx
    }

    fn enc_ciphertext(&self) -> Option<&NoteCiphertextBytes> {
        Some(&self.enc)
    }

    fn enc_ciphertext_compact(&self) -> NoteBytesData<COMPACT_LEN> {
        let mut prefix = [0; COMPACT_LEN];
        prefix.copy_from_slice(&self.enc.0[..COMPACT_LEN]);
        NoteBytesData(prefix)
    }
}

fn bad_field(field: &str) -> SvcError {
    SvcError::new(Code::ShieldedBadField).with("field", field)
}
