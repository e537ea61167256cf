//! Sender's copies as a hostile preparer seals them.

use std::error::Error;

use orchard::keys::{FullViewingKey, Scope};
use orchard::note::ExtractedNoteCommitment;
use orchard::note_encryption::OrchardDomain;
use orchard::value::ValueCommitment;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use svc_shielded::bundle::Bundle;
use svc_shielded::keys::full_viewing_key;
use svc_shielded::secret::Secret32;
use svc_shielded::signing::disclosed::Disclosed;
use zcash_note_encryption::NoteEncryption;

/// Seals the copies of all outputs for the seed's internal outgoing viewing key.
pub fn seal_internally(
    bundle: &mut Bundle,
    disclosure: &[Disclosed],
    seed: &Secret32,
) -> Result<(), Box<dyn Error>> {
    let fvk = FullViewingKey::from_bytes(&full_viewing_key(seed)?).ok_or("no key")?;
    let mut rng = ChaCha20Rng::from_seed([6; 32]);
    for (index, (action, entry)) in bundle.actions.iter_mut().zip(disclosure).enumerate() {
        let note = entry.open_note(action, index)?;
        let ovk = Some(fvk.to_ovk(Scope::Internal));
        let sealer = NoteEncryption::<OrchardDomain>::new(ovk, note, [0; 512]);
        let cv = ValueCommitment::from_bytes(&action.cv_net);
        let cv = cv.into_option().ok_or("no point")?;
        let cmx = ExtractedNoteCommitment::from_bytes(action.cmx.as_bytes());
        let cmx = cmx.into_option().ok_or("no commitment")?;
        action.out_ciphertext = sealer.encrypt_outgoing_plaintext(&cv, &cmx, &mut rng);
    }
    Ok(())
}
