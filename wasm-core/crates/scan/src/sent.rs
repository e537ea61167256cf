//! Outputs that the owner of a viewing key sent, read back with its outgoing viewing key (protocol specification 4.20.3).
//!
//! An output can be read so only where its sender attached that key. The sender's copy is authenticated by a key that is made of the
//! outgoing viewing key and the action, so that one BLAKE2b and one Poly1305 sort out all other actions; upstream reads the rest.

use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit, Tag};
use orchard::keys::{OutgoingViewingKey, Scope};
use orchard::value::ValueCommitment;
use svc_codec::error::SvcError;
use svc_shielded::keys::{FVK_LEN, viewing_key};
use svc_shielded::memo;
use zcash_note_encryption::try_output_recovery_with_ovk;

use crate::record::RecordAction;
use crate::trial::domain_and_output;

/// Domain of the derivation of the outgoing cipher key.
const OCK_PERSONAL: &[u8; 16] = b"Zcash_Orchardock";
/// Bytes of the sender's copy without its authenticator: transmission key 32, ephemeral secret 32.
const COPY_LEN: usize = 64;

/// Outgoing viewing key of an account. Overwritten when dropped.
pub struct SenderKey([u8; 32]);

/// An output that was read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentOutput {
    /// Raw address it was sent to.
    pub recipient: [u8; 43],
    /// Sompi.
    pub value: u64,
    /// The memo without padding.
    pub memo: Vec<u8>,
}

impl SenderKey {
    /// The outgoing viewing key of a full viewing key. Error: `keys/bad-viewing-key`.
    pub fn new(fvk: &[u8; FVK_LEN]) -> Result<Self, SvcError> {
        Ok(Self(*viewing_key(fvk)?.to_ovk(Scope::External).as_ref()))
    }

    /// The output of the action, if this key was attached to it. The note is the one that the action commits to. Error:
    /// `shielded/bad-field` for a nullifier or commitment that is no field element.
    pub fn read(&self, action: &RecordAction) -> Result<Option<SentOutput>, SvcError> {
        if !self.opens(action) {
            return Ok(None);
        }
        let Some(cv) = ValueCommitment::from_bytes(&action.cv_net).into_option() else {
            return Ok(None);
        };
        let (domain, output) = domain_and_output(action)?;
        let ovk = OutgoingViewingKey::from(self.0);
        let read = try_output_recovery_with_ovk(&domain, &ovk, &output, &cv, &action.out);
        Ok(read.map(|(note, recipient, text)| SentOutput {
            recipient: recipient.to_raw_address_bytes(),
            value: note.value().inner(),
            memo: memo::trim(&text).to_vec(),
        }))
    }

    /// Whether the sender's copy is sealed for this key.
    fn opens(&self, action: &RecordAction) -> bool {
        let mut params = blake2b_simd::Params::new();
        let mut state = params.hash_length(32).personal(OCK_PERSONAL).to_state();
        state.update(&self.0).update(&action.cv_net);
        state.update(&action.cmx.0).update(&action.epk);
        let mut key = [0; 32];
        key.copy_from_slice(state.finalize().as_bytes());
        let (sealed, tag) = action.out.split_at(COPY_LEN);
        let mut copy = [0; COPY_LEN];
        copy.copy_from_slice(sealed);
        let opened = Tag::try_from(tag).is_ok_and(|tag| {
            let cipher = ChaCha20Poly1305::new(&key.into());
            let copy = copy.as_mut_slice().into();
            cipher
                .decrypt_inout_detached(&[0; 12].into(), &[], copy, &tag)
                .is_ok()
        });
        key.fill(0);
        copy.fill(0);
        core::hint::black_box((&mut key, &mut copy));
        opened
    }
}

impl Drop for SenderKey {
    fn drop(&mut self) {
        self.0.fill(0);
        core::hint::black_box(&mut self.0);
    }
}
